import type { MultisigTransaction } from '@countersign/contract'
import type { SafeState } from '@countersign/safe-core'
import type { Address } from 'viem'
import { isSame } from './names.ts'

/** Proposals that share a nonce: only one of them can ever be executed. */
export type NonceGroup = {
  nonce: bigint
  transactions: readonly MultisigTransaction[]
  /** What has to be executed first, or null when this nonce is next. `isProposed` says whether anybody proposed it. */
  waitsFor: { nonce: bigint; isProposed: boolean } | null
}

/** Groups a queue by nonce, with what blocks what. */
export function groupQueue(transactions: readonly MultisigTransaction[], safeNonce: bigint | null): NonceGroup[] {
  const groups = new Map<bigint, MultisigTransaction[]>()
  for (const transaction of transactions) {
    if (transaction.safeTx === null) continue
    const group = groups.get(transaction.safeTx.nonce)
    if (group) group.push(transaction)
    else groups.set(transaction.safeTx.nonce, [transaction])
  }
  const nonces = [...groups.keys()].toSorted((one, other) => (one < other ? -1 : 1))
  return nonces
    .filter((nonce) => safeNonce === null || nonce >= safeNonce)
    .map((nonce) => ({ nonce, transactions: groups.get(nonce) ?? [], waitsFor: blockerOf(nonce, groups, safeNonce) }))
}

/** The nonce right before is what it waits for last; a hole before it is named, since nobody can fill it by waiting. */
function blockerOf(
  nonce: bigint,
  groups: ReadonlyMap<bigint, unknown>,
  safeNonce: bigint | null,
): NonceGroup['waitsFor'] {
  if (safeNonce === null || nonce <= safeNonce) return null
  for (let before = safeNonce; before < nonce && before < safeNonce + 1_000n; before++)
    if (!groups.has(before)) return { nonce: before, isProposed: false }
  return { nonce: nonce - 1n, isProposed: true }
}

/** The first nonce that nothing is proposed for. */
export function nextFreeNonce(transactions: readonly MultisigTransaction[], safeNonce: bigint): bigint {
  const used = transactions.flatMap(({ safeTx }) => (safeTx && safeTx.nonce >= safeNonce ? [safeTx.nonce] : []))
  return used.reduce((next, nonce) => (nonce >= next ? nonce + 1n : next), safeNonce)
}

/** Confirmations that count: of current owners, each once. */
export function countConfirmations(
  { confirmations }: Pick<MultisigTransaction, 'confirmations'>,
  state: Pick<SafeState, 'owners'> | null | undefined,
): { confirmed: Address[]; missing: Address[] } {
  if (!state) return { confirmed: confirmations.map(({ owner }) => owner), missing: [] }
  const has = (owner: Address) => confirmations.some((one) => isSame(one.owner, owner))
  return { confirmed: state.owners.filter(has), missing: state.owners.filter((owner) => !has(owner)) }
}

/** Whether a transaction waits for this account. */
export function waitsFor(
  transaction: MultisigTransaction,
  account: Address | null,
  state: Pick<SafeState, 'owners' | 'threshold'> | null | undefined,
): boolean {
  if (!account || !state || transaction.isExecuted) return false
  const { confirmed, missing } = countConfirmations(transaction, state)
  return confirmed.length < state.threshold && missing.some((owner) => isSame(owner, account))
}
