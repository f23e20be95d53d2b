import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, run } from './run.mjs'

const stamp = join(root, 'node_modules/.countersign-stamp')

/** Installs what is missing, and writes the keys of the page's texts, which the compiler needs and no version has. */
export async function install() {
  checkNode()
  await installDependencies()
  // It needs a dependency.
  const { writeTextKeys } = await import('./write-text-keys.mjs')
  writeTextKeys()
}

/** Installs when the lock file, the platform or the presence of node_modules has changed. */
async function installDependencies() {
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint()) return
  const started = performance.now()
  const seconds = () => `${((performance.now() - started) / 1000).toFixed(0)} s`
  console.log('Installing the dependencies; the first time this takes about half a minute')
  const timer = setInterval(() => console.log(`  still installing, ${seconds()}`), 10_000)
  const { command, before } = npm()
  // Not `npm ci`: it refuses a lock file that lacks packages for platforms other than this one.
  const args = [...before, 'install', '--no-audit', '--no-fund', '--loglevel=error']
  const { code, output } = await run(command, args, { isQuiet: true })
  clearInterval(timer)
  // Told to end meanwhile.
  if (process.exitCode) process.exit()
  if (code !== 0) {
    console.error(output)
    console.error(`INSTALL_FAILED  npm install ended with exit code ${code}.`)
    console.error(
      '  Read what npm wrote above. Without a network, connect it and start again: what was loaded is kept.',
    )
    process.exit(1)
  }
  writeFileSync(stamp, fingerprint())
  console.log(`Installed in ${seconds()}`)
}

function fingerprint() {
  const lock = join(root, 'package-lock.json')
  const hash = existsSync(lock) ? createHash('sha256').update(readFileSync(lock)).digest('hex') : 'none'
  return `${hash} ${process.platform}-${process.arch}\n`
}

/** The npm that runs us, else the one on the path. */
function npm() {
  const path = process.env.npm_execpath
  if (path?.endsWith('.js') && /npm/.test(path)) return { command: process.execPath, before: [path] }
  return { command: process.platform === 'win32' ? 'npm.cmd' : 'npm', before: [] }
}

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return
  console.error(`NODE_TOO_OLD  This is Node ${process.versions.node}; Countersign needs 20.19 or newer.`)
  console.error('  Install a newer Node and start again.')
  process.exit(1)
}
