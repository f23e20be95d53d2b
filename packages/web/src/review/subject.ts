import type { getTransaction, OtherProposal, Reply } from '@countersign/contract'
import type {
  DeclaredEffects,
  Given,
  MessageSubject,
  RemovedOwner,
  SignedSubject,
  TransactionSubject,
} from '@countersign/review'
import type { SafeState } from '@countersign/safe'
import type { Address, Hex } from 'viem'
import { listsThatCount, type ReviewLists } from '../evidence/attribution/review-lists.ts'
import { policyState } from '../evidence/policy/team-policy.ts'
import type { Place } from '../safe/queries.ts'
import { fail } from '../text/fail.ts'

type Proposed = {
  /** The hash in the link. Null before anybody proposed it. */
  claimedHash: Hex | null
  confirmations: readonly { owner: Address; signature: Hex }[]
  /** Signers who were removed as owners since, by the word of the server. */
  removedOwners: readonly RemovedOwner[]
  others: readonly OtherProposal[]
  account: Address | null
  origin: string | null
}

/** A transaction to review, wherever it comes from: served, or just being composed. */
export type TransactionRequest = Proposed & {
  subject: TransactionSubject
  /** Effects that the proposer signed: a claim, with which the review compares what it reads. */
  declared?: DeclaredEffects | null
}

/** A message to review. `json`: its content as it was written. */
export type MessageRequest = Proposed & { subject: MessageSubject; json: string }

/** A subject to review, and the texts of people about it. */
export type ReviewRequest = TransactionRequest | MessageRequest

type Served = Reply<typeof getTransaction>

/** A served transaction; null when its fields are not known. */
export function transactionRequest(
  {
    transaction,
    others,
    formerConfirmations,
    declaredEffects = null,
  }: Pick<Served, 'transaction' | 'others' | 'formerConfirmations'> & Partial<Pick<Served, 'declaredEffects'>>,
  safeTxHash: Hex,
  account: Address | null,
): TransactionRequest | null {
  const { chainId, safeAddress, safeTx, confirmations, origin } = transaction
  if (safeTx === null) return null
  return {
    subject: { kind: 'transaction', chainId, safeAddress, safeTx },
    // The hash in the link is what others speak about, not the one that the server repeats.
    claimedHash: safeTxHash,
    ...signaturesOf({ confirmations, formerConfirmations }),
    others: others.filter((other) => other.safeTxHash !== safeTxHash),
    account,
    origin,
    declared: declaredEffects,
  }
}

/** Former owners' signatures are reviewed too, so that they are shown as such; none of them counts. */
export function signaturesOf({
  confirmations,
  formerConfirmations = [],
}: Partial<Pick<Served, 'formerConfirmations'>> & { confirmations: Proposed['confirmations'] }) {
  return {
    confirmations: [...confirmations, ...formerConfirmations],
    removedOwners: formerConfirmations.map(({ owner, removedIn }) => ({ owner, transactionHash: removedIn })),
  }
}

/** Inputs of a review beside its request, the Safe and the lists. */
export type Around = {
  /** Hash that this page showed first under the link. */
  reviewedBefore: Hex | null
  chainIds: readonly number[]
  /** Milliseconds since 1970. */
  now: number
  /** The block on which a transaction is run. */
  blockNumber?: bigint | undefined
}

/** A transaction asks for the time only to tell how old lists are. */
const DAY_MS = 86_400_000
/** A sign-in message expires. To the minute is near enough. */
const MINUTE_MS = 60_000
const noLists: ReviewLists = { tokens: [], names: [], signedNames: [], abis: [] }

/**
 * Brings together what a review has before it asks the chain. What changes all the time and decides nothing is left
 * out: the block, and of a message what the Safe holds.
 */
export function toGiven(
  request: ReviewRequest,
  state: SafeState | null,
  lists: ReviewLists,
  { reviewedBefore, chainIds, now, blockNumber }: Around,
): Given<SignedSubject> {
  const { subject, claimedHash, confirmations, removedOwners, others, account, origin } = request
  const readers = { reader: account, owners: state?.owners ?? [], threshold: state?.threshold ?? 0 }
  const common = {
    claimedHash,
    confirmations: confirmations.map(({ owner, signature }) => ({ owner, signature })),
    others,
    chainIds,
    removedOwners,
  } as const
  if (subject.kind === 'transaction')
    return {
      ...subject,
      ...common,
      ...listsThatCount(lists, readers),
      ...policyThatCounts(subject, state, lists),
      state: state && { ...state, blockNumber: 0n },
      declared: 'declared' in request ? (request.declared ?? null) : null,
      account,
      origin,
      reviewedBefore,
      blockNumber,
      now: Math.floor(now / DAY_MS) * DAY_MS,
    }
  return {
    ...subject,
    ...common,
    ...listsThatCount(noLists, readers),
    ...policyThatCounts(subject, state, lists),
    state: state && { ...state, blockNumber: 0n, balance: 0n },
    account,
    origin: siteOf(origin),
    now: Math.floor(now / MINUTE_MS) * MINUTE_MS,
  }
}

/** Without the Safe nobody can tell whose signatures on a policy count. */
function policyThatCounts(
  { chainId, safeAddress }: SignedSubject,
  state: SafeState | null,
  { policy, spent }: ReviewLists,
): Pick<Given, 'policy' | 'spent'> {
  if (policy === undefined || state === null) return {}
  return { policy: policyState({ chainId, safeAddress }, policy, state), spent }
}

/** Only an address of the web can be compared with what a sign-in message says. */
function siteOf(origin: string | null): string | null {
  return origin !== null && /^https?:\/\/\S+$/.test(origin) && URL.canParse(origin) ? new URL(origin).origin : null
}

/** Refuses what is served as another thing than the link says. */
export function assertPlace(
  { kind, chainId, safeAddress, hash }: Place,
  served: { chainId: number; safeAddress: Address; hash: Hex },
): void {
  if (served.hash !== hash) throw fail(hashMismatch[kind], { reason: 'served', received: served.hash, expected: hash })
  if (served.chainId !== chainId || served.safeAddress !== safeAddress)
    throw fail('REVIEW_REFUSED', { reason: 'other-safe', safeAddress: served.safeAddress })
}

/** The error where a hash is another than the one that was shown. */
export const hashMismatch = {
  transaction: 'SAFE_TX_HASH_MISMATCH',
  message: 'MESSAGE_HASH_MISMATCH',
} as const satisfies Record<SignedSubject['kind'], string>
