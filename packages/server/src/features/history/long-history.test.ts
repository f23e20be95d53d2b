import { call, listHistory } from '@countersign/contract'
import { demoAccounts } from '@countersign/devnet'
import { sql } from 'drizzle-orm'
import { getAddress, pad } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Executor } from '../../db/client.ts'
import { toBytes } from '../../db/columns.ts'
import { safe } from '../../db/schema.ts'
import { transaction } from '../../db/transaction.ts'
import { asAlice, openScene, server } from '../../test/scene.ts'
import { findHistory } from './queries.ts'

const [alice] = demoAccounts
const chainId = 31337
const safeAddress = pad('0x5afe', { size: 20 })
const rareToken = getAddress(pad('0xaa', { size: 20 }))
const rareAccount = getAddress(pad('0xbb', { size: 20 }))
const nobody = getAddress(pad('0xcc', { size: 20 }))
const STORED = 40_000
/** Rows and entries of indexes that a page of fifty may read, with what planning and the entries' transactions cost. */
const FEW = 400

openScene([alice])

/** A Safe with a long history: mostly executions, and of its transfers few of one token and of one account. */
beforeAll(async () => {
  await server.db.insert(safe).values({
    chainId,
    address: safeAddress,
    owners: [alice.address],
    threshold: 1,
    nonce: 0n,
    version: '1.4.1',
    domainVersion: '1.4.1',
    blockNumber: 1,
    addedAt: new Date(),
  })
  await server.db.execute(sql`
    insert into history_entry (chain_id, safe_address, block_number, log_index, part, kind, block_time, transaction_hash,
      token, token_kind, counterparty, amount)
    select ${chainId}, ${toBytes(safeAddress)}::bytea, n, 0, 0, case when n % 500 = 0 then 'transfer-in' else 'executed' end,
      timestamptz '2026-01-01' + n * interval '1 minute', sha256(('sent ' || n)::bytea),
      case when n % 500 = 0 then case when n < 5000 then ${toBytes(rareToken)}::bytea else decode(repeat('ee', 20), 'hex') end end,
      case when n % 500 = 0 then 'erc20' end,
      case when n % 500 = 0 then case when n < 5000 then ${toBytes(rareAccount)}::bytea else decode(repeat('dd', 20), 'hex') end
      end, n
    from generate_series(1, ${STORED}::int) as n`)
})

/** Reads a list, and how much of the history that took. */
function read(filter: Omit<Parameters<typeof findHistory>[1], 'chainId' | 'safeAddress'>) {
  return transaction(server.db, async (tx) => {
    const ctx = { db: tx, viewer: { address: alice.address }, clock: () => new Date() }
    const before = await countRead(tx)
    const { entries } = await findHistory(ctx as unknown as Parameters<typeof findHistory>[0], {
      chainId,
      safeAddress,
      ...filter,
    })
    return { count: entries.length, read: (await countRead(tx)) - before }
  })
}

async function countRead(db: Executor): Promise<number> {
  const { rows } = await db.execute<{ read: number }>(sql`
    select sum(pg_stat_get_xact_tuples_returned(oid))::int as read
    from (select indexrelid as oid from pg_index where indrelid = 'history_entry'::regclass
      union all select 'history_entry'::regclass) found`)
  return rows[0]?.read ?? 0
}

describe('a long history', () => {
  test('default: the newest page', async () => {
    const { entries } = await call(asAlice, listHistory, { chainId, safeAddress })
    expect(entries).toHaveLength(50)
    const found = await read({})
    expect(found.read).toBeLessThan(FEW)
  })

  test.each([
    ['of a token that hardly ever moved', { token: rareToken }, 9],
    ['of a token that never moved', { token: nobody }, 0],
    ['with an account that hardly ever was there', { counterparty: rareAccount }, 9],
    ['with an account that never was there', { counterparty: nobody }, 0],
    ['of the first hour', { until: '2026-01-01T01:00:00Z' }, 50],
    ['before all', { until: '2025-01-01T00:00:00Z' }, 0],
    ['after all', { since: '2036-01-01T00:00:00Z' }, 0],
  ])('behavior: a page %s reads little', async (_, filter, count) => {
    const found = await read(filter)
    expect(found.count).toBe(count)
    expect(found.read).toBeLessThan(FEW)
  })
})
