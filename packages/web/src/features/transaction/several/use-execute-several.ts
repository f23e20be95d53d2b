import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Address, Hex } from 'viem'
import { chainRequest } from '../../../api/chain-client.ts'
import { keysOutdatedBy } from '../../../api/query-keys.ts'
import { safeStateQuery } from '../../../api/safe-state.ts'
import { readObservation } from '../../../api/sent-transaction.ts'
import type { Shown } from '../../../review/check-again.ts'
import { useReviewLists } from '../../../review/review-lists.ts'
import { useSigner } from '../../../wallet/signing.ts'
import { type ExecutionProgress, observeExecution, type SendingStep, type SentExecution } from '../execution-state.ts'
import { sendExecution } from '../send-execution.ts'

const POLL_MS = 1_500

/** Where one of several executions stands; `isUnrecorded` where the server could not be told of it. */
export type ExecutionOfSeveral =
  | { kind: 'sending'; step: SendingStep }
  | { kind: 'sent'; sent: SentExecution; progress: ExecutionProgress; isUnrecorded: boolean }
  | { kind: 'failed'; error: unknown }

/** One transaction to execute, as the person has seen it. */
export type ReadyToExecute = { safeTxHash: Hex; nonce: bigint; shown: Shown }

/**
 * Executes transactions one after the other: each is checked again on the Safe as those before it left it, sent, and waited
 * for. Where one fails, or the page is left, nothing after it is sent.
 */
export function useExecuteSeveral({ chainId, safeAddress }: { chainId: number; safeAddress: Address }) {
  const queryClient = useQueryClient()
  const signer = useSigner()
  const { lists } = useReviewLists(chainId, safeAddress)
  const [states, setStates] = useState<ReadonlyMap<Hex, ExecutionOfSeveral>>(new Map())
  const [isRunning, setIsRunning] = useState(false)
  // A second press may come before the first is drawn as busy.
  const run = useRef<{ isStopped: boolean } | null>(null)
  useEffect(() => () => stopRun(run.current), [])
  const put = (hash: Hex, state: ExecutionOfSeveral) => setStates((before) => new Map(before).set(hash, state))

  /** Sends one, and waits until it is executed. Answers whether it is. */
  const executeOne = async ({ safeTxHash, nonce, shown }: ReadyToExecute, isStopped: () => boolean) => {
    const place = { chainId, safeAddress, safeTxHash }
    const known: { sent: SentExecution | null } = { sent: null }
    const recordError = await sendExecution(
      place,
      { shown },
      {
        ...{ queryClient, signer, lists },
        onStep: (step) => known.sent === null && put(safeTxHash, { kind: 'sending', step }),
        onSent: (sent) => {
          known.sent = sent
          put(safeTxHash, { kind: 'sent', sent, progress: { step: 'waiting' }, isUnrecorded: false })
        },
      },
    )
    const { sent } = known
    for (; sent !== null && !isStopped(); await pause()) {
      const progress = await observe(place, sent)
      put(safeTxHash, { kind: 'sent', sent, progress, isUnrecorded: recordError !== null })
      if (progress.step === 'executed') {
        await untilUsed(nonce, isStopped)
        return true
      }
      if (progress.step !== 'waiting') return false
    }
    return false
  }

  /** Waits until the node whose state is read has seen the nonce used up: it may lag behind the one with the receipt. */
  const untilUsed = async (nonce: bigint, isStopped: () => boolean) => {
    for (; !isStopped(); await pause()) {
      const state = await queryClient.fetchQuery({ ...safeStateQuery(chainId, safeAddress), staleTime: 0 }).catch(never)
      if (state && state.nonce > nonce) return
    }
  }

  const execute = async (ready: readonly ReadyToExecute[]) => {
    if (run.current) return
    const mine = { isStopped: false }
    run.current = mine
    setIsRunning(true)
    for (const one of ready) {
      if (mine.isStopped) break
      const isExecuted = await executeOne(one, () => mine.isStopped).catch((error: unknown) => {
        put(one.safeTxHash, { kind: 'failed', error })
        return false
      })
      const subject = { kind: 'transaction', chainId, safeAddress, safeTxHash: one.safeTxHash } as const
      for (const queryKey of keysOutdatedBy(subject)) void queryClient.invalidateQueries({ queryKey })
      if (!isExecuted) break
    }
    run.current = null
    setIsRunning(false)
  }
  return { states, isRunning, execute, stop: () => stopRun(run.current), forget: () => setStates(new Map()) }
}

function stopRun(run: { isStopped: boolean } | null): void {
  if (run) run.isStopped = true
}

function never(): null {
  return null
}

/** Where a sent execution stands; it waits for as long as the node does not say. */
async function observe(
  place: { chainId: number; safeAddress: Address; safeTxHash: Hex },
  sent: SentExecution,
): Promise<ExecutionProgress> {
  try {
    return observeExecution(sent, place, await readObservation(chainRequest(place.chainId), sent))
  } catch {
    return { step: 'waiting' }
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, POLL_MS))
}
