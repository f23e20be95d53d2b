import { Socket } from 'node:net'
import type pg from 'pg'

/** A process that was itself stopped finds its timers due before it has read what came meanwhile. */
const MOMENT_MS = 250

/** Finds connections on which PostgreSQL is silent. */
export type SilenceWatch = {
  /** Ends connections of this pool on which PostgreSQL is silent for so long while something is asked of it. */
  watch: (pool: pg.Pool, milliseconds: number) => void
}

/**
 * Creates a watch for the pools of one database. A connection that hangs does not keep its own limits; what was asked on it
 * fails then, as with any lost connection.
 *
 * The idle connections of all pools end with it: what made one hang has mostly made them hang too, and each would take as
 * long to be found. New ones take their places.
 */
export function createSilenceWatch(): SilenceWatch {
  const idle = new Set<pg.PoolClient>()
  return {
    watch(pool, milliseconds) {
      pool.on('acquire', (client) => idle.delete(client))
      pool.on('release', (error, client) => {
        if (!error) idle.add(client)
      })
      pool.on('remove', (client) => idle.delete(client))
      pool.on('connect', (client) => {
        const { stream } = client.connection
        if (!(stream instanceof Socket)) return
        stream.setTimeout(milliseconds)
        stream.on('timeout', () => {
          // Nothing is asked of it. Its time begins anew with the next question, which must not count as silent already.
          if (idle.has(client)) return
          const { bytesRead } = stream
          setTimeout(() => {
            if (idle.has(client) || stream.bytesRead !== bytesRead) return
            for (const silent of [client, ...idle]) end(silent)
          }, MOMENT_MS).unref()
        })
      })
    },
  }
}

function end({ connection }: pg.PoolClient): void {
  connection.stream.destroy(Object.assign(new Error('PostgreSQL does not answer'), { code: 'ETIMEDOUT' }))
}
