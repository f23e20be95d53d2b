import type { HistoryEntry } from '@countersign/contract'
import { type Names, shortNameOf } from '../../safe/names/names.ts'
import { transactionTitle } from '../../safe/title/transaction-title.ts'
import { formatHour } from '../../text/locale.ts'
import { ExternalLink } from '../../ui/external-link.tsx'
import { Tag } from '../../ui/tag.tsx'
import { Time } from '../../ui/text/time.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { HistoryLine, wordsOf } from './history-entry.tsx'
import type { HistoryGroup } from './history-groups.ts'
import { text } from './text.ts'

/** One Ethereum transaction in one line, that opens in place to all that it did. */
export function HistoryRow({ group, names }: { group: HistoryGroup; names: Names }) {
  const { executed, entries, isSuccessful, blockTime, transactionHash } = group
  const explorerUrl = names.chain?.explorerUrl
  const date = new Date(blockTime)
  const isUnexplained = entries.some(({ kind }) => kind.startsWith('unexplained'))
  return (
    <details data-history-row={group.id} className="group @container">
      <summary className="grid min-h-11.5 cursor-pointer list-none grid-cols-[minmax(0,1fr)_auto] @3xs:grid-cols-[3.25rem_minmax(0,1fr)_auto_1rem] items-center gap-x-3 py-2 hover:bg-raised [&::-webkit-details-marker]:hidden">
        <time dateTime={date.toISOString()} className="text-small text-ink-soft tabular-nums">
          {formatHour(date)}
        </time>
        <span
          className={`order-1 col-span-2 min-w-0 wrap-anywhere @3xs:order-none @3xs:col-span-1 @3xl:truncate ${executed ? 'font-semibold' : ''}`}
        >
          {titleOf(group, names)}
        </span>
        <span className="order-1 col-span-2 flex gap-1.5 @3xs:order-none @3xs:col-span-1">
          {isSuccessful === false && <Tag tone="danger">{text('status.FAILED')}</Tag>}
          {isUnexplained && <Tag tone="warning">{text('history.filter.unexplained')}</Tag>}
          {executed?.safeTx && (
            <span className="hidden text-small text-ink-faint @3xl:inline">
              {text('queue.nonce', { nonce: executed.safeTx.nonce })}
            </span>
          )}
        </span>
        <svg
          aria-hidden="true"
          viewBox="0 0 16 16"
          className="size-4 text-ink-faint transition-transform group-open:rotate-180"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.6"
        >
          <path d="m4 6 4 4 4-4" />
        </svg>
      </summary>
      <div className="grid gap-2.5 pb-4 pl-3 sm:pl-16">
        {entries.map((entry) => (
          <HistoryLine key={entry.id} entry={entry} names={names} />
        ))}
        <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-small text-ink-soft">
          {isSuccessful && <Tag tone="good">{text('status.SUCCESS')}</Tag>}
          <Time value={blockTime} />
          {executed && (
            <TextLink look="action" to="/safes/$chainId/$safeAddress/transactions/$safeTxHash" params={executed}>
              {text('history.open')}
            </TextLink>
          )}
          {explorerUrl && transactionHash && (
            <ExternalLink href={`${explorerUrl}/tx/${transactionHash}`}>{text('history.explorer')}</ExternalLink>
          )}
        </p>
      </div>
    </details>
  )
}

/** The effect in the past tense; without a transaction of the owners, the first thing that happened. */
function titleOf({ executed, entries }: HistoryGroup, names: Names): string {
  if (executed?.safeTx) {
    const collections = entries.flatMap(({ tokenKind, token }) => (tokenKind === 'erc721' && token ? [token] : []))
    return transactionTitle(executed.safeTx, names, { isExecuted: executed.isSuccessful === true, collections })
  }
  const [first] = entries
  return executed || !first ? text('transaction.title.unknown') : entryTitle(first, names)
}

function entryTitle(entry: HistoryEntry, names: Names): string {
  const about = entry.counterparty ?? entry.subject
  const words = wordsOf(entry, names)
  if (!about) return words
  return text('history.at', {
    words,
    whom: shortNameOf(about, names) ?? `${about.slice(0, 6)}…${about.slice(-4)}`,
  })
}
