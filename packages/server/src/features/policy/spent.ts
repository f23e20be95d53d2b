import {
  type AmountLimit,
  type AssetAmounts,
  amountOf,
  amountsByNonce,
  type SpentAmount,
  sumAmounts,
  UNTOLD_AMOUNT,
} from '@countersign/review'
import { isSameAddress, type SafeTx } from '@countersign/safe'
import { sql } from 'drizzle-orm'
import { type Address, getAddress, type Hex, zeroAddress } from 'viem'
import type { Executor } from '../../db/client.ts'
import { decodeAddress, toBytes } from '../../db/columns.ts'
import type { TokenLists } from '../../token-lists/keep-token-lists.ts'
import type { Place } from './queries.ts'

/** Proposals that are added up; beyond them the limit counts as reached. */
const MAX_QUEUED = 200
/** Bytes of calldata that are read for that. */
const MAX_QUEUED_BYTES = 1_048_576
/** How many nonces may be used before the history follows. */
const UNFOLLOWED_NONCES = 100

/** Where, when and by which lists amounts are counted: a number of a contract that no list has may name an item. */
type Counted = Place & { now: Date; tokenLists: Pick<TokenLists, 'at'> }

type Reader = Pick<Executor, 'execute'>

/**
 * Adds up, for each limit, what left the Safe within its period, and what proposals at other nonces would move, or have
 * just moved. Of rivals at one nonce the larger counts. A proposal counts once an owner has confirmed it: nobody else
 * fills a limit.
 *
 * @param besideNonce of the transaction that they are compared with; null: every nonce counts
 */
export async function spentAmounts(
  db: Reader,
  place: Counted,
  limits: readonly AmountLimit[],
  besideNonce: bigint | null,
): Promise<SpentAmount[]> {
  if (limits.length === 0) return []
  const queued = await queuedAmounts(db, place, besideNonce)
  return toSpent(await executedAmounts(db, place, limits), queued && sumAmounts([...queued.values()]))
}

/** Adds up beside each of several nonces, and reads once. By nonce. */
export async function spentBesideEach(
  db: Reader,
  place: Counted,
  limits: readonly AmountLimit[],
  nonces: readonly bigint[],
): Promise<ReadonlyMap<bigint, SpentAmount[]>> {
  if (limits.length === 0) return new Map()
  const queued = await queuedAmounts(db, place, null)
  const executed = await executedAmounts(db, place, limits)
  const beside = (nonce: bigint) =>
    queued && sumAmounts([...queued].flatMap(([other, amounts]) => (other === nonce ? [] : [amounts])))
  return new Map([...new Set(nonces)].map((nonce) => [nonce, toSpent(executed, beside(nonce))]))
}

type Executed = Omit<SpentAmount, 'queued'>

/** Reads the amounts of all limits in one statement, because proposing and confirming hold the lock of the limits. */
async function executedAmounts(
  db: Reader,
  { chainId, safeAddress, now }: Place & { now: Date },
  limits: readonly AmountLimit[],
): Promise<Executed[]> {
  const sums = limits.map(({ asset, period }) => {
    const since = new Date(now.getTime() - period * 1_000).toISOString()
    const isAsset = isSameAddress(asset, zeroAddress) ? sql`token is null` : sql`token = ${sql.param(toBytes(asset))}`
    return sql`(select coalesce(sum(amount), 0)::text from history_entry
      where chain_id = ${chainId} and safe_address = ${sql.param(toBytes(safeAddress))} and kind = 'transfer-out'
        and ${isAsset} and block_time >= ${since}::timestamptz and counterparty is distinct from safe_address)`
  })
  const { rows } = await db.execute<{ sums: string[] }>(sql`select array[${sql.join(sums, sql`, `)}] as sums`)
  return limits.map(({ asset, period }, index) => ({ asset, period, executed: BigInt(rows[0]?.sums[index] ?? 0) }))
}

function toSpent(executed: readonly Executed[], queued: AssetAmounts | null): SpentAmount[] {
  return executed.map((sum) => ({ ...sum, queued: queued ? amountOf(queued, sum.asset) : UNTOLD_AMOUNT }))
}

type Queued = {
  to: Hex
  value: string
  data: Hex
  operation: 0 | 1
  safe_tx_gas: string
  base_gas: string
  gas_price: string
  gas_token: Hex
  refund_receiver: Hex
  nonce: string
}

/**
 * Possible still, or perhaps executed in a block that the history has not reached: else a limit is free again in the time
 * between an execution and its entry. `s.block_number` is where the Safe was read with its nonce.
 */
const isStillCounted = sql`(t.nonce >= s.nonce or (t.nonce >= s.nonce - ${UNFOLLOWED_NONCES}
  and exists (select from chain_cursor f where f.chain_id = s.chain_id and f.block_number < s.block_number)
  and not exists (select from multisig_transaction e where e.chain_id = t.chain_id
    and e.safe_address = t.safe_address and e.nonce = t.nonce and e.is_executed)))`

/** @returns of each nonce, by asset; null when there are more than are added up */
async function queuedAmounts(
  db: Reader,
  { chainId, safeAddress, tokenLists }: Omit<Counted, 'now'>,
  besideNonce: bigint | null,
): Promise<ReadonlyMap<bigint, AssetAmounts> | null> {
  const place = sql`t.chain_id = ${chainId} and t.safe_address = ${sql.param(toBytes(safeAddress))}`
  const { rows } = await db.execute<
    Queued & { version: string | null; bytes: string }
  >(sql`select t.to, t.value::text, t.data, t.operation,
      t.safe_tx_gas::text, t.base_gas::text, t.gas_price::text, t.gas_token, t.refund_receiver, t.nonce::text, s.version,
      (sum(octet_length(t.data)) over ())::text as bytes
    from multisig_transaction t join safe s on s.chain_id = t.chain_id and s.address = t.safe_address
    where ${place} and not t.is_executed and ${isStillCounted} and t.nonce is distinct from ${besideNonce?.toString() ?? null}::numeric
      and exists (select from confirmation c where c.chain_id = t.chain_id and c.safe_tx_hash = t.safe_tx_hash
        and c.owner = any(s.owners))
    limit ${MAX_QUEUED + 1}`)
  if (rows.length > MAX_QUEUED || Number(rows[0]?.bytes ?? 0) > MAX_QUEUED_BYTES) return null
  return amountsByNonce(
    rows.map(toSafeTx),
    { safeAddress, version: rows[0]?.version ?? null },
    isListed(tokenLists, chainId),
  )
}

/** Tells tokens that the operator's lists have. No contract is asked here: any other number is not taken for an amount. */
export function isListed(tokenLists: Pick<TokenLists, 'at'>, chainId: number): (contract: Address) => boolean {
  return (contract) => tokenLists.at(chainId, getAddress(contract)) !== undefined
}

function toSafeTx(row: Queued): SafeTx {
  return {
    to: decodeAddress(row.to),
    value: BigInt(row.value),
    data: row.data,
    operation: row.operation,
    safeTxGas: BigInt(row.safe_tx_gas),
    baseGas: BigInt(row.base_gas),
    gasPrice: BigInt(row.gas_price),
    gasToken: decodeAddress(row.gas_token),
    refundReceiver: decodeAddress(row.refund_receiver),
    nonce: BigInt(row.nonce),
  }
}
