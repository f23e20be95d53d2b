import type { MultisigTransaction } from '@countersign/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { chainRequest } from '../../api/chain-client.ts'
import { keysOutdatedBy } from '../../api/query-keys.ts'
import { readObservation } from '../../api/sent-transaction.ts'
import { useReviewLists } from '../../review/review-lists.ts'
import { readTab, writeTab } from '../../review/tab-storage.ts'
import { fail } from '../../text/fail.ts'
import { useSigner } from '../../wallet/signing.ts'
import { type ExecutionProgress, observeExecution, type SendingStep, type SentExecution } from './execution-state.ts'
import { type ExecutedPlace, readSent, sendExecution } from './send-execution.ts'

const POLL_MS = 1_500

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

/** The newest execution that is known: the one sent from this tab, or the one that the server was told of. */
export function newestSent(
  local: SentExecution | null,
  served: MultisigTransaction['pendingExecution'],
): SentExecution | null {
  if (!served) return local
  if (local?.transactionHash === served.transactionHash) return local
  if (local && Date.parse(local.submissionDate) > Date.parse(served.submissionDate)) return local
  return { ...served, accountNonce: null }
}

/** Follows a sent execution until it is final. Progress is null before the first answer. */
export function useExecutionProgress(
  place: ExecutedPlace,
  sent: SentExecution | null,
): { progress: ExecutionProgress | null; error: Error | null; accountNonce: number | null } {
  const queryClient = useQueryClient()
  const queryKey = ['execution', place, sent]
  const query = useQuery({
    queryKey,
    queryFn: async () => {
      if (!sent) throw fail('INTERNAL', { reason: 'execution' })
      const node = chainRequest(place.chainId)
      const newest = await readObservation(node, sent)
      const before =
        sent.earlier && !newest.receipt ? await readObservation(node, { ...sent, transactionHash: sent.earlier }) : null
      const seen = before?.receipt ? before : newest
      const last = queryClient.getQueryData<{ accountNonce: number | null }>(queryKey)
      const accountNonce = seen.transaction?.accountNonce ?? last?.accountNonce ?? readNonce(sent) ?? sent.accountNonce
      if (accountNonce !== null) writeTab(nonceKey(sent), String(accountNonce))
      return { accountNonce, progress: observeExecution({ ...sent, accountNonce }, place, seen) }
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
  return {
    progress: query.data?.progress ?? null,
    error: query.error,
    accountNonce: query.data?.accountNonce ?? null,
  }
}

function isFinal(progress: ExecutionProgress | undefined): boolean {
  // A dropped one may come back: a node can lose it and learn of it again.
  return progress !== undefined && !['waiting', 'dropped'].includes(progress.step)
}

function nonceKey({ transactionHash }: SentExecution): string {
  return `countersign.account-nonce.${transactionHash}`
}

function readNonce(sent: SentExecution): number | null {
  const value = readTab(nonceKey(sent))
  return value !== null && /^[0-9]+$/.test(value) ? Number(value) : null
}
