import { call, listHistory, MAX_PAYEES } from '@countersign/contract'
import { demoAccounts } from '@countersign/devnet'
import { sql } from 'drizzle-orm'
import { type Address, getAddress, numberToHex, pad } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Executor } from '../../db/client.ts'
import { toBytes } from '../../db/columns.ts'
import { safe } from '../../db/schema.ts'
import { transaction } from '../../db/transaction.ts'
import { asAlice, openScene, server } from '../../test/scene.ts'
import { findPaid, findPayments } from './payments.ts'
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

async function addSafe(address: Address): Promise<void> {
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
}

/** A Safe with a long history: mostly executions, and of its transfers few of one token and of one account. */
beforeAll(async () => {
  await addSafe(safeAddress)
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
    const before = await countRead(tx, ['history_entry'])
    const { entries } = await findHistory(ctx as unknown as Parameters<typeof findHistory>[0], {
      chainId,
      safeAddress,
      ...filter,
    })
    return { count: entries.length, read: (await countRead(tx, ['history_entry'])) - before }
  })
}

/** Counts the rows and entries of indexes that a transaction has read of some tables. */
async function countRead(db: Executor, tables: readonly string[]): Promise<number> {
  const { rows } = await db.execute<{ read: number }>(sql`
    with tables as (select unnest(${sql.param(tables)}::regclass[])::oid as oid)
    select sum(pg_stat_get_xact_tuples_returned(oid))::int as read
    from (select oid from tables union all select indexrelid from pg_index join tables on indrelid = oid) found`)
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

describe('many payments', () => {
  const PAYEES = 20
  const accountAt = (index: number): Address => getAddress(numberToHex(2n ** 150n + BigInt(index), { size: 20 }))

  /** Stores a Safe that has paid each of some accounts that often. */
  async function storePayments(address: Address, times: number): Promise<void> {
    await addSafe(address)
    await server.db.execute(sql`
      with paid as (
        insert into multisig_transaction (chain_id, safe_tx_hash, safe_address, submission_date, nonce, is_executed,
          is_successful, has_payments)
        select ${chainId}, sha256(${toBytes(address)}::bytea || int4send(n)), ${toBytes(address)}::bytea, now(), n, true, true, true
        from generate_series(1, ${times * PAYEES}::int) as n
        returning chain_id, safe_address, safe_tx_hash, nonce)
      insert into payment (chain_id, safe_address, payee, safe_tx_hash, nonce)
      select chain_id, safe_address, (${sql.param(Array.from({ length: PAYEES }, (_, at) => toBytes(accountAt(at))))}::bytea[])[
        1 + mod(nonce, ${PAYEES})::int], safe_tx_hash, nonce from paid`)
  }

  function readPaid(address: Address) {
    return transaction(server.db, async (tx) => {
      const tables = ['payment', 'multisig_transaction']
      const before = await countRead(tx, tables)
      const { paid } = await findPaid(tx, { chainId, safeAddress: address })
      return { paid, read: (await countRead(tx, tables)) - before }
    })
  }

  test('behavior: to the same accounts are not read one by one', async () => {
    const [seldom, often] = [pad('0x5afe01', { size: 20 }), pad('0x5afe02', { size: 20 })]
    await storePayments(seldom, 1)
    await storePayments(often, 200)
    await server.db.execute(sql`analyze payment, multisig_transaction`)
    const [few, many] = [await readPaid(seldom), await readPaid(often)]
    expect(many.paid).toEqual(Array.from({ length: PAYEES }, (_, at) => accountAt(at)))
    expect(few.paid).toEqual(many.paid)
    expect(Math.max(few.read, many.read)).toBeLessThan(4 * PAYEES)
  })

  test('behavior: the newest payment to an account is found without reading the others', async () => {
    const [seldom, often] = [pad('0x5afe04', { size: 20 }), pad('0x5afe05', { size: 20 })]
    await storePayments(seldom, 1)
    await storePayments(often, 400)
    await server.db.execute(sql`
      update multisig_transaction set signatures = '\\x00', transaction_hash = safe_tx_hash, "to" = safe_address, value = 0,
        data = '\\x', operation = 0, safe_tx_gas = 0, base_gas = 0, gas_price = 0, gas_token = safe_address,
        refund_receiver = safe_address
      where safe_address in (${toBytes(seldom)}::bytea, ${toBytes(often)}::bytea)`)
    await server.db.execute(sql`vacuum analyze payment, multisig_transaction`)
    const readNewest = (address: Address) =>
      transaction(server.db, async (tx) => {
        const tables = ['payment', 'multisig_transaction']
        const before = await countRead(tx, tables)
        const { executions } = await findPayments(tx, { chainId, safeAddress: address, payees: [accountAt(0)] })
        return { nonces: executions.map(({ safeTx }) => safeTx.nonce), read: (await countRead(tx, tables)) - before }
      })
    expect((await readNewest(seldom)).nonces).toEqual([BigInt(PAYEES)])
    const many = await readNewest(often)
    expect(many.nonces).toEqual([BigInt(400 * PAYEES)])
    expect(many.read).toBeLessThan(20)
  })

  test('behavior: isPaidWhole is false if a Safe has more payees than the list', async () => {
    const address = pad('0x5afe06', { size: 20 })
    await addSafe(address)
    for (const [first, count, isWhole] of [
      [0, MAX_PAYEES, true],
      [MAX_PAYEES, 1, false],
    ] as const) {
      await server.db.execute(sql`
        with paid as (
          insert into multisig_transaction (chain_id, safe_tx_hash, safe_address, submission_date, nonce, is_executed,
            is_successful, has_payments)
          select ${chainId}, sha256(${toBytes(address)}::bytea || int4send(n)), ${toBytes(address)}::bytea, now(), n, true, true, true
          from generate_series(${first}::int, ${first + count - 1}::int) as n
          returning chain_id, safe_address, safe_tx_hash, nonce)
        insert into payment (chain_id, safe_address, payee, safe_tx_hash, nonce)
        select chain_id, safe_address, substring(sha256(int4send(nonce::int)) for 20), safe_tx_hash, nonce from paid`)
      const found = await findPaid(server.db, { chainId, safeAddress: address })
      expect([found.paid.length, found.isPaidWhole]).toEqual([MAX_PAYEES, isWhole])
    }
  })

  test('behavior: by transactions that failed, or are no longer executed, count for none', async () => {
    const address = pad('0x5afe03', { size: 20 })
    await storePayments(address, 2)
    await server.db.execute(sql`
      update multisig_transaction set is_successful = false where safe_address = ${toBytes(address)}::bytea and nonce in (1, 2)`)
    await server.db.execute(sql`
      update multisig_transaction set is_executed = false, is_successful = null
      where safe_address = ${toBytes(address)}::bytea and nonce in (${2 + PAYEES}, 3, ${3 + PAYEES})`)
    const { paid } = await readPaid(address)
    expect(paid).toEqual([0, 1, ...Array.from({ length: PAYEES - 4 }, (_, at) => at + 4)].map(accountAt))
  })
})
