// Writes the package as it is published: JavaScript, types, README and licence, in dist.
// Run from anywhere: node packages/safe-core/build.mjs [folder]; then npm publish that folder.
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('.', import.meta.url))
const folder = resolve(process.argv[2] ?? join(root, 'dist'))
const require = createRequire(import.meta.url)
const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc')

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
execFileSync(process.execPath, [tsc, '-p', join(root, 'tsconfig.build.json'), '--outDir', folder], { stdio: 'inherit' })

// The compiler rewrites the imports of JavaScript alone; older ones than ours do not take `.ts` in types.
for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
  path.endsWith('.d.ts'),
)) {
  const file = join(folder, name)
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/(['"]\.{1,2}\/[^'"]+)\.ts(['"])/g, '$1.js$2'))
}

// In the repository the package is read as TypeScript, without a build; what is published stands on its own.
const {
  devDependencies: _,
  exports: __,
  scripts: ___,
  ...manifest
} = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const published = {
  ...manifest,
  // Which viem there is, the application decides; ours is the oldest that is tested.
  dependencies: { viem: `^${manifest.dependencies.viem}` },
  exports: { '.': { types: './index.d.ts', default: './index.js' }, './package.json': './package.json' },
  types: './index.d.ts',
}
writeFileSync(join(folder, 'package.json'), `${JSON.stringify(published, null, 2)}\n`)
for (const file of ['README.md', 'LICENSE']) copyFileSync(join(root, file), join(folder, file))
