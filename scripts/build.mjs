import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { modulesDirectory } from './notices/collect-modules.mjs'
import { writeNotices } from './notices/write-notices.mjs'
import { root, runNode } from './run.mjs'

const stamp = join(root, 'dist/.stamp')
const products = [
  'launch.js',
  'server.js',
  'backup.js',
  'doctor.js',
  'devnet.js',
  'web/index.html',
  'web/THIRD-PARTY-NOTICES.txt',
  'migrations',
]

/** Builds dist/ when the sources are not those it was built from. Answers whether it is good. */
export async function build() {
  // It needs a dependency, and this file is read before any is installed.
  const { writeTextKeys } = await import('./write-text-keys.mjs')
  writeTextKeys()
  const sources = fingerprint()
  const isComplete = products.every((product) => existsSync(join(root, 'dist', product)))
  if (isComplete && existsSync(stamp) && readFileSync(stamp, 'utf8') === sources) return true
  const started = performance.now()
  console.log('Building')
  mkdirSync(join(root, 'dist'), { recursive: true })
  rmSync(stamp, { force: true })
  for (const path of [join(root, 'dist/web'), modulesDirectory]) rmSync(path, { recursive: true, force: true })
  const results = await Promise.all([
    runNode(['node_modules/rolldown/bin/cli.mjs', '--config', 'rolldown.config.mjs'], { isQuiet: true }),
    runNode(['node_modules/vite/bin/vite.js', 'build', 'packages/web', '--logLevel', 'warn'], { isQuiet: true }),
  ])
  // Told to end meanwhile.
  if (process.exitCode) return false
  for (const { code, output } of results) if (code !== 0) console.error(output)
  if (results.some(({ code }) => code !== 0)) {
    console.error('BUILD_FAILED  The sources could not be built; the reason stands above.')
    return false
  }
  rmSync(join(root, 'dist/migrations'), { recursive: true, force: true })
  cpSync(join(root, 'packages/server/src/db/migrations'), join(root, 'dist/migrations'), { recursive: true })
  writeNotices()
  writeFileSync(stamp, sources)
  console.log(`Built in ${((performance.now() - started) / 1000).toFixed(1)} s`)
  return true
}

/** Hashes the content of everything that can change the build. */
function fingerprint() {
  const files = ['package-lock.json', 'tsconfig.base.json', 'rolldown.config.mjs', 'scripts/build.mjs'].map((path) =>
    join(root, path),
  )
  list(join(root, 'scripts/notices'), files)
  for (const name of ['safe', 'review', 'contract', 'simulation', 'server', 'web', 'devnet'])
    list(join(root, 'packages', name), files)
  const hash = createHash('sha256')
  for (const file of files.filter((path) => !/\.test\.tsx?$|\.md$/.test(path)).sort()) {
    if (existsSync(file))
      hash
        .update(`${relative(root, file)}\0`)
        .update(readFileSync(file))
        .update('\0')
  }
  return hash.digest('hex')
}

function list(directory, files) {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name)
    if (entry.isDirectory()) {
      if (!['node_modules', 'dist', 'vectors'].includes(entry.name)) list(path, files)
    } else if (entry.isFile()) files.push(path)
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  process.exitCode = (await build()) ? 0 : 1
