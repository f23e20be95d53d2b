import { join } from 'node:path'
import { readHolder } from '../postgres/lock.ts'
import { isRunning } from '../postgres/process-identity.ts'
import type { Announcer } from './announce.ts'

/** Tells the launcher that runs with a data directory to read its configuration again; what comes of it, it says itself. */
export function tellToReload(dataDirectory: string, announcer: Announcer): void {
  const holder = readHolder(join(dataDirectory, 'lock.json'))
  // A pid alone may belong to anybody by now.
  if (holder === 'gone' || holder === null || holder.startTime === null || !isRunning(holder)) {
    announcer.warn(`Nothing runs with the data directory \`${dataDirectory}\`.`)
    process.exitCode = 1
    return
  }
  process.kill(holder.pid, 'SIGUSR2')
  announcer.print(`Process ${holder.pid} reads its configuration again. It says there whether it holds.`)
}
