import { tmpdir } from 'node:os'
import { isOfRun, makeRunDirectory } from './left-behind.mjs'

/**
 * Gives the tests of one package a directory of their own for temporary files, unless `npm test` gave them one. Vitest ends
 * at Ctrl-C without its teardown: what runs then is ended, and what it wrote removed, while the process exits.
 */
export function setup() {
  if (isOfRun(tmpdir())) return
  Object.assign(process.env, makeRunDirectory().env)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1))
}
