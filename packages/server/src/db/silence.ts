import { Socket } from 'node:net'
import type pg from 'pg'

/** A process that was itself stopped finds its timers due before it has read what came meanwhile. */
const MOMENT_MILLISECONDS = 250

/**
 * Ends a connection on which PostgreSQL is silent for so long while something is asked of it: one that hangs does not keep
 * its own limits. What was asked fails then, as with any lost connection.
 *
 * @param isBusy whether anything is asked of it
 */
export function endWhenSilent({ connection }: pg.Client, milliseconds: number, isBusy: () => boolean): void {
  const { stream } = connection
  if (!(stream instanceof Socket)) return
  stream.setTimeout(milliseconds)
  stream.on('timeout', () => {
    const { bytesRead } = stream
    setTimeout(() => {
      if (!isBusy() || stream.bytesRead !== bytesRead) return
      stream.destroy(Object.assign(new Error('PostgreSQL does not answer'), { code: 'ETIMEDOUT' }))
    }, MOMENT_MILLISECONDS).unref()
  })
}
