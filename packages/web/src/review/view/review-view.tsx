import type { MultisigTransaction, ReviewReport } from '@countersign/contract'
import { calldataDigest, deviceScreen, type Facts, type Review, type SafeState } from '@countersign/safe-core'
import type { ReactNode } from 'react'
import type { Address } from 'viem'
import { useChain } from '../../api/configuration.ts'
import { Section } from '../../ui/section.tsx'
import { DevicePanel } from '../device/device-panel.tsx'
import { namesOf } from '../names.ts'
import { useReviewLists } from '../review-lists.ts'
import type { TransactionRequest } from '../subject.ts'
import { text } from '../text.ts'
import { OwnerReports } from './owner-reports.tsx'
import { ReviewClaims } from './review-claims.tsx'
import { ReviewConfiguration } from './review-configuration.tsx'
import { ReviewCounterparties } from './review-counterparties.tsx'
import { ReviewEffects, ReviewMoves } from './review-effects.tsx'
import { ReviewFields, ReviewHashes } from './review-fields.tsx'
import { ReviewSignatures } from './review-signatures.tsx'
import { ReviewVerdict } from './review-verdict.tsx'

/** The whole review of a transaction, in the order of every review: the verdict first, claims last. */
export function ReviewView({
  review,
  request,
  state,
  facts,
  account,
  transaction,
  reports = [],
  isSettled = false,
  end,
}: {
  review: Review
  request: TransactionRequest
  state: SafeState | undefined
  facts: Facts
  account: Address | null
  /** Absent before it is proposed. */
  transaction?: MultisigTransaction | undefined
  /** Claims of accounts about what they saw. */
  reports?: readonly ReviewReport[]
  /** Nothing is left to decide: the verdict is about today's Safe and would mislead. */
  isSettled?: boolean
  /** What leads from it to the decision. */
  end: ReactNode
}) {
  const { chainId, safeAddress, safeTx } = request.subject
  const chain = useChain(chainId)
  const { lists } = useReviewLists(chainId, safeAddress)
  const names = namesOf(safeAddress, state, account, chain, lists.names)
  return (
    <div data-review={review.hashes.safeTxHash}>
      {!isSettled && <ReviewVerdict review={review} blockNumber={state?.blockNumber ?? null} names={names} />}
      <ReviewEffects review={review} abis={lists.abis} names={names} />
      <ReviewConfiguration review={review} isStateKnown={state !== undefined} names={names} />
      <ReviewMoves review={review} names={names} />
      <ReviewCounterparties call={review.call} codes={facts.codes} names={names} />
      <ReviewFields safeTx={safeTx} names={names} />
      <ReviewHashes
        explanation={text('review.hashes.explanation')}
        domainHash={review.hashes.domainHash}
        messageHash={review.hashes.messageHash}
        signed={{ name: 'safeTxHash', label: text('review.hashes.safeTxHash'), hash: review.hashes.safeTxHash }}
        claimed={request.claimedHash}
        chainId={chainId}
        safeAddress={safeAddress}
        version={state ? (state.version ?? state.reportedVersion) : null}
      />
      <Section title={text('device.title')}>
        <DevicePanel
          kind="transaction"
          hashes={{ ...review.hashes, eip712Digest: review.hash, calldataDigest: calldataDigest(safeTx.data) }}
          screenOf={(device) => deviceScreen(device, safeTx, review.call)}
        />
      </Section>
      {transaction && <ReviewSignatures review={review} transaction={transaction} state={state} names={names} />}
      {transaction && <OwnerReports {...{ reports, names }} signers={review.confirmations.map(({ owner }) => owner)} />}
      {transaction && <ReviewClaims claims={transaction} names={names} />}
      {end}
    </div>
  )
}
