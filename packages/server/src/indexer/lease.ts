import { randomUUID } from 'node:crypto'
import { fail } from '@countersign/contract'
import type { CountersignError } from '@countersign/safe'
import { eq } from 'drizzle-orm'
import pg from 'pg'
import type { Database, Executor } from '../db/client.ts'
import { chainFollower } from '../db/schema.ts'
import type { Log } from '../outbox/append.ts'
import { writeLogged } from '../outbox/write.ts'

const LOCK_SPACE = 4_100_002

/** The right of one process to write down what a chain says. */
export type Lease = {
  /** Takes it where nobody has it. @returns whether this process has it still, since now, or another process has it */
  hold: () => Promise<'still' | 'now' | 'by another'>
  isHeld: () => boolean
  /**
   * A write, with its entries in the activity log, that takes place only while the lease is held.
   *
   * @throws CountersignError `DATABASE_UNAVAILABLE` when it is lost
   */
  write: <result>(work: (tx: Executor, log: Log) => Promise<result>) => Promise<result>
  release: () => Promise<void>
}

/**
 * A lock of the database that lives as long as its connection: when the process dies, another one gets it. The connection
 * may also be lost while the process lives, and reads on what it then must not write: each holder leaves a token of its
 * own, and each write asks for it in the same transaction.
 */
export function createLease({
  chainId,
  db,
  clock,
  databaseUrl,
}: {
  chainId: number
  db: Database
  clock: () => Date
  databaseUrl: string
}): Lease {
  let held: { client: pg.Client; token: string } | null = null

  const lose = (client: pg.Client) => {
    if (held?.client === client) held = null
  }

  return {
    isHeld: () => held !== null,
    async hold() {
      if (held) return 'still'
      const client = new pg.Client({
        connectionString: databaseUrl,
        connectionTimeoutMillis: 5_000,
        query_timeout: 15_000,
        keepAlive: true,
      })
      client.on('error', () => lose(client))
      client.on('end', () => lose(client))
      await client.connect()
      try {
        const { rows } = await client.query<{ isMine: boolean }>(
          'select pg_try_advisory_lock($1, hashint8($2)) as "isMine"',
          [LOCK_SPACE, chainId],
        )
        if (!rows[0]?.isMine) {
          await client.end()
          return 'by another'
        }
        const token = randomUUID()
        // Waits for what the holder before is just writing; what it writes later finds another token.
        await client.query(
          'insert into chain_follower (chain_id, token) values ($1, $2) on conflict (chain_id) do update set token = excluded.token',
          [chainId, token],
        )
        held = { client, token }
        return 'now'
      } catch (error) {
        await client.end().catch(() => {})
        throw error
      }
    },
    async write(work) {
      const mine = held
      if (!mine) throw lost(chainId)
      return writeLogged({ db, clock }, async (tx, log) => {
        const [row] = await tx
          .select({ token: chainFollower.token })
          .from(chainFollower)
          .where(eq(chainFollower.chainId, chainId))
          .for('no key update')
        if (row?.token === mine.token) return work(tx, log)
        lose(mine.client)
        await mine.client.end().catch(() => {})
        throw lost(chainId)
      })
    },
    async release() {
      await held?.client.end().catch(() => {})
      held = null
    },
  }
}

function lost(chainId: number): CountersignError {
  return fail('DATABASE_UNAVAILABLE', { reason: 'lock-lost', chainId })
}
