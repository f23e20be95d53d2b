import type { MultisigTransaction } from '@countersign/contract'
import { CountersignError, type SafeState } from '@countersign/safe'
import { useQueries } from '@tanstack/react-query'
import type { Hex } from 'viem'
import { transactionQuery } from '../../../safe/queries.ts'
import type { Draft } from '../draft.ts'
import { useSentAs } from './sent-drafts.ts'

/** Proposal that a draft has become already: from this tab, whose answer got lost, or from another one that holds it. */
type ProposedAs = { hash: Hex | null; isAsking: boolean; error: Error | null; retry: () => void }

export function useProposedAs(
  draft: Draft,
  queue: readonly MultisigTransaction[],
  safe: Pick<SafeState, 'chainId' | 'nonce'> | undefined,
): ProposedAs {
  const sent = useSentAs(draft)
  const queued = sent.find(({ hash }) => queue.some(({ safeTxHash }) => safeTxHash === hash))
  // A proposal that left the queue was executed; one whose nonce is free and that is not there never arrived.
  const gone = safe && !queued ? sent.filter(({ nonce }) => nonce < safe.nonce) : []
  const asked = useQueries({
    queries: gone.map(({ hash }) => ({ ...transactionQuery(safe?.chainId ?? 0, hash), retry: false })),
  })
  const index = asked.findIndex(({ data }) => data !== undefined)
  const failed = asked.find(({ error }) => error !== null && !isMissing(error))
  return {
    hash: queued?.hash ?? gone[index]?.hash ?? null,
    isAsking: index < 0 && asked.some(({ isPending }) => isPending),
    error: index < 0 ? (failed?.error ?? null) : null,
    retry: () => void failed?.refetch(),
  }
}

function isMissing(error: Error): boolean {
  return error instanceof CountersignError && error.code === 'TRANSACTION_NOT_FOUND'
}
