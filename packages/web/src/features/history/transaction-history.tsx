import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Address } from 'viem'
import { useRegisteredNames } from '../../safe/names/primary-names.ts'
import { useNames } from '../../safe/names/use-names.ts'
import { useListedChain } from '../../safe/worth/listed-tokens.ts'
import { formatDay } from '../../text/locale.ts'
import { Empty } from '../../ui/empty.tsx'
import { List } from '../../ui/list.tsx'
import { TextAnchor } from '../../ui/text-link.tsx'
import { HistoryFilter } from './history-filter.tsx'
import { groupByDay, groupHistory } from './history-groups.ts'
import { exportUrl, historyQuery, parseChoice, toFilter, writeChoice } from './history-query.ts'
import { HistoryRow } from './history-row.tsx'
import { text } from './text.ts'

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
  const chain = useListedChain(chainId)
  const choice = parseChoice(useSearch({ from: '/signed-in/safes/$chainId/$safeAddress/history' }))
  const navigate = useNavigate({ from: '/safes/$chainId/$safeAddress/history' })
  const filter = toFilter(choice, chain)
  const history = useInfiniteQuery({
    ...historyQuery(chainId, safeAddress, filter),
    placeholderData: keepPreviousData,
  })
  const entries = history.data?.pages.flatMap((page) => page.entries) ?? []
  const accounts = entries.flatMap(({ counterparty, subject }) => counterparty ?? subject ?? [])
  const names = useRegisteredNames(useNames(chainId, safeAddress), chainId, accounts)
  const days = groupByDay(groupHistory(entries))
  const isFiltered = Object.keys(filter).length > 0
  return (
    <section aria-label={text('history.title')}>
      <p className="mb-3 text-small">
        <TextAnchor href={exportUrl(chainId, safeAddress, filter)} download>
          {text('history.export')}
        </TextAnchor>
      </p>
      {note}
      <div className="mb-5">
        <HistoryFilter
          choice={choice}
          chain={chain}
          onChoose={(chosen) => void navigate({ search: writeChoice(chosen), replace: true })}
        />
      </div>
      <List
        of={history}
        rows={days}
        keyOf={({ day }) => day}
        loading={text('history.loading')}
        empty={
          <Empty title={text(isFiltered ? 'history.empty.filtered' : 'history.empty')}>
            {text(isFiltered ? 'history.empty.filtered.sentence' : 'history.empty.sentence')}
          </Empty>
        }
        more={text('queue.more')}
      >
        {({ day, groups }) => (
          <section aria-label={formatDay(day)} className="mb-5">
            <h2 className="label border-b border-rule-strong pb-2">{formatDay(day)}</h2>
            <ul>
              {groups.map((group) => (
                <li key={group.id} className="border-b border-rule">
                  <HistoryRow group={group} names={names} />
                </li>
              ))}
            </ul>
          </section>
        )}
      </List>
    </section>
  )
}
