import { spawnSync } from 'node:child_process'
import { root } from '../run.mjs'

/** Fails if npm finds a package that is missing, has an invalid version, or is extraneous. */
const { status, stderr } = spawnSync('npm', ['ls', '--omit=dev', '--all', '--loglevel=error'], {
  cwd: root,
  encoding: 'utf8',
  shell: process.platform === 'win32',
})
if (status !== 0) {
  console.error(stderr.trim())
  process.exitCode = 1
}
