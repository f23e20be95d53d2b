import { type Address, encodeFunctionData, type Hex, zeroAddress } from 'viem'
import { safeAbi } from './abi/abi.ts'
import type { CountersignError } from './error.ts'
import { fail } from './error-sentences.ts'
import { countConfirmations, type QueuedTransaction } from './queue.ts'
import { isSameAddress } from './same-address.ts'
import { newSafeTx, type SafeTx } from './signing/safe-tx.ts'

/** The answer to "may I?": yes, or the error that says why not. Its code is one of `docs/errors.md`. */
export type Permission = { ok: true } | { ok: false; code: string; error: CountersignError }

/** State of the Safe on the chain now. */
type SafeFacts = { owners: readonly Address[]; threshold: number; nonce: bigint }

/** An account that may propose for an owner of the Safe. Leave out what has expired, and what is of another Safe. */
export type Delegation = { delegate: Address; delegator: Address }

/** Facts about a proposal on which a decision rests. */
type ProposalFacts = Pick<QueuedTransaction, 'nonce' | 'isExecuted' | 'confirmations'>

/** The owner it counts as the proposal of, and the delegate who wrote it for that owner. */
type ProposerFacts = { proposer: Address | null; proposedByDelegate?: Address | null }

const yes: Permission = { ok: true }

/** No, for this reason. */
export function refuse(error: CountersignError): Permission {
  return { ok: false, code: error.code, error }
}

function isAmong(addresses: readonly Address[], address: Address): boolean {
  return addresses.some((other) => isSameAddress(other, address))
}

function notSignedIn(): Permission {
  return refuse(fail('NOT_SIGNED_IN'))
}

/** Whether the nonce can still be used. */
function isNonceOpen(safe: SafeFacts, nonce: bigint): Permission {
  if (nonce >= safe.nonce) return yes
  return refuse(fail('NONCE_ALREADY_EXECUTED', { nonce, safeNonce: safe.nonce }))
}

/** Whether the transaction still waits for anything at all. */
function isOpen(safe: SafeFacts, transaction: ProposalFacts): Permission {
  if (transaction.isExecuted) return refuse(fail('TRANSACTION_ALREADY_EXECUTED'))
  return isNonceOpen(safe, transaction.nonce)
}

/** Owners may propose, and delegates of those who are owners now. */
function isProposer(safe: SafeFacts, account: Address, delegates: readonly Delegation[]): Permission {
  const isDelegate = delegates.some(
    ({ delegate, delegator }) => isSameAddress(delegate, account) && isAmong(safe.owners, delegator),
  )
  if (isDelegate || isAmong(safe.owners, account)) return yes
  return refuse(fail('NOT_OWNER_OR_DELEGATE', { reason: 'stranger', account }))
}

/**
 * Whether this account may propose a transaction with this nonce. A nonce may have several proposals, and there may be
 * holes: only what is used up is refused.
 *
 * Reasons: `NOT_SIGNED_IN`, `NOT_OWNER_OR_DELEGATE`, `NONCE_ALREADY_EXECUTED`.
 *
 * @param facts - `account` is the one that is signed in, null for nobody; `delegates` those in force for this Safe.
 *
 * @example
 * canPropose({ safe: state, nonce: state.nonce, account, delegates: [] })
 */
export function canPropose(facts: {
  safe: SafeFacts
  nonce: bigint
  account: Address | null
  delegates?: readonly Delegation[]
}): Permission {
  if (facts.account === null) return notSignedIn()
  const proposer = isProposer(facts.safe, facts.account, facts.delegates ?? [])
  return proposer.ok ? isNonceOpen(facts.safe, facts.nonce) : proposer
}

/**
 * Whether this account may confirm this transaction. The answer is about the state of things, not about the review. A
 * delegate may not.
 *
 * Reasons: `TRANSACTION_ALREADY_EXECUTED`, `NONCE_ALREADY_EXECUTED`, `NOT_SIGNED_IN`, `NOT_AN_OWNER`,
 * `ALREADY_CONFIRMED`.
 *
 * @example
 * const may = canConfirm({ safe: state, transaction, account })
 * if (!may.ok) may.error.message // why not
 */
export function canConfirm(facts: {
  safe: SafeFacts
  transaction: ProposalFacts
  account: Address | null
}): Permission {
  const { safe, transaction, account } = facts
  const open = isOpen(safe, transaction)
  if (!open.ok) return open
  if (account === null) return notSignedIn()
  if (!isAmong(safe.owners, account)) {
    return refuse(fail('NOT_AN_OWNER', { account }))
  }
  if (transaction.confirmations.some(({ owner }) => isSameAddress(owner, account))) {
    return refuse(fail('ALREADY_CONFIRMED'))
  }
  return yes
}

/**
 * Whether this transaction can be executed now, by this account. Any account may execute; only confirmations of current
 * owners count, each once.
 *
 * Reasons: `TRANSACTION_ALREADY_EXECUTED`, `NONCE_ALREADY_EXECUTED`, `NOT_SIGNED_IN`, `THRESHOLD_NOT_REACHED`,
 * `NONCE_OUT_OF_ORDER`.
 *
 * @example
 * const may = canExecute({ safe: state, transaction, account })
 * if (!may.ok && may.code === 'THRESHOLD_NOT_REACHED') askTheOthers()
 */
export function canExecute(facts: {
  safe: SafeFacts
  transaction: ProposalFacts
  account: Address | null
}): Permission {
  const { safe, transaction } = facts
  const open = isOpen(safe, transaction)
  if (!open.ok) return open
  if (facts.account === null) return notSignedIn()
  const confirmed = countConfirmations(transaction.confirmations, safe.owners).confirmed.length
  if (confirmed < safe.threshold) {
    return refuse(
      fail('THRESHOLD_NOT_REACHED', { reason: 'given', confirmations: confirmed, threshold: safe.threshold }),
    )
  }
  if (transaction.nonce > safe.nonce) {
    return refuse(fail('NONCE_OUT_OF_ORDER', { nonce: transaction.nonce, safeNonce: safe.nonce }))
  }
  return yes
}

/**
 * Whether this account may delete this proposal: its proposer, owner still or not, or the delegate who wrote it and is
 * still one. What others have signed stays valid on the chain: deleting hides a transaction, `canCancel` ends it.
 *
 * Reasons: `TRANSACTION_ALREADY_EXECUTED`, `NOT_SIGNED_IN`, `NOT_PROPOSER`.
 *
 * @example
 * canDelete({ transaction: { proposer: alice, isExecuted: false }, account: alice }) // { ok: true }
 */
export function canDelete(facts: {
  transaction: ProposerFacts & Pick<ProposalFacts, 'isExecuted'>
  account: Address | null
  delegates?: readonly Delegation[]
}): Permission {
  const { transaction, account, delegates = [] } = facts
  const { proposer, proposedByDelegate = null } = transaction
  if (transaction.isExecuted) return refuse(fail('TRANSACTION_ALREADY_EXECUTED'))
  if (account === null) return notSignedIn()
  if (proposer === null) {
    return refuse(fail('NOT_PROPOSER', { reason: 'nobody' }))
  }
  const hasWritten = proposedByDelegate !== null && isSameAddress(proposedByDelegate, account)
  const isStillDelegate = delegates.some(
    (delegate) => isSameAddress(delegate.delegate, account) && isSameAddress(delegate.delegator, proposer),
  )
  if (isSameAddress(proposer, account) || (hasWritten && isStillDelegate)) return yes
  return refuse(fail('NOT_PROPOSER', { reason: 'other', account, proposer }))
}

/**
 * Whether this account may propose another transaction in the place of this one, with the same nonce. Only one of the two
 * can then be executed.
 *
 * Reasons: `TRANSACTION_ALREADY_EXECUTED`, `NONCE_ALREADY_EXECUTED`, `NOT_SIGNED_IN`, `NOT_OWNER_OR_DELEGATE`.
 *
 * @example
 * canReplace({ safe: state, transaction, account, delegates: [] })
 */
export function canReplace(facts: {
  safe: SafeFacts
  transaction: ProposalFacts
  account: Address | null
  delegates?: readonly Delegation[]
}): Permission {
  const open = isOpen(facts.safe, facts.transaction)
  return open.ok ? canPropose({ ...facts, nonce: facts.transaction.nonce }) : open
}

/**
 * Whether this account may propose the cancellation of this transaction: an empty call of the Safe to itself with the
 * same nonce ({@link newCancellation}), which still has to be confirmed and executed.
 *
 * Reasons: those of {@link canReplace}, and `CANCELLATION_EXISTS`.
 *
 * @param facts - `proposals` are all that are known of the Safe.
 *
 * @example
 * canCancel({ safe: state, transaction, proposals: queue.map(({ safeTx }) => safeTx), account })
 */
export function canCancel(facts: {
  safe: SafeFacts & { address: Address }
  transaction: ProposalFacts
  proposals: readonly SafeTx[]
  account: Address | null
  delegates?: readonly Delegation[]
}): Permission {
  const { safe, transaction, proposals } = facts
  const replace = canReplace(facts)
  if (!replace.ok) return replace
  const exists = proposals.some(
    (proposal) => proposal.nonce === transaction.nonce && isCancellation(proposal, safe.address),
  )
  if (!exists) return yes
  return refuse(fail('CANCELLATION_EXISTS', { nonce: transaction.nonce }))
}

/**
 * The transaction that ends every other one with its nonce once it is executed, and does nothing else.
 *
 * @throws CountersignError `FIELD_MALFORMED` when it is hashed with a nonce that is none.
 *
 * @example
 * newCancellation(state.address, transaction.nonce)
 */
export function newCancellation(safeAddress: Address, nonce: bigint): SafeTx {
  return newSafeTx({ to: safeAddress, nonce })
}

/**
 * Approves a transaction of another Safe on the chain, as one of its owners.
 *
 * @param parent the Safe that the approving one is an owner of
 * @example
 * newApproval({ parent: treasury, hash: safeTxHash }, nextFreeNonce(proposals, state.nonce))
 */
export function newApproval({ parent, hash }: { parent: Address; hash: Hex }, nonce: bigint): SafeTx {
  const data = encodeFunctionData({ abi: safeAbi, functionName: 'approveHash', args: [hash] })
  return newSafeTx({ to: parent, data, nonce })
}

/**
 * Whether a transaction is a {@link newCancellation}, without any refund.
 *
 * @example
 * isCancellation(newCancellation(safeAddress, 4n), safeAddress) // true
 */
export function isCancellation(safeTx: SafeTx, safeAddress: Address): boolean {
  const { to, value, data, operation, gasPrice, gasToken, refundReceiver } = safeTx
  const isEmpty = value === 0n && data === '0x' && operation === 0
  const isUnpaid = gasPrice === 0n && isSameAddress(gasToken, zeroAddress) && isSameAddress(refundReceiver, zeroAddress)
  return isSameAddress(to, safeAddress) && isEmpty && isUnpaid
}
