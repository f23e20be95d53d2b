import { demoAccounts } from '@countersign/devnet'
import { sql } from 'drizzle-orm'
import { type Address, getAddress, pad } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Executor } from '../../db/client.ts'
import { toBytes } from '../../db/columns.ts'
import { multisigTransaction, safe } from '../../db/schema.ts'
import { transaction } from '../../db/transaction.ts'
import { openScene, server } from '../../test/scene.ts'
import { MAX_COUNTED } from '../wire/page.ts'
import type { Call } from '../wire/service.ts'
import { findMultisigPage } from './multisig-page.ts'

const [alice, bob] = demoAccounts
const chainId = 31337
const safeAddress = pad('0x5afe', { size: 20 })
const common = getAddress(pad('0xc0', { size: 20 }))
const rare = getAddress(pad('0xaa', { size: 20 }))
const STORED = 60_000
const OPEN = 40

openScene([])

/** A Safe with much behind it, in a table that nobody has analysed. */
beforeAll(async () => {
  const place = sql`${chainId}, ${toBytes(safeAddress)}::bytea`
  const zero = sql`decode(repeat('00', 20), 'hex')`
  await server.db.insert(safe).values({
    chainId,
    address: safeAddress,
    owners: [alice.address],
    threshold: 1,
    nonce: BigInt(STORED),
    version: '1.4.1',
    domainVersion: '1.4.1',
    blockNumber: 1,
    addedAt: new Date(),
  })
  await server.db.execute(sql`insert into multisig_transaction (chain_id, safe_address, safe_tx_hash, "to", value, data,
      operation, safe_tx_gas, base_gas, gas_price, gas_token, refund_receiver, nonce, submission_date, is_executed,
      is_successful, transaction_hash, block_number, block_hash, log_index, execution_date, is_confirmed)
    select ${place}, sha256(('executed ' || n)::bytea),
      case when n % 2 = 0 then ${toBytes(common)}::bytea when n < 200 then ${toBytes(rare)}::bytea else ${zero} end,
      case when n % 2 = 0 then 0 else n end, ''::bytea, 0, 0, 0, 0, ${zero}, ${zero}, n - 1,
      timestamptz '2026-01-01' + n * interval '1 minute', true, n % 1000 <> 0, sha256(('sent ' || n)::bytea), n,
      sha256('block'), 0, timestamptz '2026-01-01' + n * interval '1 minute', n % 1000 <> 1
    from generate_series(1, ${STORED}::int) as n`)
  await server.db.execute(sql`insert into multisig_transaction (chain_id, safe_address, safe_tx_hash, "to", value, data,
      operation, safe_tx_gas, base_gas, gas_price, gas_token, refund_receiver, nonce, submission_date, is_trusted)
    select ${place}, sha256(('open ' || n)::bytea), ${zero}, n, ''::bytea, 0, 0, 0, 0, ${zero}, ${zero},
      ${STORED}::int + n / 2, timestamptz '2027-01-01' + n * interval '1 minute', n > 1
    from generate_series(1, ${OPEN}::int) as n`)
})

type Db = Call['deps']['db']

/** A page as it is found, and what was read for it. */
function find(
  query: string,
  {
    account = alice.address,
    limit = 20,
    offset = 0,
    isPublic = false,
  }: { account?: Address; limit?: number; offset?: number; isPublic?: boolean } = {},
) {
  return transaction(server.db, async (tx) => {
    // Parts of a call that finding a page needs.
    const call = {
      deps: { ...server, db: tx as unknown as Db, clock: () => new Date() },
      chainId,
      viewer: { address: account },
      isPublic,
      query: new URLSearchParams(query),
    } as unknown as Call
    const before = await countRead(tx)
    const { rows, count, uniqueNonces } = await findMultisigPage(call, safeAddress, { limit, offset })
    const read = (await countRead(tx)) - before
    return { hashes: rows.map(({ safeTxHash }) => safeTxHash), count, uniqueNonces, read }
  })
}

/** Rows of the table and entries of its indexes that this connection has read. */
async function countRead(db: Executor): Promise<number> {
  const { rows } = await db.execute<{ read: number }>(sql`
    select sum(pg_stat_get_xact_tuples_returned(oid))::int as read
    from (select indexrelid as oid from pg_index where indrelid = 'multisig_transaction'::regclass
      union all select 'multisig_transaction'::regclass) found`)
  return rows[0]?.read ?? 0
}

/** Finds the page by the plainest statement. */
async function expected(where: string, order: string, limit: number, offset: number) {
  const which = sql.raw(`chain_id = ${chainId} and (${where})`)
  const { rows } = await server.db.execute<{ hash: string; count: number }>(sql`
    select '0x' || encode(safe_tx_hash, 'hex') as hash from ${multisigTransaction} where ${which}
    order by ${sql.raw(order)} limit ${limit + 1} offset ${offset}`)
  const { rows: counted } = await server.db.execute<{ count: number }>(sql`
    select count(*)::int as count from ${multisigTransaction} where ${which}`)
  return { hashes: rows.map(({ hash }) => hash), count: Math.min(counted[0]?.count ?? 0, MAX_COUNTED) }
}

const byNonce = 'nonce desc, submission_date desc, safe_tx_hash'
const hex = (address: string) => `'\\x${address.slice(2)}'`
const filters: [query: string, where: string, order?: string][] = [
  ['', 'is_trusted'],
  ['trusted=false', 'true'],
  ['executed=true', 'is_executed'],
  ['executed=false', 'is_trusted and not is_executed'],
  ['executed=false&nonce__gte=60010', 'is_trusted and not is_executed and nonce >= 60010'],
  ['failed=true', 'not is_successful'],
  ['failed=false', 'is_successful'],
  ['has_confirmations=true', 'is_confirmed'],
  ['has_confirmations=false', 'is_trusted and not is_confirmed'],
  ['nonce=777', 'nonce = 777'],
  ['nonce__lt=300', 'nonce < 300'],
  ['nonce__gt=100&nonce__lte=50000', 'nonce > 100 and nonce <= 50000'],
  [`to=${common}`, `"to" = ${hex(common)}`],
  [`to=${rare}`, `"to" = ${hex(rare)}`],
  [`to=${bob.address}`, 'false'],
  ['value=0', 'value = 0'],
  ['value=777', 'value = 777'],
  ['value__gt=0', 'is_trusted and value > 0'],
  ['value__gt=59990', 'value > 59990'],
  ['value__gt=100000', 'false'],
  ['execution_date__gte=2026-01-02', "execution_date >= '2026-01-02Z'"],
  ['execution_date__lte=2026-01-02', "execution_date <= '2026-01-02Z'"],
  ['execution_date__lte=2026-01-30', "execution_date <= '2026-01-30Z'"],
  ['submission_date__lte=2026-01-02', "submission_date <= '2026-01-02Z'"],
  ['modified__gte=2026-02-10', "is_trusted and changed_date >= '2026-02-10Z'"],
  ['modified__gte=2026-01-03', "is_trusted and changed_date >= '2026-01-03Z'"],
  ['ordering=nonce', 'is_trusted', 'nonce, submission_date, safe_tx_hash desc'],
  ['ordering=created', 'is_trusted', 'submission_date, safe_tx_hash'],
  ['ordering=-created', 'is_trusted', 'submission_date desc, safe_tx_hash desc'],
  ['ordering=modified', 'is_trusted', 'changed_date, safe_tx_hash'],
  ['ordering=-modified', 'is_trusted', 'changed_date desc, safe_tx_hash desc'],
  [`to=${common}&failed=true&ordering=created`, `"to" = ${hex(common)} and not is_successful`, 'submission_date'],
  [`to=${common}&ordering=nonce`, `"to" = ${hex(common)}`, 'nonce'],
  [`to=${common}&value__gt=59000`, 'false'],
  [`to=${rare}&nonce__lt=50`, `"to" = ${hex(rare)} and nonce < 50`],
]

describe('findMultisigPage', () => {
  test.each(filters)('default: `%s` is what the plain statement finds', async (query, where, order = byNonce) => {
    for (const offset of [0, 15, 12_000]) {
      const { hashes, count, uniqueNonces } = await find(query, { offset })
      expect({ hashes, count }).toEqual(await expected(where, order, 20, offset))
      expect(uniqueNonces).toBe(MAX_COUNTED + (query === 'trusted=false' ? 21 : 20))
    }
  })

  test.each(filters)('behavior: `%s` reads a bounded number of rows, however many there are', async (query) => {
    expect((await find(query)).read).toBeLessThan(4 * MAX_COUNTED)
  })

  test('behavior: for others than the team an executed transaction is as old as its block', async () => {
    const asStranger = { account: bob.address, isPublic: true, limit: 5 }
    for (const name of ['created', 'modified'])
      expect(await find(`ordering=-${name}`, asStranger)).toMatchObject(
        await expected('is_executed', 'execution_date desc', 5, 0),
      )
    for (const name of ['submission_date', 'modified'])
      expect(await find(`${name}__lte=2026-01-02`, asStranger)).toMatchObject(
        await expected("is_executed and execution_date <= '2026-01-02Z'", byNonce, 5, 0),
      )
    expect(await find('executed=false', asStranger)).toMatchObject({ hashes: [], count: 0 })
    expect(await find('', { account: bob.address })).toMatchObject({ hashes: [], count: 0, uniqueNonces: 0 })
  })
})
