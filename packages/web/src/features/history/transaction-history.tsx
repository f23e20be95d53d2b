import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Address } from 'viem'
import { useChain } from '../../api/configuration.ts'
import type { Names } from '../../review/names.ts'
import { text } from '../../review/text.ts'
import { useNames } from '../../review/use-names.ts'
import { TransactionRow } from '../../review/view/transaction-row.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ExternalLink } from '../../ui/external-link.tsx'
import { List } from '../../ui/list.tsx'
import { Section } from '../../ui/section.tsx'
import { Tag } from '../../ui/tag.tsx'
import { TextAnchor } from '../../ui/text-link.tsx'
import { Time } from '../../ui/time.tsx'
import { HistoryLine } from './history-entry.tsx'
import { HistoryFilter } from './history-filter.tsx'
import { groupHistory, type HistoryGroup } from './history-groups.ts'
import { exportUrl, historyQuery, noChoice, toFilter } from './history-query.ts'

/** Shows the on-chain history of the Safe, newest first. */
export function TransactionHistory({
  chainId,
  safeAddress,
  note,
}: {
  chainId: number
  safeAddress: Address
  /** Whether it is whole, which another feature knows. */
  note?: ReactNode
}) {
  const chain = useChain(chainId)
  const [choice, setChoice] = useState(noChoice)
  const filter = toFilter(choice, chain)
  const history = useInfiniteQuery({
    ...historyQuery(chainId, safeAddress, filter),
    placeholderData: keepPreviousData,
  })
  const names = useNames(chainId, safeAddress)
  const groups = groupHistory(history.data?.pages.flatMap((page) => page.entries) ?? [])
  const isFiltered = Object.keys(filter).length > 0
  return (
    <Section
      title={text('history.title')}
      aside={
        <TextAnchor href={exportUrl(chainId, safeAddress, filter)} download>
          {text('history.export')}
        </TextAnchor>
      }
    >
      {note}
      <HistoryFilter choice={choice} chain={chain} onChoose={setChoice} />
      <List
        of={history}
        rows={groups}
        keyOf={({ id }) => id}
        label={text('history.title')}
        loading={text('history.loading')}
        empty={
          <Empty title={text(isFiltered ? 'history.empty.filtered' : 'history.empty')}>
            {text(isFiltered ? 'history.empty.filtered.sentence' : 'history.empty.sentence')}
          </Empty>
        }
        more={text('queue.more')}
      >
        {(group) => <HistoryRow group={group} names={names} />}
      </List>
    </Section>
  )
}

function HistoryRow({ group, names }: { group: HistoryGroup; names: Names }) {
  const { executed, entries, isSuccessful, blockTime, transactionHash } = group
  const explorerUrl = names.chain?.explorerUrl
  const lines = entries.map((entry) => <HistoryLine key={entry.id} entry={entry} names={names} />)
  const foot = (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-small text-ink-soft">
      {isSuccessful !== null && (
        <Tag tone={isSuccessful ? 'good' : 'danger'}>{text(isSuccessful ? 'status.SUCCESS' : 'status.FAILED')}</Tag>
      )}
      <Time value={blockTime} />
      {explorerUrl && transactionHash && (
        <ExternalLink href={`${explorerUrl}/tx/${transactionHash}`}>{text('history.explorer')}</ExternalLink>
      )}
    </p>
  )
  if (!executed)
    return (
      <article className="grid gap-2">
        {lines}
        {foot}
      </article>
    )
  return (
    <TransactionRow transaction={executed} names={names} isNonceShown>
      {/* A plain payment is told by its head line already. */}
      {lines.length > 1 || entries.some(({ kind }) => kind !== 'transfer-out') ? (
        <div className="grid gap-1.5 border-l-2 border-rule pl-3">{lines}</div>
      ) : null}
      {foot}
    </TransactionRow>
  )
}
