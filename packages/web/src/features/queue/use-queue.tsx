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

/** Rows that are reviewed before they are scrolled into view, so that the count of transactions not to sign includes them. */
const MAX_ROWS_AHEAD = 30
/** Rows that are reviewed ahead at a time. A row that is scrolled into view waits for at most these. */
const ROWS_AT_ONCE = 5

/**
 * Returns the queue of a Safe with the verdicts of this browser. Rows that have been on the screen are reviewed first, then the
 * first rows of the queue.
 */
export function useQueue(chainId: number, safeAddress: Address) {
  const { session } = useSession()
  const state = useSafeState(chainId, safeAddress)
  const counted = useQuery(safeQuery(chainId, safeAddress)).data?.awaitingMyConfirmation ?? 0
  const queue = useInfiniteQuery(queueQuery(chainId, safeAddress))
  const account = session?.address ?? null
  const pages = queue.data?.pages
  const transactions = useMemo(() => pages?.flatMap((page) => page.transactions) ?? [], [pages])
  const [{ verdicts, unreviewed }, setVerdicts] = useState<Verdicts>({ verdicts: new Map(), unreviewed: new Map() })
  const { seen, watch } = useSeen()
  const [ahead, setAhead] = useState(0)
  const shown = useMemo(
    () => transactions.filter(({ safeTxHash }, index) => seen.has(safeTxHash) || index < ahead),
    [transactions, seen, ahead],
  )
  const isJudged = shown.every(({ safeTxHash }) => verdicts.has(safeTxHash) || unreviewed.has(safeTxHash))
  if (shown.length > 0 && isJudged && ahead < Math.min(MAX_ROWS_AHEAD, transactions.length))
    setAhead(ahead + ROWS_AT_ONCE)
  // Accounts in the titles of rows. Their names are queried when the row is reviewed.
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
