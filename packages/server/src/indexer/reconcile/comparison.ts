import { and, eq, gt, inArray, isNull, lt, or, sql } from 'drizzle-orm'
import type { Address } from 'viem'
import { lowerCaseOf, toBytes } from '../../db/columns.ts'
import { safe } from '../../db/schema.ts'
import { isRefusal } from '../../rpc/errors.ts'
import { findHeaders } from '../write/apply.ts'
import { type Context, compareSafe, NotANumberError, type Row } from './compare.ts'
import { MAX_AT_ONCE, type Quantities, readQuantities } from './quantities.ts'

/** A Safe whose turn it is, its address in lower case. */
type Compared = Pick<Row, 'address' | 'comparedBlock' | 'comparedBalance' | 'comparedNonce'>

const compared = {
  address: lowerCaseOf(safe.address),
  comparedBlock: safe.comparedBlock,
  comparedBalance: safe.comparedBalance,
  comparedNonce: safe.comparedNonce,
}

/** Differing Safes looked into in one round, so many at once and for so long; the others have their turn in the next. */
const SAFES = 50
const SAFES_AT_ONCE = 10
const ROUND_MS = 4_000

/**
 * Compares what the history says with what the chain says, of some Safes each time it is asked, in turn: what it costs
 * does not grow with how many there are. Those that agree take one request altogether; what differs is explained.
 */
export function createComparison(parts: Omit<Context, 'hashes'>): (head: number) => Promise<void> {
  const { chain, db, lease, askAt } = parts
  const { chainId } = chain.settings
  /** Where the last round ended. All have their turn, also behind contracts that never let themselves be compared. */
  let last: Address | null = null

  return async function compare(head) {
    const rows = await findNext(head)
    if (rows.length === 0) return
    const hashes = await findHeaders(db, chainId)
    const context = { ...parts, hashes }
    const place = { blockNumber: head, blockHash: hashes.get(head) ?? null }
    const read = await readQuantities(
      (call) => askAt(place, (block) => chain.request({ method: 'eth_call', params: [call, block] })),
      rows.map(({ address }) => address),
    )
    const expected = await findExpected(rows, head)
    const settled = new Map<Address, Quantities>()
    const differing: Address[] = []
    for (const row of rows) {
      const [is, should] = [read.get(row.address), expected.get(row.address)]
      if (is && is.balance === should?.balance && is.nonce === should.nonce) settled.set(row.address, is)
      else if (differing.length < SAFES) differing.push(row.address)
    }
    const explain = async (row: Row) => {
      try {
        const explained = await compareSafe(context, row, head)
        if (explained) settled.set(row.address, explained)
      } catch (error) {
        // A contract that calls itself a Safe may answer anything, or nothing: that is no reason to leave out the
        // others.
        if (!isRefusal(error) && !(error instanceof NotANumberError)) throw error
      }
    }
    const open = await findRows(parts, differing)
    // A round ends in time: what is new, and a Safe that was just added, wait for it.
    const end = performance.now() + ROUND_MS
    while (open.length > 0 && performance.now() < end) await Promise.all(open.splice(0, SAFES_AT_ONCE).map(explain))
    await save(settled, head)
  }

  /** Those that are behind, from where the last round ended, and from the beginning again. */
  async function findNext(head: number): Promise<Compared[]> {
    const isBehind = and(eq(safe.chainId, chainId), or(isNull(safe.comparedBlock), lt(safe.comparedBlock, head)))
    // Where none is behind, an index says so. One condition of both, or of "less than", may be asked of each Safe.
    const { rows: found } = await db.execute<{ is_any: boolean }>(sql`
      select coalesce((select min(compared_block) from safe where chain_id = ${chainId}) < ${head}, false) or (
        select true from safe where chain_id = ${chainId} and compared_block is null order by compared_block limit 1
      ) is true as is_any`)
    if (!found[0]?.is_any) return []
    const rows = await db
      .select(compared)
      .from(safe)
      .where(
        and(
          isBehind,
          isNull(safe.backfillBlock),
          sql`cardinality(${safe.owners}) > 0`,
          last === null ? undefined : gt(safe.address, last),
        ),
      )
      .orderBy(safe.address)
      .limit(MAX_AT_ONCE)
    const wasInTheMiddle = last !== null
    last = rows.length < MAX_AT_ONCE ? null : (rows.at(-1)?.address ?? null)
    return rows.length === 0 && wasInTheMiddle ? findNext(head) : rows
  }

  /** Reads the quantities compared last, and the changes in the history since. Safes never compared are left out. */
  async function findExpected(rows: readonly Compared[], head: number): Promise<Map<Address, Quantities>> {
    const expected = new Map<Address, Quantities>()
    const before: Compared[] = []
    for (const row of rows) {
      const { address, comparedBlock, comparedBalance: balance, comparedNonce: nonce } = row
      if (comparedBlock === null || balance === null || nonce === null) continue
      before.push(row)
      expected.set(address, { balance, nonce })
    }
    const addresses = sql.param(before.map(({ address }) => toBytes(address)))
    const blocks = sql.param(before.map(({ comparedBlock }) => comparedBlock))
    const { rows: changes } = await db.execute<{ at: string; balance: string; nonce: string }>(sql`
      select compared.at::text, balance::text, nonce::text
      from unnest(${addresses}::bytea[], ${blocks}::bigint[]) with ordinality as compared (address, block, at),
        lateral (
          select
            coalesce(sum(case when kind in ('transfer-in', 'unexplained-in') then amount else -amount end)
              filter (where token_kind = 'native'), 0) as balance,
            coalesce(sum(case when kind = 'executed' then 1 else amount end)
              filter (where kind in ('executed', 'unexplained-nonce')), 0) as nonce
          from history_entry
          where chain_id = ${chainId} and safe_address = compared.address
            and block_number > compared.block and block_number <= ${head}
        ) as changed
      where balance <> 0 or nonce <> 0`)
    for (const { at, balance, nonce } of changes) {
      const row = before[Number(at) - 1]
      const last = row && expected.get(row.address)
      if (last)
        expected.set(row.address, { balance: last.balance + BigInt(balance), nonce: last.nonce + BigInt(nonce) })
    }
    return expected
  }

  async function save(settled: ReadonlyMap<Address, Quantities>, head: number): Promise<void> {
    if (settled.size === 0) return
    const addresses = sql.param([...settled.keys()].map(toBytes))
    const balances = sql.param([...settled.values()].map(({ balance }) => String(balance)))
    const nonces = sql.param([...settled.values()].map(({ nonce }) => String(nonce)))
    await lease.write((tx) =>
      tx.execute(sql`
        update safe set compared_block = ${head}, compared_balance = now.balance, compared_nonce = now.nonce
        from unnest(${addresses}::bytea[], ${balances}::numeric[], ${nonces}::numeric[]) as now (address, balance, nonce)
        where safe.chain_id = ${chainId} and safe.address = now.address`),
    )
  }
}

async function findRows({ db, chain }: Pick<Context, 'db' | 'chain'>, addresses: readonly Address[]): Promise<Row[]> {
  if (addresses.length === 0) return []
  return db
    .select()
    .from(safe)
    .where(and(eq(safe.chainId, chain.settings.chainId), inArray(safe.address, [...addresses])))
}
