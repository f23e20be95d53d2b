import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { keysOutdatedBy } from '../../../api/query-keys.ts'
import { useReviewLists } from '../../../evidence/attribution/review-lists.ts'
import { fail } from '../../../text/fail.ts'
import { useSigner } from '../../../wallet/signing.ts'
import type { ExecutionProgress, SendingStep, SentExecution } from './execution-state.ts'
import { type ExecutedPlace, followExecution, POLL_MS } from './follow-execution.ts'
import { readSent, sendExecution } from './send-execution.ts'

/** Executes what was reviewed, and keeps what was sent. */
export function useExecuteTransaction(place: ExecutedPlace) {
  const queryClient = useQueryClient()
  const signer = useSigner()
  const { lists } = useReviewLists(place.chainId, place.safeAddress)
  const [step, setStep] = useState<SendingStep>('checking')
  const [sent, setSent] = useState<SentExecution | null>(() => readSent(place))
  const [recordError, setRecordError] = useState<unknown>(null)

  const mutation = useMutation({
    mutationFn: async (what: Parameters<typeof sendExecution>[1]) => {
      setRecordError(null)
      const by = { queryClient, signer, lists, onStep: setStep, onSent: setSent }
      setRecordError(await sendExecution(place, what, by))
    },
    onSettled: () => {
      for (const queryKey of keysOutdatedBy({ kind: 'transaction', ...place }))
        void queryClient.invalidateQueries({ queryKey })
    },
  })
  return { ...mutation, step, sent, recordError }
}

/** A sent execution, and where it stands: it waits until the node has answered. */
export type FollowedExecution = {
  sent: SentExecution
  progress: ExecutionProgress
  error: Error | null
  accountNonce: number | null
}

/** Follows a sent execution until it is final. Null if none was sent. */
export function useFollowedExecution(place: ExecutedPlace, sent: SentExecution | null): FollowedExecution | null {
  const queryClient = useQueryClient()
  const query = useQuery({
    queryKey: ['execution', place, sent],
    queryFn: async () => {
      if (!sent) throw fail('INTERNAL', { reason: 'execution' })
      return followExecution(place, sent)
    },
    enabled: sent !== null,
    refetchInterval: ({ state }) => (isFinal(state.data?.progress) ? false : POLL_MS),
    refetchIntervalInBackground: true,
    staleTime: 0,
  })
  const step = query.data?.progress.step
  const { chainId, safeAddress, safeTxHash } = place
  useEffect(() => {
    if (step === undefined || step === 'waiting' || step === 'dropped') return
    for (const key of keysOutdatedBy({ kind: 'transaction', chainId, safeAddress, safeTxHash }))
      void queryClient.invalidateQueries({ queryKey: key })
  }, [step, chainId, safeAddress, safeTxHash, queryClient])
  if (!sent) return null
  const { progress = { step: 'waiting' }, accountNonce = null } = query.data ?? {}
  return { sent, progress, error: query.error, accountNonce }
}

function isFinal(progress: ExecutionProgress | undefined): boolean {
  // A dropped one may come back: a node can lose it and learn of it again.
  return progress !== undefined && !['waiting', 'dropped'].includes(progress.step)
}
