import { fail, writeWire } from '@countersign/contract'
import { type DeclaredEffects, isCancellation, type SafeState, type SafeTx } from '@countersign/safe-core'
import { type SQL, sql } from 'drizzle-orm'
import { type Address, type Hex, size } from 'viem'
import type { Executor } from '../../db/client.ts'
import { toBytes } from '../../db/columns.ts'
import { lockUntilCommit } from '../../db/lock-until-commit.ts'
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
  declaredEffects?: DeclaredEffects | null
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
  const { chainId, safeAddress, safeTx, account, isSigned, declaredEffects } = brought
  await lockUntilCommit(tx, `proposals ${account}`)
  const isOwners = isSigned && state.owners.includes(account)
  if (!isOwners) await lockUntilCommit(tx, `proposals of others ${chainId} ${safeAddress}`)
  const counts = await count(tx, brought, state)
  if (needsNoRoom(counts, brought, state)) return
  const bytes = size(safeTx.data) + (declaredEffects ? writeWire(declaredEffects).length : 0)
  const { all, own, others } = counts
  if (all.bytes + all.count * BYTES_OF_ROW + bytes + BYTES_OF_ROW > BYTES_IN_ALL)
    throw fail('TOO_MANY_PROPOSALS', { reason: 'everywhere', account, limit: BYTES_IN_ALL })
  check(own, bytes, OF_ACCOUNT, 'account', brought)
  if (isOwners) return
  check(others, bytes, OF_OTHERS, isSigned ? 'others' : 'unsigned', brought)
}

type Counts = {
  /** What the account has brought to all Safes, and to this one; what those have who share room. */
  all: Counted
  own: Counted
  others: Counted
  isHere: boolean
  /** Whether somebody else proposed with the nonce, and whether the account cancelled it already. */
  isContested: boolean
  hasCancelled: boolean
}

/** All of it in one statement. How long what is stored is can be told without reading it. */
async function count(tx: Executor, brought: Brought, { owners, nonce }: SafeState): Promise<Counts> {
  const { chainId, safeAddress, safeTx, safeTxHash, account, isSigned } = brought
  const isSafe = sql`t.chain_id = ${chainId} and t.safe_address = ${param(safeAddress)} and not t.is_executed`
  const isOpen = sql`${isSafe} and t.nonce >= ${nonce.toString()}::numeric and not ${isHashOutdated(sql`t.domain_version`)}`
  const isBrought = sql`t.kept_by = ${param(account)}`
  const ownersNow = sql.param(owners.map(toBytes))
  const isOfOthers = isSigned ? sql`t.is_trusted and t.kept_by <> all(${ownersNow}::bytea[])` : sql`not t.is_trusted`
  const counted = (which: SQL) => sql`(
    select json_build_object('count', count(*), 'bytes', coalesce(sum(
      octet_length(t.data) + coalesce(octet_length(t.declared_effects), 0)), 0))
    from multisig_transaction t
    join ${safe} on ${safe.chainId} = t.chain_id and ${safe.address} = t.safe_address where ${which})`
  const isSameHash = sql`t.safe_tx_hash = ${param(safeTxHash)}`
  const { rows } = await tx.execute<Counts>(sql`
    select ${counted(sql`${isBrought} and not t.is_executed`)} as "all",
      -- What is not signed may be signed later: then it counts with the others of the account.
      ${counted(sql`${isOpen} and ${isBrought} and ${isSigned ? sql`t.is_trusted` : sql`true`}`)} as own,
      ${isSigned && owners.includes(account) ? sql`null` : counted(sql`${isOpen} and ${isOfOthers}`)} as others,
      coalesce(bool_or(${isSameHash} and (is_trusted or not ${isSigned})), false) as "isHere",
      coalesce(bool_or(not ${isSameHash} and kept_by is distinct from ${param(account)}), false) as "isContested",
      coalesce(bool_or(not ${isSameHash} and ${isBrought} and "to" = safe_address and value = 0
        and data = ''::bytea and operation = 0), false) as "hasCancelled"
    from multisig_transaction t where ${isSafe} and t.nonce = ${safeTx.nonce.toString()}::numeric`)
  const [row] = rows
  if (!row) throw new Error('An aggregate has one row')
  return row
}

/**
 * Whether it is here already, or is a cancellation for which there is always room: an empty call of the Safe itself by an
 * owner, one for each nonce, of what others proposed or of what comes next.
 */
function needsNoRoom(
  { isHere, isContested, hasCancelled }: Counts,
  { safeAddress, safeTx, account, isSigned }: Brought,
  { owners, nonce }: SafeState,
): boolean {
  if (isHere) return true
  if (!isCancellation(safeTx, safeAddress) || !isSigned || !owners.includes(account)) return false
  return !hasCancelled && (isContested || safeTx.nonce === nonce)
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

function param(hex: Hex): SQL {
  return sql`${sql.param(toBytes(hex))}::bytea`
}
