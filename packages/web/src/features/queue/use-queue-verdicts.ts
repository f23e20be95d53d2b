import type { MultisigTransaction } from '@countersign/contract'
import { type ReviewInput, reviewSafeTx, type SafeState } from '@countersign/safe-core'
import { useQueries } from '@tanstack/react-query'
import type { Address } from 'viem'
import { byIdentity, computedQuery } from '../../api/computed-query.ts'
import { useChain } from '../../api/configuration.ts'
import { othersOf } from '../../review/proposals.ts'
import { noChainFacts, reviewRequestOf, toReviewInput } from '../../review/review-facts.ts'
import { noLists } from '../../review/review-lists.ts'
import { noSignatureFacts } from '../../review/signature-facts.ts'

/**
 * What the review says of a queued transaction by its bytes, its signatures and the Safe alone. Contracts are not read
 * here, so `open` is no verdict: only the page of the transaction reaches one. What is `do-not-sign` here is so there.
 */
export type QueueVerdict = 'do-not-sign' | 'open'

/** By safeTxHash; what is not reviewed yet is not there. */
export function useQueueVerdicts(
  transactions: readonly MultisigTransaction[],
  state: SafeState | undefined,
  account: Address | null,
): ReadonlyMap<string, QueueVerdict> {
  const tokens = useChain(state?.chainId ?? 0)?.tokens
  const lists = tokens ? { ...noLists, tokens: byIdentity(tokens) } : noLists
  const results = useQueries({
    queries: transactions.map((transaction) => {
      const others = othersOf(transactions.filter(({ safeTx }) => safeTx?.nonce === transaction.safeTx?.nonce))
      const request = reviewRequestOf({ transaction, others }, transaction.safeTxHash, account)
      const known = state && { ...state, blockNumber: 0n }
      const input = request && known ? toReviewInput(request, known, noChainFacts, lists, noSignatureFacts, null) : null
      return { ...computedQuery('queue-verdict', input, verdictOf), enabled: state !== undefined }
    }),
  })
  const verdicts = new Map<string, QueueVerdict>()
  transactions.forEach(({ safeTxHash }, index) => {
    const verdict = results[index]?.data
    if (verdict) verdicts.set(safeTxHash, verdict)
  })
  return verdicts
}

async function verdictOf(input: ReviewInput | null): Promise<QueueVerdict> {
  if (!input) return 'open'
  // Recovering signatures takes time: the page is drawn between two of them.
  await new Promise((resolve) => setTimeout(resolve, 0))
  const { verdict } = await reviewSafeTx(input)
  return verdict === 'do-not-sign' ? 'do-not-sign' : 'open'
}
