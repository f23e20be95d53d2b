import type { MultisigTransaction } from '@countersign/contract'
import type { Review, SafeState } from '@countersign/safe-core'
import type { ReactNode } from 'react'
import type { Address, Hex } from 'viem'
import { useChain } from '../../api/configuration.ts'
import { namesOf } from '../names.ts'
import type { ChainFacts, ReviewRequest } from '../review-facts.ts'
import { useReviewLists } from '../review-lists.ts'
import { text } from '../text.ts'
import { ReviewClaims } from './review-claims.tsx'
import { ReviewConfiguration } from './review-configuration.tsx'
import { ReviewCounterparties } from './review-counterparties.tsx'
import { ReviewEffects, ReviewMoves } from './review-effects.tsx'
import { ReviewFields, ReviewHashes } from './review-fields.tsx'
import { ReviewSignatures } from './review-signatures.tsx'
import { ReviewVerdict } from './review-verdict.tsx'

/** The whole review, in one order everywhere: the verdict first, claims last. */
export function ReviewView({
  review,
  request,
  state,
  facts,
  account,
  transaction,
  isSettled = false,
  end,
}: {
  review: Review
  request: ReviewRequest
  state: SafeState | undefined
  facts: ChainFacts
  account: Address | null
  /** Absent before it is proposed. */
  transaction?: MultisigTransaction | undefined
  /** Nothing is left to decide: the verdict is about today's Safe and would mislead. */
  isSettled?: boolean
  /** What leads from it to the decision. */
  end: ReactNode
}) {
  const chain = useChain(request.chainId)
  const { lists } = useReviewLists(request.chainId, request.safeAddress)
  const names = namesOf(request.safeAddress, state, account, chain, lists.names)
  const claimed: Hex | null = request.claimedSafeTxHash
  return (
    <div data-review={review.hashes.safeTxHash}>
      {!isSettled && <ReviewVerdict review={review} blockNumber={state?.blockNumber ?? null} names={names} />}
      <ReviewEffects review={review} abis={lists.abis} names={names} />
      <ReviewConfiguration review={review} isStateKnown={state !== undefined} names={names} />
      <ReviewMoves review={review} names={names} />
      <ReviewCounterparties call={review.call} codes={facts.codes} names={names} />
      <ReviewFields safeTx={request.safeTx} names={names} />
      <ReviewHashes
        explanation={text('review.hashes.explanation')}
        domainHash={review.hashes.domainHash}
        messageHash={review.hashes.messageHash}
        signed={{ name: 'safeTxHash', label: text('review.hashes.safeTxHash'), hash: review.hashes.safeTxHash }}
        claimed={claimed}
        chainId={request.chainId}
        safeAddress={request.safeAddress}
        version={state ? (state.version ?? state.reportedVersion) : null}
      />
      {transaction && <ReviewSignatures review={review} transaction={transaction} state={state} names={names} />}
      {transaction && <ReviewClaims transaction={transaction} names={names} />}
      {end}
    </div>
  )
}
