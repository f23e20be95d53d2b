import type { Address } from 'viem'
import { isSameAddress } from './same-address.ts'

/** Fields of a transaction that the queue needs. Other fields pass through unchanged. */
export type QueuedTransaction = {
  nonce: bigint
  isExecuted: boolean
  /** Those whose signatures were verified. */
  confirmations: readonly { owner: Address }[]
}

/** Proposals that share a nonce: only one of them can ever be executed. */
export type NonceGroup<transaction> = {
  nonce: bigint
  /** More than one: they exclude each other. */
  transactions: readonly transaction[]
  /** Nonce to be executed first, or null when this one is next. `isProposed` says whether anybody proposed it. */
  waitsFor: { nonce: bigint; isProposed: boolean } | null
}

/** How far a hole in the nonces is looked for. */
const NONCES_LOOKED_AT = 1_000n

/**
 * Groups proposals by nonce, lowest first, with what blocks what. What the Safe has used up already is left out, and so
 * is what was executed.
 *
 * @param safeNonce - the nonce of the Safe on the chain; null when it is not known, and then nothing is left out, and
 * nothing is said to wait.
 *
 * @example
 * groupQueue([{ nonce: 5n, isExecuted: false, confirmations: [] }], 4n)[0]?.waitsFor // { nonce: 4n, isProposed: false }
 */
export function groupQueue<transaction extends QueuedTransaction>(
  transactions: readonly transaction[],
  safeNonce: bigint | null,
): NonceGroup<transaction>[] {
  const groups = new Map<bigint, transaction[]>()
  for (const transaction of transactions) {
    if (transaction.isExecuted || (safeNonce !== null && transaction.nonce < safeNonce)) continue
    const group = groups.get(transaction.nonce)
    if (group) group.push(transaction)
    else groups.set(transaction.nonce, [transaction])
  }
  const hole = safeNonce === null ? null : firstHole(groups, safeNonce)
  return [...groups]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([nonce, members]) => ({ nonce, transactions: members, waitsFor: blockerOf(nonce, hole, safeNonce) }))
}

/** The first nonce from that of the Safe on that nobody has proposed; null when there is none as far as is looked. */
function firstHole(groups: ReadonlyMap<bigint, unknown>, safeNonce: bigint): bigint | null {
  for (let nonce = safeNonce; nonce < safeNonce + NONCES_LOOKED_AT; nonce += 1n) if (!groups.has(nonce)) return nonce
  return null
}

/** The nonce right before is what it waits for last; a hole before it is named, since nobody can fill it by waiting. */
function blockerOf(nonce: bigint, hole: bigint | null, safeNonce: bigint | null): NonceGroup<never>['waitsFor'] {
  if (safeNonce === null || nonce <= safeNonce) return null
  return hole !== null && hole < nonce ? { nonce: hole, isProposed: false } : { nonce: nonce - 1n, isProposed: true }
}

/**
 * The lowest nonce from that of the Safe on that nobody has proposed: what a new transaction takes. It can be executed once
 * all before it are. Proposals behind it wait for it in any case, however far away they are, and move it nowhere.
 *
 * @example
 * nextFreeNonce([], 5n) // 5n
 */
export function nextFreeNonce(transactions: readonly Pick<QueuedTransaction, 'nonce'>[], safeNonce: bigint): bigint {
  const taken = new Set(transactions.map(({ nonce }) => nonce))
  let free = safeNonce
  while (taken.has(free)) free += 1n
  return free
}

/**
 * Whose confirmations count, and who is missing: current owners, each once, in the order of the Safe.
 *
 * @example
 * countConfirmations([{ owner: alice }], [alice, bob]) // { confirmed: [alice], missing: [bob] }
 */
export function countConfirmations(
  confirmations: QueuedTransaction['confirmations'],
  owners: readonly Address[],
): { confirmed: Address[]; missing: Address[] } {
  const has = (owner: Address) => confirmations.some((confirmation) => isSameAddress(confirmation.owner, owner))
  return { confirmed: owners.filter(has), missing: owners.filter((owner) => !has(owner)) }
}

type SafeFacts = { owners: readonly Address[]; threshold: number; nonce: bigint }

/**
 * The transactions that the Safe would execute now: at its nonce, with enough confirmations. More than one when owners
 * confirmed proposals that exclude each other: whichever is executed first wins.
 *
 * @example
 * const [next] = findExecutable(transactions, state)
 */
export function findExecutable<transaction extends QueuedTransaction>(
  transactions: readonly transaction[],
  safe: SafeFacts,
): transaction[] {
  return transactions.filter(
    ({ nonce, isExecuted, confirmations }) =>
      !isExecuted &&
      nonce === safe.nonce &&
      countConfirmations(confirmations, safe.owners).confirmed.length >= safe.threshold,
  )
}

/**
 * Transactions that could be executed one after the other from now on: at each nonce the one that has enough confirmations.
 * Ends at the first nonce that has none, or several of which somebody has to choose one. Those before it may change who
 * owns the Safe: each is to be looked at again when its turn comes.
 *
 * @param most - of how many to tell
 * @example
 * findExecutableInTurn(transactions, state, 20).map(({ nonce }) => nonce) // [4n, 5n]
 */
export function findExecutableInTurn<transaction extends QueuedTransaction>(
  transactions: readonly transaction[],
  safe: SafeFacts,
  most: number,
): transaction[] {
  const found: transaction[] = []
  while (found.length < most) {
    const [next, rival] = findExecutable(transactions, { ...safe, nonce: safe.nonce + BigInt(found.length) })
    if (next === undefined || rival !== undefined) break
    found.push(next)
  }
  return found
}

/**
 * Whether a transaction waits for this account: an owner who has not confirmed, while confirmations are missing.
 *
 * @example
 * transactions.filter((transaction) => isWaitingFor(transaction, account, state)).length // what waits for me
 */
export function isWaitingFor(
  transaction: Pick<QueuedTransaction, 'isExecuted' | 'confirmations'>,
  account: Address,
  { owners, threshold }: Pick<SafeFacts, 'owners' | 'threshold'>,
): boolean {
  if (transaction.isExecuted) return false
  const { confirmed, missing } = countConfirmations(transaction.confirmations, owners)
  return confirmed.length < threshold && missing.some((owner) => isSameAddress(owner, account))
}
