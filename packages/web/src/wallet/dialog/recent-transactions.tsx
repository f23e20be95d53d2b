import { useQueries } from '@tanstack/react-query'
import { useState, useSyncExternalStore } from 'react'
import { chainRequest } from '../../api/chain-client.ts'
import { useChain } from '../../api/configuration.ts'
import { readObservation } from '../../api/sent-transaction.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy/copy-button.tsx'
import { ExternalLink } from '../../ui/external-link.tsx'
import { Tag } from '../../ui/tag.tsx'
import { Time } from '../../ui/text/time.tsx'
import { TextAnchor } from '../../ui/text-link.tsx'
import {
  clearSent,
  readSent,
  type Sender,
  type SentOutcome,
  type SentTransaction,
  subscribeToSent,
  updateSent,
} from '../session/sent-transactions.ts'
import { text } from '../text.ts'
import { outcomeOf } from './sent-outcome.ts'

const POLL_MS = 2_000
const SHOWN_FIRST = 3

const tones = { pending: 'neutral', confirmed: 'good', failed: 'danger', dropped: 'warning' } as const satisfies Record<
  SentOutcome,
  'neutral' | 'good' | 'danger' | 'warning'
>

/** Shows the transactions that this account sent from this browser on this chain, each followed until it is final. */
export function RecentTransactions({ sender }: { sender: Sender }) {
  const sent = useSyncExternalStore(subscribeToSent, () => readSent(sender))
  const [isAll, setIsAll] = useState(false)
  const { isUnreadable } = useFollowing(sender, sent)
  const shown = isAll ? sent : sent.slice(0, SHOWN_FIRST)
  return (
    <section aria-labelledby="recent-transactions">
      <div className="mb-1 flex min-h-9 flex-wrap items-center justify-between gap-x-3">
        <h3 id="recent-transactions" className="font-semibold">
          {text('wallet.recent.title')}
        </h3>
        {sent.length > 0 && (
          <Button variant="quiet" isCompact onClick={() => clearSent(sender)}>
            {text('wallet.recent.clear')}
          </Button>
        )}
      </div>
      {sent.length === 0 ? (
        <p className="border-t border-rule pt-2 text-small text-ink-soft">{text('wallet.recent.none')}</p>
      ) : (
        <ul aria-live="polite" className="border-t border-rule">
          {shown.map((sent) => (
            <SentRow key={sent.transactionHash} chainId={sender.chainId} sent={sent} />
          ))}
        </ul>
      )}
      {sent.length > SHOWN_FIRST && !isAll && (
        <Button variant="quiet" isCompact onClick={() => setIsAll(true)}>
          {text('wallet.recent.all', { count: sent.length })}
        </Button>
      )}
      {isUnreadable && <p className="mt-1 text-small text-warning">{text('wallet.recent.unreadable')}</p>}
    </section>
  )
}

/** Asks the node about those that are not final, and writes down what it says. */
function useFollowing(sender: Sender, sent: readonly SentTransaction[]): { isUnreadable: boolean } {
  const open = sent.filter(({ outcome }) => outcome === 'pending' || outcome === 'dropped')
  const results = useQueries({
    queries: open.map((transaction) => ({
      queryKey: ['sent-transaction', sender, transaction],
      queryFn: async () => {
        const { transactionHash } = transaction
        const seen = await readObservation(chainRequest(sender.chainId), { transactionHash, executor: sender.account })
        updateSent(sender, transactionHash, outcomeOf(transaction, seen))
        return seen.now
      },
      refetchInterval: POLL_MS,
      staleTime: 0,
      gcTime: 0,
    })),
  })
  return { isUnreadable: results.some(({ isError }) => isError) }
}

function SentRow({ chainId, sent }: { chainId: number; sent: SentTransaction }) {
  const explorerUrl = useChain(chainId)?.explorerUrl
  const { transactionHash, submissionDate, outcome, subject } = sent
  return (
    <li
      data-sent={transactionHash}
      data-outcome={outcome}
      className="grid gap-x-3 gap-y-0.5 border-b border-rule py-2 text-small"
    >
      <span className="flex flex-wrap items-baseline justify-between gap-x-3">
        <Tag tone={tones[outcome]}>{text(`wallet.recent.outcome.${outcome}`)}</Tag>
        <span className="text-ink-soft">
          <Time value={submissionDate} />
        </span>
      </span>
      <span className="flex flex-wrap items-baseline gap-x-3">
        <span className="figures" title={transactionHash}>
          {transactionHash.slice(0, 10)}…{transactionHash.slice(-8)}
        </span>
        <CopyButton value={transactionHash} label={text('copy.hash', { hash: transactionHash })} />
        {subject && (
          <TextAnchor href={`/safes/${chainId}/${subject.safeAddress}/transactions/${subject.safeTxHash}`}>
            {text('wallet.recent.open')}
          </TextAnchor>
        )}
        {explorerUrl && (
          <ExternalLink href={`${explorerUrl}/tx/${transactionHash}`}>{text('wallet.profile.explorer')}</ExternalLink>
        )}
      </span>
    </li>
  )
}
