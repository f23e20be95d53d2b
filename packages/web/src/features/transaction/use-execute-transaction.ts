import { type MultisigTransaction, type Reviewed, recordExecution } from '@countersign/contract'
import { canExecute } from '@countersign/safe-core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Address, Hex } from 'viem'
import { chainRequest } from '../../api/chain-client.ts'
import { api } from '../../api/client.ts'
import { keysOutdatedBy } from '../../api/query-keys.ts'
import { readObservation } from '../../api/sent-transaction.ts'
import { serverNow } from '../../api/server-time.ts'
import { checkAgain, type Shown } from '../../review/check-again.ts'
import { estimateExecution, executionCall, simulateExecution } from '../../review/execution.ts'
import { madePack } from '../../review/proof-pack/made-packs.ts'
import { reportOf } from '../../review/report.ts'
import { useReviewLists } from '../../review/review-lists.ts'
import { executionGas } from '../../review/simulation/execution-gas.ts'
import { readTab, writeTab } from '../../review/tab-storage.ts'
import { fail } from '../../text/fail.ts'
import { useSigner } from '../../wallet/index.ts'
import { type ExecutionProgress, observeExecution, type SendingStep, type SentExecution } from './execution-state.ts'
import { readRaisedFees } from './raised-fees.ts'

const POLL_MS = 1_500
const RECORD_TRIES = 3

type Place = { chainId: number; safeAddress: Address; safeTxHash: Hex }

/** Executes what was reviewed: checks once more, simulates, estimates, sends, and tells the server at once. */
export function useExecuteTransaction(place: Place) {
  const queryClient = useQueryClient()
  const signer = useSigner()
  const { lists } = useReviewLists(place.chainId, place.safeAddress)
  const [step, setStep] = useState<SendingStep>('checking')
  const [sent, setSent] = useState<SentExecution | null>(() => readSent(place))
  const [recordError, setRecordError] = useState<unknown>(null)

  const mutation = useMutation({
    /**
     * @param shown the hash that the person has seen, computed in this browser, and the answers to its review
     * @param earlier the one that waits, and is to be sent again with a higher fee
     */
    mutationFn: async ({ shown, earlier }: { shown: Shown; earlier?: Hex }) => {
      if (!signer) throw fail('WALLET_NOT_CONNECTED', { reason: 'none' })
      const { account } = signer
      setRecordError(null)
      setStep('checking')
      const subjectPlace = { kind: 'transaction', ...place, hash: place.safeTxHash } as const
      const again = await checkAgain(queryClient, subjectPlace, { account, lists }, shown)
      const { request, review, state } = again
      const { subject } = request
      if (subject.kind !== 'transaction') throw fail('REVIEW_INCOMPLETE', { reason: 'fields' })
      const { safeTx } = subject
      const permission = canExecute({
        safe: state,
        transaction: {
          nonce: safeTx.nonce,
          isExecuted: false,
          confirmations: review.confirmations.filter(({ status }) => status === 'valid'),
        },
        account,
      })
      if (!permission.ok) throw permission.error
      const node = chainRequest(place.chainId)
      const call = await executionCall(node, safeTx, review.confirmations, state)
      const execution = { from: account, ...call }
      const isBatch = state.creation !== undefined
      setStep('simulating')
      await simulateExecution(node, execution, { isBatch })
      setStep('estimating')
      // Gas that a contract takes to check its own signature is not part of the run.
      const isByKeys = !review.confirmations.some(({ signatureType }) => signatureType === 'CONTRACT_SIGNATURE')
      const given = { signatures: state.threshold, safeTxGas: safeTx.safeTxGas }
      const gas =
        (isByKeys && !isBatch && executionGas(again.facts, given)) || (await estimateExecution(node, execution))
      const replacing = earlier && (await readRaisedFees(node, earlier))
      setStep('wallet')
      const transactionHash = await signer.sendTransaction({
        chainId: place.chainId,
        ...call,
        value: 0n,
        ...{ gas, replacing },
        subject: { safeAddress: place.safeAddress, safeTxHash: place.safeTxHash },
      })
      const now: SentExecution = {
        transactionHash,
        executor: account,
        submissionDate: new Date(serverNow()).toISOString(),
        accountNonce: replacing ? replacing.nonce : null,
        earlier,
      }
      writeSent(place, now)
      setSent(now)
      setStep('recording')
      // It is on its way whatever the server says; only telling the others can fail.
      const reviewed = reportOf({ ...again, pack: madePack(account, review.hash) })
      await record(place, { transactionHash, reviewed }).catch(setRecordError)
    },
    onSettled: () => {
      for (const queryKey of keysOutdatedBy({ kind: 'transaction', ...place }))
        void queryClient.invalidateQueries({ queryKey })
    },
  })
  return { ...mutation, step, sent, recordError }
}

async function record(
  { chainId, safeTxHash }: Place,
  sent: { transactionHash: Hex; reviewed: Reviewed },
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await api(recordExecution, { chainId, safeTxHash, ...sent })
      return
    } catch (error) {
      if (attempt === RECORD_TRIES) throw error
      await new Promise((resolve) => setTimeout(resolve, 700 * attempt))
    }
  }
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
  place: Place,
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

function sentKey({ chainId, safeTxHash }: Place): string {
  return `countersign.sent.${chainId}.${safeTxHash}`
}

function writeSent(place: Place, sent: SentExecution): void {
  writeTab(sentKey(place), JSON.stringify(sent))
}

function readSent(place: Place): SentExecution | null {
  try {
    const sent: unknown = JSON.parse(readTab(sentKey(place)) ?? 'null')
    return isSent(sent) ? sent : null
  } catch {
    return null
  }
}

function isSent(value: unknown): value is SentExecution {
  return (
    typeof value === 'object' &&
    value !== null &&
    ['transactionHash', 'executor', 'submissionDate'].every((name) => name in value)
  )
}
