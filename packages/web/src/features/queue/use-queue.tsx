import { groupQueue, isSameAddress, type NonceGroup } from '@countersign/safe'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type ReactNode, Suspense, useMemo, useState } from 'react'
import type { Address } from 'viem'
import { useRegisteredNames } from '../../safe/names/primary-names.ts'
import { useNames } from '../../safe/names/use-names.ts'
import { type Proposal, proposalsOf, waitsFor } from '../../safe/proposals.ts'
import { queueQuery } from '../../safe/queries.ts'
import { safeQuery } from '../../safe/safe.ts'
import { useSafeState } from '../../safe/safe-state.ts'
import { counterpartyOf } from '../../safe/title/counterparty.ts'
import { withTexts } from '../../text/text.ts'
import { lazyPart } from '../../ui/part/lazy-part.tsx'
import { useSeen } from '../../ui/screen/use-seen.ts'
import { useSession } from '../../wallet/index.ts'
import type { QueueView } from './queue-row.tsx'
import type { Verdicts } from './queue-verdicts.tsx'

/** The review and its texts come when something is queued. */
const QueueVerdicts = lazyPart(async () => {
  const { QueueVerdicts: view } = await withTexts(() => import('./queue-verdicts.tsx'))
  return view
})

/**
 * The queue of a Safe with the verdicts of this browser for the rows that have been on the screen.
 *
 * @param ahead - count of the first rows that get a verdict as well, once those on the screen have theirs
 */
export function useQueue(chainId: number, safeAddress: Address, ahead = 0) {
  const { session } = useSession()
  const state = useSafeState(chainId, safeAddress)
  const counted = useQuery(safeQuery(chainId, safeAddress)).data?.awaitingMyConfirmation ?? 0
  const queue = useInfiniteQuery(queueQuery(chainId, safeAddress))
  const account = session?.address ?? null
  const pages = queue.data?.pages
  const transactions = useMemo(() => pages?.flatMap((page) => page.transactions) ?? [], [pages])
  const [{ verdicts, unreviewed }, setVerdicts] = useState<Verdicts>({ verdicts: new Map(), unreviewed: new Map() })
  const { seen, watch } = useSeen()
  const [isAhead, setIsAhead] = useState(false)
  const isSeenJudged = [...seen].every((safeTxHash) => verdicts.has(safeTxHash) || unreviewed.has(safeTxHash))
  if (ahead > 0 && !isAhead && seen.size > 0 && isSeenJudged) setIsAhead(true)
  const shown = useMemo(
    () => transactions.filter(({ safeTxHash }, index) => seen.has(safeTxHash) || (isAhead && index < ahead)),
    [transactions, seen, isAhead, ahead],
  )
  // Whom the titles of rows name: each is asked about once its row has been on the screen.
  const parties = useMemo(
    () => shown.flatMap(({ safeTx }) => (safeTx ? [counterpartyOf(safeTx, safeAddress).address as Address] : [])),
    [shown, safeAddress],
  )
  const names = useRegisteredNames(useNames(chainId, safeAddress), chainId, parties)
  const nonce = state.data?.nonce ?? null
  const groups: NonceGroup<Proposal>[] = useMemo(
    () => groupQueue(proposalsOf(transactions), nonce),
    [transactions, nonce],
  )
  const view: QueueView = useMemo(
    () => ({ state: state.data, account, names, verdicts, unreviewed, watch }),
    [state.data, account, names, verdicts, unreviewed, watch],
  )
  const waiting = useMemo(
    () => transactions.filter((transaction) => waitsFor(transaction, account, state.data)),
    [transactions, account, state.data],
  )
  const isRefused = ({ safeTxHash }: { safeTxHash: string }) => verdicts.get(safeTxHash)?.verdict === 'do-not-sign'
  const refused = waiting.filter(isRefused).length
  const reviewing: ReactNode = shown.length > 0 && (
    <Suspense>
      <QueueVerdicts
        transactions={shown}
        account={account}
        place={{ chainId, safeAddress }}
        state={state.error ? null : state.data}
        onVerdicts={setVerdicts}
      />
    </Suspense>
  )
  return {
    queue,
    state,
    groups,
    view,
    /** Draws nothing; has to be drawn for verdicts to come. */
    reviewing,
    isOwner: account !== null && state.data?.owners.some((owner) => isSameAddress(owner, account)) === true,
    /** How many wait for the reader; what must not be signed waits for nobody. Of a queue that is here in part the server counts. */
    mine: (queue.hasNextPage ? Math.max(waiting.length, counted) : waiting.length) - refused,
    /** Count of those that have a verdict by now. */
    judged: waiting.filter(({ safeTxHash }) => verdicts.has(safeTxHash)).length - refused,
    refused,
  }
}
