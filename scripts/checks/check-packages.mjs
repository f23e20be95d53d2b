import { spawnSync } from 'node:child_process'
import { root } from '../run.mjs'

/** Fails where npm finds a package that is missing, of a version that nobody asked for, or asked for by nobody. */
const { status, stderr } = spawnSync('npm', ['ls', '--omit=dev', '--all', '--loglevel=error'], {
  cwd: root,
  encoding: 'utf8',
  shell: process.platform === 'win32',
})
if (status !== 0) {
  console.error(stderr.trim())
  process.exitCode = 1
}
