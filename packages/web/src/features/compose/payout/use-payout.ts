import type { MultisigTransaction } from '@countersign/contract'
import { CountersignError, type SafeState } from '@countersign/safe'
import { useQueries } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import type { Address, Hex } from 'viem'
import { transactionQuery } from '../../../safe/queries.ts'
import type { DraftPlace } from '../saved/unfinished.ts'
import { type BatchStanding, batchStanding } from './batch-standing.ts'
import { readMeasure } from './measure-batch.ts'
import type { FailingBatch } from './measured-gas.ts'
import { openKeptList } from './open-list.ts'
import { changePayout, type KeptPayout, loadPayout, splitSoFar, withBatch } from './saved-payout.ts'
import { splitPayments } from './split-payments.ts'

export type ChangePayout = (next: (kept: KeptPayout | null) => KeptPayout | null) => Promise<KeptPayout | null>

/** The payout of an account and Safe that this browser keeps; undefined until that is known. */
export function useKeptPayout({ account, chainId, safeAddress }: DraftPlace) {
  const [kept, setKept] = useState<KeptPayout | null>()
  useEffect(() => {
    let isHere = true
    const load = () =>
      void loadPayout({ account, chainId, safeAddress }).then(
        (loaded) => isHere && setKept(loaded),
        () => isHere && setKept(null),
      )
    load()
    // Another tab may have gone on with it.
    window.addEventListener('focus', load)
    return () => {
      isHere = false
      window.removeEventListener('focus', load)
    }
  }, [account, chainId, safeAddress])
  const change: ChangePayout = async (next) => {
    const changed = await changePayout({ account, chainId, safeAddress }, next)
    setKept(changed)
    return changed
  }
  return { kept, change }
}

type Splitting = { kept: KeptPayout; safe: SafeState; multiSend: Address | null | undefined; executor: Address }

/** Splits what is in no transaction yet, from where it was left, and measures each transaction. */
async function split(
  { kept, safe, multiSend, executor }: Splitting,
  change: ChangePayout,
  signal: AbortSignal,
): Promise<FailingBatch | null> {
  if (!multiSend) return { line: null, failure: null }
  const { ask } = await openKeptList(kept, safe.address)
  const { limits, measure } = await readMeasure(safe, multiSend, executor)
  let failing: FailingBatch | null = null
  const measuredOf = async (from: number, count: number) => {
    const measured = await measure(await ask({ kind: 'calls', from, count }))
    if ('bytes' in measured) return measured
    failing = measured
    // As if it were full: nothing is tried after it.
    return { gas: limits.gas, bytes: 0 }
  }
  for await (const batch of splitPayments(kept.count, limits, measuredOf, splitSoFar(kept))) {
    if (failing || signal.aborted) return failing
    await change((now) => withBatch(now, batch))
  }
  return failing
}

/** How far the splitting of a payout is. It goes on while the page is open, and again where it was left. */
export function useSplit(splitting: Splitting, change: ChangePayout) {
  const [failing, setFailing] = useState<FailingBatch | null>(null)
  const [error, setError] = useState<Error | null>(null)
  const isWhole = splitSoFar(splitting.kept) === splitting.kept.count
  const isWanted = !isWhole && splitting.multiSend !== undefined && failing === null && error === null
  const go = useEffectEvent((signal: AbortSignal) =>
    split(splitting, change, signal).then(setFailing, (caught: unknown) =>
      setError(caught instanceof Error ? caught : new Error(String(caught))),
    ),
  )
  useEffect(() => {
    if (!isWanted) return
    const stopping = new AbortController()
    void go(stopping.signal)
    return () => stopping.abort()
  }, [isWanted])
  // Lost with the network, it goes on where it was left once that is back.
  useEffect(() => {
    if (error === null) return
    const goOn = () => setError(null)
    window.addEventListener('online', goOn)
    return () => window.removeEventListener('online', goOn)
  }, [error])
  return { isWhole, failing, error, retry: () => setError(null) }
}

/** How each transaction of a payout stands, by the queue and, for those that left it, by their hashes. */
export function useStandings(
  { batches }: KeptPayout,
  queue: readonly MultisigTransaction[],
  { chainId, nonce }: SafeState,
): BatchStanding[] {
  const queued = new Map(queue.map((transaction) => [transaction.safeTxHash, transaction]))
  const hashes = batches.flatMap(({ sent }) => sent.map(({ hash }) => hash)).filter((hash) => !queued.has(hash))
  const asked = useQueries({
    queries: hashes.map((hash) => ({ ...transactionQuery(chainId, hash), retry: false })),
  })
  const served = (hash: Hex) => {
    const inQueue = queued.get(hash)
    if (inQueue) return inQueue
    const answer = asked[hashes.indexOf(hash)]
    if (answer?.data) return answer.data.transaction
    const isMissing = answer?.error instanceof CountersignError && answer.error.code === 'TRANSACTION_NOT_FOUND'
    return isMissing ? null : undefined
  }
  return batches.map((batch) => batchStanding(batch, served, nonce))
}
