import type { MultisigTransaction } from '@countersign/contract'
import { type Given, reviewSubject, type SafeState } from '@countersign/safe-core'
import { useQueries } from '@tanstack/react-query'
import type { Address } from 'viem'
import { byIdentity, computedQuery } from '../../api/computed-query.ts'
import { useChain } from '../../api/configuration.ts'
import { othersOf } from '../../review/proposals.ts'
import { noLists } from '../../review/review-lists.ts'
import { toGiven, transactionRequest } from '../../review/subject.ts'

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
      const request = transactionRequest(
        { transaction, others, formerConfirmations: [] },
        transaction.safeTxHash,
        account,
      )
      const input = request && state ? toGiven(request, state, lists, nothingAround) : null
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

const nothingAround = { reviewedBefore: null, chainIds: [], now: 0 }

async function verdictOf(input: Given | null): Promise<QueueVerdict> {
  if (!input) return 'open'
  // Recovering signatures takes time: the page is drawn between two of them.
  await new Promise((resolve) => setTimeout(resolve, 0))
  const { verdict } = await reviewSubject(input)
  return verdict === 'do-not-sign' ? 'do-not-sign' : 'open'
}
