import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Address } from 'viem'
import { useChain } from '../../api/configuration.ts'
import { useSafeState } from '../../api/safe-state.ts'
import { useTeamNames } from '../../api/team-names.ts'
import { type Names, namesOf } from '../../review/names.ts'
import { text } from '../../review/text.ts'
import { TransactionRow } from '../../review/view/transaction-row.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ExternalLink } from '../../ui/external-link.tsx'
import { Skeleton } from '../../ui/loading.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Row, Rows, Section } from '../../ui/section.tsx'
import { Tag } from '../../ui/tag.tsx'
import { Time } from '../../ui/time.tsx'
import { useSession } from '../../wallet/index.ts'
import { HistoryLine } from './history-entry.tsx'
import { HistoryFilter } from './history-filter.tsx'
import { groupHistory, type HistoryGroup } from './history-groups.ts'
import { exportUrl, historyQuery, noChoice, toFilter } from './history-query.ts'

/** What happened to the Safe on the chain, newest first. */
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
  const { session } = useSession()
  const chain = useChain(chainId)
  const [choice, setChoice] = useState(noChoice)
  const filter = toFilter(choice, chain)
  const history = useInfiniteQuery({
    ...historyQuery(chainId, safeAddress, filter),
    placeholderData: keepPreviousData,
  })
  const state = useSafeState(chainId, safeAddress)
  const team = useTeamNames(chainId, safeAddress)
  const names = namesOf(safeAddress, state.data, session?.address ?? null, chain, team)
  const groups = groupHistory(history.data?.pages.flatMap((page) => page.entries) ?? [])
  const isFiltered = Object.keys(filter).length > 0
  return (
    <Section
      title={text('history.title')}
      aside={
        <a
          href={exportUrl(chainId, safeAddress, filter)}
          download
          className="inline-flex min-h-6 items-center underline decoration-rule-strong underline-offset-4 hover:decoration-current"
        >
          {text('history.export')}
        </a>
      }
    >
      {note}
      <HistoryFilter choice={choice} chain={chain} onChoose={setChoice} />
      {history.isPending && history.fetchStatus === 'paused' ? (
        <Notice tone="warning" title={text('safe.offline')}>
          {text('history.offline')}
        </Notice>
      ) : history.isPending ? (
        <Skeleton label={text('history.loading')} />
      ) : history.error && !history.data ? (
        <Problem error={history.error} onRetry={() => void history.refetch()} />
      ) : groups.length === 0 ? (
        <Empty title={text(isFiltered ? 'history.empty.filtered' : 'history.empty')}>
          {text(isFiltered ? 'history.empty.filtered.sentence' : 'history.empty.sentence')}
        </Empty>
      ) : (
        <>
          {history.error && <Problem error={history.error} onRetry={() => void history.refetch()} />}
          <Rows label={text('history.title')}>
            {groups.map((group) => (
              <Row key={group.id}>
                <HistoryRow group={group} names={names} />
              </Row>
            ))}
          </Rows>
          {history.hasNextPage && (
            <div className="mt-4">
              <Button
                onClick={() => void history.fetchNextPage()}
                busy={history.isFetchingNextPage ? text('history.loading') : undefined}
              >
                {text('queue.more')}
              </Button>
            </div>
          )}
        </>
      )}
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
