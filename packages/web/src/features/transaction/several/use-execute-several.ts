import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Address, Hex } from 'viem'
import { ANEW } from '../../../api/query-client.ts'
import { keysOutdatedBy } from '../../../api/query-keys.ts'
import { useReviewLists } from '../../../evidence/attribution/review-lists.ts'
import type { Shown } from '../../../review/sign/check-again.ts'
import { transactionQuery } from '../../../safe/queries.ts'
import { safeStateQuery } from '../../../safe/safe-state.ts'
import { type ChosenFees, useSigner } from '../../../wallet/signing.ts'
import type { ExecutionProgress, SendingStep, SentExecution } from '../execution/execution-state.ts'
import { type ExecutedPlace, followExecution, newestSent, POLL_MS } from '../execution/follow-execution.ts'
import { sendExecution } from '../execution/send-execution.ts'
import { executeInSequence, standingOfSent } from './execution-queue.ts'

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
  const [isStopping, setIsStopping] = useState(false)
  // A second press may come before the first is drawn as busy.
  const run = useRef<{ isStopped: boolean } | null>(null)
  const isLeft = useRef(false)
  useEffect(() => {
    isLeft.current = false
    return () => {
      isLeft.current = true
    }
  }, [])
  const put = (hash: Hex, state: ExecutionOfSeveral) => setStates((before) => new Map(before).set(hash, state))

  /** Sends one, and waits until it is executed. Answers whether it is. */
  const executeOne = async ({ safeTxHash, nonce, shown }: ReadyToExecute, fees: ChosenFees) => {
    const place = { chainId, safeAddress, safeTxHash }
    const known: { sent: SentExecution | null } = { sent: null }
    const recordError = await sendExecution(
      place,
      { shown, fees },
      {
        queryClient,
        signer,
        lists,
        onStep: (step) => known.sent === null && put(safeTxHash, { kind: 'sending', step }),
        onSent: (sent) => {
          known.sent = sent
          put(safeTxHash, { kind: 'sent', sent, progress: { step: 'waiting' }, isUnrecorded: false })
        },
      },
    )
    return known.sent !== null && untilExecuted(place, known.sent, { nonce, isUnrecorded: recordError !== null })
  }

  /**
   * Follows what was sent until it is final, also where it was sent again with a higher fee from another tab or by the wallet.
   * Answers whether it is executed.
   */
  const untilExecuted = async (
    place: ExecutedPlace,
    first: SentExecution,
    { nonce, isUnrecorded }: { nonce: bigint; isUnrecorded: boolean },
  ) => {
    let sent = first
    for (let undecided = 0; !isLeft.current; await pause()) {
      const served = await queryClient
        .fetchQuery({ ...transactionQuery(chainId, place.safeTxHash), staleTime: ANEW })
        .catch(never)
      const newest = newestSent(sent, served?.transaction.pendingExecution ?? null)
      if (newest !== null && newest.transactionHash !== sent.transactionHash)
        sent = { ...newest, earlier: sent.transactionHash }
      const seen = (await followExecution(place, sent).catch(never))?.progress ?? { step: 'waiting' as const }
      const isUsed = (await readNonce()) > nonce
      const standing = standingOfSent({ seen, served: served?.transaction, isUsed, undecided })
      undecided = standing.undecided
      put(place.safeTxHash, { kind: 'sent', sent, progress: standing.progress, isUnrecorded })
      if (standing.isExecuted !== null) return standing.isExecuted
    }
    return false
  }

  const readNonce = async (): Promise<bigint> => {
    const state = await queryClient
      .fetchQuery({ ...safeStateQuery(chainId, safeAddress), staleTime: ANEW })
      .catch(never)
    return state?.nonce ?? 0n
  }

  const execute = async (ready: readonly ReadyToExecute[], fees: ChosenFees) => {
    if (run.current) return
    const mine = { isStopped: false }
    run.current = mine
    setIsRunning(true)
    setIsStopping(false)
    await executeInSequence(ready, {
      executeOne: (one) => executeOne(one, fees),
      isEnded: () => mine.isStopped || isLeft.current,
      onFailed: ({ safeTxHash }, error) => put(safeTxHash, { kind: 'failed', error }),
      onDone: ({ safeTxHash }) => {
        const subject = { kind: 'transaction', chainId, safeAddress, safeTxHash } as const
        for (const queryKey of keysOutdatedBy(subject)) void queryClient.invalidateQueries({ queryKey })
      },
    })
    run.current = null
    setIsRunning(false)
  }
  const stop = () => {
    if (run.current) run.current.isStopped = true
    setIsStopping(true)
  }
  return { states, isRunning, isStopping, execute, stop, forget: () => setStates(new Map()) }
}

function never(): null {
  return null
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, POLL_MS))
}
