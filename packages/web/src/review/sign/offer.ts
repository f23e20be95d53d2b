import type { MultisigTransaction, Role } from '@countersign/contract'
import { type Acknowledgement, isClosed, type SignedReview, type SubjectReview, stillOpen } from '@countersign/review'
import { canConfirm, canExecute, type Permission, type SafeState } from '@countersign/safe'
import type { Address } from 'viem'
import { text } from '../../safe/text.ts'
import type { AccountState } from '../../wallet/index.ts'

/** An offer of a page: the button, the button with a reason why not now, a sentence alone, or nothing at all. */
export type Offer =
  | { kind: 'offered' }
  | { kind: 'refused'; reason: string }
  /** As soon as each serious finding has its answer. */
  | { kind: 'acknowledge'; reason: string }
  /** It is done, or it is not for this person to do: a button would promise something. */
  | { kind: 'told'; sentence: string; isDone: boolean }
  | { kind: 'none' }

/** An offer with a button. */
export type ButtonOffer = Exclude<Offer, { kind: 'told' | 'none' }>

/** An offer depends on these, whatever is to be signed. */
export type OfferFacts = {
  review: SignedReview | undefined
  /** The review that is shown is not yet that of what is served. */
  isOutdated: boolean
  state: SafeState | undefined
  accountState: AccountState
  role: Role | null
  /** The person's answers to the findings of this review. */
  acknowledgements: readonly Acknowledgement[]
}

type OfTransaction = OfferFacts & { transaction: MultisigTransaction }

/** Whether this page offers to confirm. Where the review says `do-not-sign` and nothing opens it, it offers nothing. */
export function offerConfirm(facts: OfferFacts & { transaction?: MultisigTransaction }): Offer {
  return offer(facts, canConfirm)
}

/** Whether this page offers to execute. */
export function offerExecute(facts: OfTransaction): Offer {
  return offer(facts, canExecute)
}

/** Whether this page takes signatures that owners made elsewhere: for the team, and after the same review. */
export function offerImport(facts: OfferFacts & { transaction?: MultisigTransaction }): Offer {
  const { transaction, state, review, isOutdated, accountState, role, acknowledgements } = facts
  if (transaction && isOver(transaction)) return { kind: 'none' }
  if (state && transaction?.safeTx && transaction.safeTx.nonce < state.nonce) return { kind: 'none' }
  if ((role !== 'owner' && role !== 'proposer') || isRefused(review)) return { kind: 'none' }
  if (!review || isOutdated) return refused(text('confirm.refused.waiting'))
  if (!state || isClosed(review)) return refused(text('confirm.refused.cannot-verify'))
  if (accountState.status === 'wrong-account') return refused(text('permission.ACCOUNT_MISMATCH'))
  if (accountState.status !== 'verified') return refused(text('permission.NOT_SIGNED_IN'))
  return offerReviewed(review, acknowledgements)
}

/** Whether this page offers to sign and propose, or to create a Safe. Who may is asked before: here counts the review alone. */
export function offerPropose({
  review,
  isOutdated,
  accountState,
  acknowledgements,
}: Pick<OfferFacts, 'isOutdated' | 'accountState' | 'acknowledgements'> & {
  review: SubjectReview | undefined
}): Offer {
  if (isRefused(review)) return { kind: 'none' }
  if (review && isClosed(review)) return refused(text('confirm.refused.cannot-verify'))
  const refusal = accountRefusal(accountState)
  if (refusal !== null) return refused(refusal)
  return !review || isOutdated ? refused(text('confirm.refused.waiting')) : offerReviewed(review, acknowledgements)
}

/** Whether the review says `do-not-sign` and nothing that a person could answer changes that. */
export function isRefused(review: SubjectReview | undefined): boolean {
  return review?.verdict === 'do-not-sign' && isClosed(review)
}

/** Whether there is a button, now or later. */
export function hasButton(offer: Offer): offer is ButtonOffer {
  return offer.kind !== 'none' && offer.kind !== 'told'
}

/** Whether answers are asked for here: they open the button, or have opened it. */
export function isAnswerable({ kind }: Offer): boolean {
  return kind === 'offered' || kind === 'acknowledge'
}

/** Offered as soon as each serious finding has its answer. */
function offerReviewed(review: SubjectReview, acknowledgements: readonly Acknowledgement[]): Offer {
  const open = stillOpen(review, acknowledgements)
  if (open.length === 0) return { kind: 'offered' }
  return { kind: 'acknowledge', reason: text('confirm.refused.acknowledge', { count: open.length }) }
}

/** Executed, or without fields that could be signed. */
function isOver({ isExecuted, safeTx }: MultisigTransaction): boolean {
  return isExecuted || safeTx === null
}

function offer(
  offerFacts: OfferFacts & { transaction?: MultisigTransaction },
  can: (facts: Parameters<typeof canConfirm>[0]) => Permission,
): Offer {
  const { review, isOutdated, state, transaction, accountState, role } = offerFacts
  if ((transaction && isOver(transaction)) || isRefused(review)) return { kind: 'none' }
  if (!review || isOutdated) return refused(text('confirm.refused.waiting'))
  // A review without the Safe has finished: the Safe could not be read.
  if (!state) return refused(text('confirm.refused.cannot-verify'))
  if (accountState.status === 'verified' && accountState.isSafe) return refused(text('permission.IS_SAFE'))
  const account = accountOf(accountState)
  const permission = can({
    safe: state,
    transaction: {
      // A message has no nonce, and stays open for as long as the Safe is.
      nonce: transaction?.safeTx?.nonce ?? state.nonce,
      isExecuted: false,
      confirmations: review.confirmations.filter(({ status }) => status === 'valid'),
    },
    account,
  })
  const told = permission.ok ? null : sentenceInstead(permission.code, review.kind, account, role)
  if (told !== null) return told
  if (isClosed(review)) return refused(text('confirm.refused.cannot-verify'))
  const refusal = accountRefusal(accountState)
  if (refusal !== null) return refused(refusal)
  return permission.ok
    ? offerReviewed(review, offerFacts.acknowledgements)
    : refused(permissionText(permission.code, facts(state, review, account)))
}

/** A sentence in place of a button, if the account has confirmed already or is not an owner; else null. */
function sentenceInstead(
  code: string,
  kind: SignedReview['kind'],
  account: Address | null,
  role: Role | null,
): Offer | null {
  if (code === 'ALREADY_CONFIRMED') return { kind: 'told', sentence: text(`confirm.done.${kind}`), isDone: true }
  if (code === 'NOT_AN_OWNER' && account !== null)
    return { kind: 'told', sentence: notForYou(account, role), isDone: false }
  return null
}

/** The reason why the account that is here cannot sign, and the remedy; null when there is none. */
function accountRefusal(accountState: AccountState): string | null {
  switch (accountState.status) {
    case 'loading':
      return text('permission.loading')
    case 'wrong-account':
      return text('permission.ACCOUNT_MISMATCH')
    case 'session-without-wallet':
      return text('permission.WALLET_NOT_CONNECTED', { account: accountState.session.address })
    case 'verified':
      return accountState.isSafe ? text('permission.IS_SAFE') : null
    default:
      return text('permission.NOT_SIGNED_IN')
  }
}

/** Owners confirm; the others are told who they are here. */
function notForYou(account: Address, role: Role | null): string {
  return role === 'proposer' ? text('permission.proposer') : text('permission.NOT_AN_OWNER', { account })
}

function refused(reason: string): Offer {
  return { kind: 'refused', reason }
}

function accountOf(accountState: AccountState): Address | null {
  if ('session' in accountState) return accountState.session.address
  return null
}

function facts(state: SafeState, review: SignedReview, account: Address | null): Facts {
  const valid = review.confirmations.filter(({ status }) => status === 'valid').length
  return {
    account: account ?? '',
    missing: Math.max(state.threshold - valid, 0),
    safeNonce: state.nonce.toString(),
  }
}

type Facts = { account: string; missing: number; safeNonce: string }

function permissionText(code: string, values: Facts): string {
  switch (code) {
    case 'NOT_SIGNED_IN':
    case 'TRANSACTION_ALREADY_EXECUTED':
    case 'NONCE_ALREADY_EXECUTED':
    case 'THRESHOLD_NOT_REACHED':
    case 'NONCE_OUT_OF_ORDER':
      return text(`permission.${code}`, values)
    default:
      return text('permission.other', { code })
  }
}
