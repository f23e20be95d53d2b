import { fail, writeWire } from '@countersign/contract'
import type { DeclaredEffects } from '@countersign/review'
import { isCancellation, type SafeState, type SafeTx } from '@countersign/safe'
import { type SQL, sql } from 'drizzle-orm'
import { type Address, type Hex, size } from 'viem'
import type { Executor } from '../../db/client.ts'
import { toBytes } from '../../db/columns.ts'
import { inOrder } from '../../db/in-order.ts'
import { lockUntilCommit } from '../../db/lock-until-commit.ts'
import { plannedStatement } from '../../db/planned-statement.ts'
import { safe } from '../../db/schema.ts'
import { isHashOutdated } from '../../safes/hash-form.ts'

/** Open proposals that an account may have brought to one Safe, and the bytes of their calldata. */
const OF_ACCOUNT = { most: 200, mostBytes: 2 * 1024 * 1024 }
/**
 * Shared room of all accounts that are no owners, and of transactions without a signature, whose author nobody has
 * proven.
 */
const OF_OTHERS = { most: 400, mostBytes: 4 * 1024 * 1024 }
/** Bytes that an account may have brought to all Safes and that are not executed, executable still or not. */
const BYTES_IN_ALL = 32 * 1024 * 1024
/** A proposal takes room besides its calldata. */
const BYTES_OF_ROW = 1_024

export type Brought = {
  chainId: number
  safeAddress: Address
  safeTx: SafeTx
  safeTxHash: Hex
  /** Account that brings it. */
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
  const isOwners = isSigned && state.owners.includes(account)
  // PostgreSQL runs them one after the other, so the last one counts what others brought until now.
  const [, , counts] = await inOrder(
    lockUntilCommit(tx, `proposals ${account}`),
    isOwners ? Promise.resolve() : lockUntilCommit(tx, `proposals of others ${chainId} ${safeAddress}`),
    count(tx, brought, { ...state, isOwners }),
  )
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
  /** Room that the account uses in all Safes and in this one, and the room used by those who share theirs. */
  all: Counted
  own: Counted
  others: Counted
  isHere: boolean
  /** Whether somebody else proposed with the nonce, and whether the account cancelled it already. */
  isContested: boolean
  hasCancelled: boolean
}

/** All of it in one statement. How long what is stored is can be told without reading it. */
async function count(
  tx: Executor,
  { chainId, safeAddress, safeTx, safeTxHash, account, isSigned }: Brought,
  { owners, nonce, isOwners }: Pick<SafeState, 'owners' | 'nonce'> & { isOwners: boolean },
): Promise<Counts> {
  const statement = !isSigned ? countUnsigned : isOwners ? countOfOwner : countOfOther
  const [row] = await statement(tx, {
    chainId,
    safeAddress: toBytes(safeAddress),
    safeTxHash: toBytes(safeTxHash),
    account: toBytes(account),
    owners: owners.map(toBytes),
    safeNonce: nonce.toString(),
    nonce: safeTx.nonce.toString(),
  })
  if (!row) throw new Error('An aggregate has one row')
  return row
}

const chain = sql`${sql.placeholder('chainId')}::bigint`
const place = sql`t.chain_id = ${chain} and t.safe_address = ${sql.placeholder('safeAddress')}::bytea and not t.is_executed`
const isBrought = sql`t.kept_by = ${sql.placeholder('account')}::bytea`
const isSameHash = sql`t.safe_tx_hash = ${sql.placeholder('safeTxHash')}::bytea`

/** @param isOfOthers what shares room with it; null: nothing does */
function counting(name: string, isSigned: boolean, isOfOthers: SQL | null) {
  const isOpen = sql`${place} and t.nonce >= ${sql.placeholder('safeNonce')}::numeric
    and not ${isHashOutdated(sql`t.domain_version`)}`
  const counted = (which: SQL) => sql`(
    select json_build_object('count', count(*), 'bytes', coalesce(sum(
      octet_length(t.data) + coalesce(octet_length(t.declared_effects), 0)), 0))
    from multisig_transaction t
    join ${safe} on ${safe.chainId} = t.chain_id and ${safe.address} = t.safe_address where ${which})`
  return plannedStatement<Counts>(
    name,
    sql`select ${counted(sql`${isBrought} and not t.is_executed`)} as "all",
      -- What is not signed may be signed later: then it counts with the others of the account.
      ${counted(sql`${isOpen} and ${isBrought} and ${isSigned ? sql`t.is_trusted` : sql`true`}`)} as own,
      ${isOfOthers ? counted(sql`${isOpen} and ${isOfOthers}`) : sql`null`} as others,
      coalesce(bool_or(${isSameHash} and ${isSigned ? sql`t.is_trusted` : sql`true`}), false) as "isHere",
      coalesce(bool_or(not ${isSameHash} and t.kept_by is distinct from ${sql.placeholder('account')}::bytea), false)
        as "isContested",
      coalesce(bool_or(not ${isSameHash} and ${isBrought} and t."to" = t.safe_address and t.value = 0
        and t.data = ''::bytea and t.operation = 0), false) as "hasCancelled"
    from multisig_transaction t where ${place} and t.nonce = ${sql.placeholder('nonce')}::numeric`,
  )
}

const countOfOwner = counting('count-of-owner', true, null)
const countOfOther = counting(
  'count-of-other',
  true,
  sql`t.is_trusted and t.kept_by <> all(${sql.placeholder('owners')}::bytea[])`,
)
const countUnsigned = counting('count-unsigned', false, sql`not t.is_trusted`)

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
