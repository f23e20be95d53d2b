import { fail } from '@countersign/contract'
import { isCancellation, type SafeState, type SafeTx } from '@countersign/safe-core'
import { type SQL, sql } from 'drizzle-orm'
import { type Address, type Hex, size } from 'viem'
import type { Executor } from '../../db/client.ts'
import { toBytes } from '../../db/columns.ts'
import { oneAtATime } from '../../db/one-at-a-time.ts'
import { safe } from '../../db/schema.ts'
import { isHashOutdated } from '../../safes/hash-form.ts'

/** Open proposals that an account may have brought to one Safe, and the bytes of their calldata. */
const OF_ACCOUNT = { most: 200, mostBytes: 2 * 1024 * 1024 }
/** The same of all together who are no owners, and of what has no signature, which is of nobody proven. */
const OF_OTHERS = { most: 400, mostBytes: 4 * 1024 * 1024 }
/** What an account may have brought to all Safes and is not executed, possible still or not. */
const BYTES_IN_ALL = 32 * 1024 * 1024
/** A proposal takes room besides its calldata. */
const BYTES_OF_ROW = 1_024

export type Brought = {
  chainId: number
  safeAddress: Address
  safeTx: SafeTx
  safeTxHash: Hex
  /** Who brings it. */
  account: Address
  isSigned: boolean
}

type Counted = { count: number; bytes: number }
type Bound = { most: number; mostBytes: number }

/**
 * Makes sure that there is room for one more proposal. Each owner has room of their own; all who are no owners share some;
 * so does what is not signed. Whoever fills theirs takes none of an owner's. Holds a lock until the transaction ends:
 * proposals that come together are counted one after the other.
 *
 * @throws CountersignError `TOO_MANY_PROPOSALS`
 */
export async function requireRoom(tx: Executor, brought: Brought, state: SafeState): Promise<void> {
  const { chainId, safeAddress, safeTx, account, isSigned } = brought
  await oneAtATime(tx, `proposals ${account}`)
  if (await needsNoRoom(tx, brought, state)) return
  const bytes = size(safeTx.data)
  const isBrought = sql`t.kept_by = ${param(account)}`

  const all = await count(tx, sql`${isBrought} and not t.is_executed`)
  if (all.bytes + all.count * BYTES_OF_ROW + bytes + BYTES_OF_ROW > BYTES_IN_ALL)
    throw fail('TOO_MANY_PROPOSALS', { reason: 'everywhere', account, limit: BYTES_IN_ALL })

  const isOpen = sql`t.chain_id = ${chainId} and t.safe_address = ${param(safeAddress)} and not t.is_executed
    and t.nonce >= ${state.nonce.toString()}::numeric and not ${isHashOutdated(sql`t.domain_version`)}`
  // What is not signed may be signed later: then it counts with the others of the account.
  const own = await count(tx, sql`${isOpen} and ${isBrought} and ${isSigned ? sql`t.is_trusted` : sql`true`}`)
  check(own, bytes, OF_ACCOUNT, 'account', brought)
  if (isSigned && state.owners.includes(account)) return

  await oneAtATime(tx, `proposals of others ${chainId} ${safeAddress}`)
  const owners = sql.param(state.owners.map(toBytes))
  const isOfOthers = isSigned ? sql`t.is_trusted and t.kept_by <> all(${owners}::bytea[])` : sql`not t.is_trusted`
  check(await count(tx, sql`${isOpen} and ${isOfOthers}`), bytes, OF_OTHERS, isSigned ? 'others' : 'unsigned', brought)
}

/**
 * Whether it is here already, or is a cancellation for which there is always room: an empty call of the Safe itself by an
 * owner, one for each nonce, of what others proposed or of what comes next.
 */
async function needsNoRoom(
  tx: Executor,
  { chainId, safeAddress, safeTx, safeTxHash, account, isSigned }: Brought,
  { owners, nonce }: SafeState,
): Promise<boolean> {
  const isIt = sql`safe_tx_hash = ${param(safeTxHash)}`
  const { rows } = await tx.execute<{ is_here: boolean; is_contested: boolean; has_cancelled: boolean }>(sql`
    select coalesce(bool_or(${isIt} and (is_trusted or not ${isSigned})), false) as is_here,
      coalesce(bool_or(not ${isIt} and kept_by is distinct from ${param(account)}), false) as is_contested,
      coalesce(bool_or(not ${isIt} and kept_by = ${param(account)} and "to" = safe_address and value = 0
        and data = ''::bytea and operation = 0), false) as has_cancelled
    from multisig_transaction
    where chain_id = ${chainId} and safe_address = ${param(safeAddress)} and not is_executed
      and nonce = ${safeTx.nonce.toString()}::numeric`)
  const [found] = rows
  if (!found || found.is_here) return found?.is_here ?? false
  if (!isCancellation(safeTx, safeAddress) || !isSigned || !owners.includes(account)) return false
  return !found.has_cancelled && (found.is_contested || safeTx.nonce === nonce)
}

function check(
  { count, bytes: present }: Counted,
  bytes: number,
  { most, mostBytes }: Bound,
  whose: 'account' | 'others' | 'unsigned',
  { chainId, safeAddress, account }: Brought,
): void {
  const place = { chainId, safeAddress, account }
  if (count >= most) throw fail('TOO_MANY_PROPOSALS', { reason: whose, ...place, limit: most })
  if (present + bytes > mostBytes)
    throw fail('TOO_MANY_PROPOSALS', {
      reason: `${whose}-bytes` as const,
      ...place,
      limit: mostBytes,
      bytes: present,
      added: bytes,
    })
}

/** How long what is stored is can be told without reading it. */
async function count(tx: Executor, which: SQL): Promise<Counted> {
  const { rows } = await tx.execute<Counted>(sql`
    select count(*)::int as count, coalesce(sum(octet_length(t.data)), 0)::float8 as bytes
    from multisig_transaction t
    join ${safe} on ${safe.chainId} = t.chain_id and ${safe.address} = t.safe_address where ${which}`)
  return rows[0] ?? { count: 0, bytes: 0 }
}

function param(hex: Hex): SQL {
  return sql`${sql.param(toBytes(hex))}::bytea`
}
