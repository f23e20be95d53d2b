import type pg from 'pg'
import { parseDatabaseFailure } from './failure.ts'

/** As the driver passes it on. */
type ErrorMessage = Error & { code?: string }

/** Asks PostgreSQL for a good megabyte of disk, and gives it back. */
const WRITE =
  'begin; create temporary table room on commit drop as select generate_series(1, 40000) as number; rollback'

/** Why the database, which can be read, cannot be written. */
export type WriteFailure = { code: 'DISK_FULL' | 'DATABASE_READ_ONLY'; sentence: string }

/** Remembers that PostgreSQL refused to write, until it writes again. */
export type WriteWatch = {
  /** Every connection of this pool is heard. */
  watch: (pool: pg.Pool) => void
  failure: () => WriteFailure | null
  /** After a failure: writes, and forgets the failure when that is possible again. */
  tryAgain: () => Promise<void>
}

export function createWriteWatch(): WriteWatch {
  const pools: pg.Pool[] = []
  let failure: WriteFailure | null = null

  function parseWriteFailure(error: unknown): WriteFailure | null {
    const found = parseDatabaseFailure(error)
    if (found?.code !== 'DISK_FULL' && found?.code !== 'DATABASE_READ_ONLY') return null
    return { code: found.code, sentence: found.message }
  }

  return {
    watch(pool) {
      pools.push(pool)
      /** Connections to a server that became a standby: another connection may find its successor. */
      const outdated = new WeakSet<pg.PoolClient>()
      pool.on('connect', (client) => {
        client.connection.on('errorMessage', (error: ErrorMessage) => {
          const found = parseWriteFailure(error)
          if (found) failure = found
          if (found?.code === 'DATABASE_READ_ONLY') outdated.add(client)
        })
      })
      pool.on('release', (_, client) => {
        if (outdated.has(client)) client.end().catch(() => {})
      })
    },
    failure: () => failure,
    async tryAgain() {
      if (!failure) return
      try {
        await pools[0]?.query(WRITE)
        failure = null
      } catch (error) {
        // Any other refusal says nothing about the disk.
        failure = parseWriteFailure(error)
      }
    },
  }
}
