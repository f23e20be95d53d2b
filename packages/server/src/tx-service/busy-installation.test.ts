import { demoAccounts } from '@countersign/devnet'
import { sql } from 'drizzle-orm'
import { type Address, pad } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import type { SignedInCtx } from '../context.ts'
import type { Executor } from '../db/client.ts'
import { toBytes } from '../db/columns.ts'
import { safe } from '../db/schema.ts'
import { transaction } from '../db/transaction.ts'
import { findActivity } from '../features/activity/queries.ts'
import { findMessages } from '../features/messages/queries.ts'
import { appending, newLog } from '../outbox/append.ts'
import { openScene, server } from '../test/scene.ts'
import { exportRoutes } from './lists/export.ts'
import { messageRoutes } from './lists/messages.ts'
import { moduleTransactionRoutes } from './lists/module-transactions.ts'
import { transferRoutes } from './lists/transfers.ts'
import type { Call, TxService } from './wire/service.ts'

const [alice] = demoAccounts
const chainId = 31337
const quiet = pad('0x01', { size: 20 })
const busy = pad('0x02', { size: 20 })
const STORED = 30_000
const OF_QUIET = 30
/** A list of a few dozen may read so many rows and entries of indexes: planning and their fields cost some as well. */
const FEW = 1_500

openScene([])

/** A Safe of which little is stored, in tables that are full of another one, before and behind it. */
beforeAll(async () => {
  for (const address of [quiet, busy])
    await server.db.insert(safe).values({
      chainId,
      address,
      owners: [alice.address],
      threshold: 1,
      nonce: 0n,
      version: '1.4.1',
      domainVersion: '1.4.1',
      blockNumber: 1,
      addedAt: new Date(),
    })
  await server.db.execute(sql`set session_replication_role = replica`)
  const place = sql`${chainId}::bigint, case when n between ${STORED / 3}::int and ${STORED / 3 + OF_QUIET - 1}::int
    then ${toBytes(quiet)}::bytea else ${toBytes(busy)}::bytea end`
  const numbers = sql`generate_series(1, ${STORED}::int) as n`
  const owner = sql`${toBytes(alice.address)}::bytea`
  const time = sql`timestamptz '2026-01-01' + n * interval '1 minute'`
  await server.db.execute(sql`insert into activity (at, account, verb, chain_id, safe_address)
    select ${time}, ${owner}, 'noted', ${place} from ${numbers}`)
  await server.db.execute(sql`insert into safe_message (chain_id, safe_address, message_hash, content, proposer,
      submission_date, modified_date)
    select ${place}, sha256(n::text::bytea), '"hello"', ${owner}, ${time}, ${time} from ${numbers}`)
  await server.db.execute(sql`insert into history_entry (chain_id, safe_address, block_number, log_index, part, kind,
      block_time, transaction_hash, token_kind, counterparty, amount)
    select ${place}, n, 0, 0, case when n % 3 = 0 then 'transfer-in' else 'transfer-out' end, ${time},
      sha256(n::text::bytea), 'native', ${owner}, n from ${numbers}`)
  await server.db.execute(sql`insert into history_entry (chain_id, safe_address, block_number, log_index, part, kind,
      block_time, transaction_hash, is_successful, subject, counterparty, amount, data, operation)
    select ${place}, n, 1, 0, 'module-executed', ${time}, sha256(n::text::bytea), true, ${owner}, ${owner}, 0, ''::bytea, 0
    from ${numbers}`)
  await server.db.execute(sql`set session_replication_role = origin`)
  await server.db.execute(sql`analyze`)
})

async function countRead(db: Executor): Promise<number> {
  const { rows } = await db.execute<{ read: number }>(sql`
    select sum(pg_stat_get_xact_tuples_returned(found.oid))::int as read from (
      select oid from pg_class where relname in ('activity', 'safe_message', 'history_entry')
      union all select indexrelid from pg_index
        where indrelid in ('activity'::regclass, 'safe_message'::regclass, 'history_entry'::regclass)) found`)
  return rows[0]?.read ?? 0
}

/** Counts what is read of these tables while something is asked for. */
function reading<result>(ask: (tx: Executor) => Promise<result>): Promise<{ result: result; read: number }> {
  return transaction(server.db, async (tx) => {
    const before = await countRead(tx)
    const result = await ask(tx)
    return { result, read: (await countRead(tx)) - before }
  })
}

type Answer = { count: number; results: unknown[] }
const routes = new Map<string, (call: Call) => Promise<unknown>>()
const service = {
  read: (_: string, path: string, answer: (call: Call) => Promise<unknown>) => void routes.set(path, answer),
} as unknown as TxService
for (const mount of [transferRoutes, exportRoutes, messageRoutes, moduleTransactionRoutes]) mount(service)

/** A list of the wire, as it is answered. */
async function listOf(tx: Executor, safeAddress: Address, path: string, query: string): Promise<Answer> {
  // A call as far as lists need one.
  const call = {
    deps: { ...server, db: tx, clock: () => new Date(), publicUrl: new URL('http://localhost') },
    chainId,
    viewer: { address: alice.address },
    isPublic: true,
    query: new URLSearchParams(query),
    params: () => safeAddress,
    c: { req: { path: '/' } },
    chain: { settings: { chainId } },
  } as unknown as Call
  return (await routes.get(`/v1/safes/{safe}/${path}`)?.(call)) as Answer
}

describe('a quiet Safe of a busy installation', () => {
  test.each([
    ['transfers', '', OF_QUIET],
    ['incoming-transfers', '', OF_QUIET / 3],
    ['incoming-transfers', 'ether=true', OF_QUIET / 3],
    ['transfers', `_from=${quiet}`, (2 * OF_QUIET) / 3],
    ['module-transactions', '', OF_QUIET],
    ['export', 'limit=100', OF_QUIET],
    ['messages', '', OF_QUIET],
    ['messages', 'ordering=created', OF_QUIET],
    ['messages', 'ordering=-modified', OF_QUIET],
  ])('behavior: %s %s reads little', async (path, query, count) => {
    const { result, read } = await reading((tx) => listOf(tx, quiet, path, query))
    expect([result.count, result.results.length]).toEqual([count, count])
    expect(read).toBeLessThan(FEW)
  })

  test('behavior: its own messages and activity read little', async () => {
    const ctx = (tx: Executor) =>
      ({ db: tx, viewer: { address: alice.address }, clock: () => new Date() }) as unknown as SignedInCtx
    const place = { chainId, safeAddress: quiet, limit: 50 }
    const messages = await reading((tx) => findMessages(ctx(tx), place))
    expect(messages.result.messages).toHaveLength(OF_QUIET)
    expect(messages.read).toBeLessThan(FEW)
    const activity = await reading((tx) => findActivity(ctx(tx), place))
    expect(activity.result.entries).toHaveLength(OF_QUIET)
    expect(activity.read).toBeLessThan(FEW)
  })

  test('behavior: an entry of its log is chained to the one before it without reading those of others', async () => {
    const said = newLog(new Date())
    said.log.add({ verb: 'noted', account: alice.address, chainId, safeAddress: quiet })
    const { read } = await reading(async (tx) => {
      const statement = appending(said)
      if (statement) await tx.$client.query(statement)
    })
    expect(read).toBeLessThan(20)
  })
})

describe('a busy Safe', () => {
  test.each([
    ['transfers', ''],
    ['incoming-transfers', ''],
    ['module-transactions', ''],
    ['export', ''],
    ['messages', 'ordering=-modified'],
  ])('behavior: %s %s is counted up to a bound', async (path, query) => {
    const { result, read } = await reading((tx) => listOf(tx, busy, path, query))
    expect(result.count).toBeGreaterThanOrEqual(9_900)
    expect(read).toBeLessThan(STORED)
  })
})
