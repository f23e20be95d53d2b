// Writes a package as it is published: JavaScript, types, README and licence.
// Run from anywhere: node scripts/write-package.mjs safe|review [folder]; then npm publish that folder.
import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './run.mjs'

const tsc = join(root, 'node_modules/typescript/bin/tsc')

/**
 * Writes a published package into a folder, which is emptied first.
 *
 * @param {'safe' | 'review'} name
 * @param {string} folder
 */
export function writePackage(name, folder) {
  const source = join(root, 'packages', name)
  const {
    devDependencies: _,
    scripts: __,
    ...manifest
  } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'))
  const scratch = mkdtempSync(join(tmpdir(), 'write-package-'))
  try {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    const paths = name === 'review' ? { '@countersign/safe': './safe', '@countersign/safe/*': './safe/*' } : {}
    // The types of safe are compiled against as they are published.
    if (name === 'review') writePackage('safe', join(scratch, 'safe'))
    symlinkSync(join(root, 'node_modules'), join(scratch, 'node_modules'), 'dir')
    compile(source, folder, scratch, paths, Object.values(manifest.exports))
    writeFileSync(join(folder, 'package.json'), `${JSON.stringify(published(manifest), null, 2)}\n`)
    for (const file of ['README.md', 'LICENSE']) copyFileSync(join(source, file), join(folder, file))
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

function compile(source, folder, scratch, paths, entries) {
  const config = {
    extends: join(source, 'tsconfig.json'),
    compilerOptions: {
      noEmit: false,
      declaration: true,
      rewriteRelativeImportExtensions: true,
      rootDir: join(source, 'src'),
      outDir: folder,
      paths: Object.fromEntries(Object.entries(paths).map(([key, path]) => [key, [`${path}/index.d.ts`]])),
      typeRoots: [],
    },
    include: [],
    files: entries.map((entry) => join(source, entry)),
  }
  const file = join(scratch, 'tsconfig.json')
  writeFileSync(file, JSON.stringify(config))
  execFileSync(process.execPath, [tsc, '-p', file], { stdio: 'inherit' })
  // The compiler rewrites the imports of JavaScript alone; older ones than ours do not take `.ts` in types.
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.d.ts'),
  )) {
    const types = join(folder, name)
    writeFileSync(types, readFileSync(types, 'utf8').replaceAll(/(['"]\.{1,2}\/[^'"]+)\.ts(['"])/g, '$1.js$2'))
  }
}

/** In the repository a package is read as TypeScript, without a build; what is published stands on its own. */
function published(manifest) {
  const entries = Object.entries(manifest.exports).map(([path, source]) => {
    const built = source.replace('./src/', './').replace(/\.ts$/, '')
    return [path, { types: `${built}.d.ts`, default: `${built}.js` }]
  })
  // The application decides which viem it has; ours is the oldest that is tested. Our packages are published together.
  const dependencies = Object.fromEntries(
    Object.entries(manifest.dependencies).map(([name, version]) => [
      name,
      `^${version === '*' ? manifest.version : version}`,
    ]),
  )
  const exports = { ...Object.fromEntries(entries), './package.json': './package.json' }
  return { ...manifest, dependencies, exports, types: './index.d.ts' }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [, , name, folder = join(root, 'packages', name, 'dist')] = process.argv
  writePackage(name, resolve(folder))
}
