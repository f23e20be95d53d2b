import { useInfiniteQuery } from '@tanstack/react-query'
import type { Address } from 'viem'
import { useChain } from '../../api/configuration.ts'
import { useSafeState } from '../../api/safe-state.ts'
import { text } from '../../text/text.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Skeleton } from '../../ui/loading.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Row, Rows, Section } from '../../ui/section.tsx'
import { Tag } from '../../ui/tag.tsx'
import { Time } from '../../ui/time.tsx'
import { useSession } from '../../wallet/index.ts'
import { namesOf } from './names.ts'
import { historyQuery } from './queries.ts'
import { TransactionRow } from './transaction-row.tsx'

/** What was executed, newest first. */
export function TransactionHistory({ chainId, safeAddress }: { chainId: number; safeAddress: Address }) {
  const { session } = useSession()
  const history = useInfiniteQuery(historyQuery(chainId, safeAddress))
  const state = useSafeState(chainId, safeAddress)
  const names = namesOf(safeAddress, state.data, session?.address ?? null, useChain(chainId))
  const transactions = history.data?.pages.flatMap((page) => page.transactions) ?? []
  return (
    <Section title={text('history.title')}>
      {history.isPending ? (
        <Skeleton label={text('history.loading')} />
      ) : history.error && !history.data ? (
        <Problem error={history.error} onRetry={() => void history.refetch()} />
      ) : transactions.length === 0 ? (
        <Empty title={text('history.empty')}>{text('history.empty.sentence')}</Empty>
      ) : (
        <>
          {history.error && <Problem error={history.error} onRetry={() => void history.refetch()} />}
          <Rows label={text('history.title')}>
            {transactions.map((transaction) => (
              <Row key={transaction.safeTxHash}>
                <TransactionRow transaction={transaction} names={names} isNonceShown>
                  <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-small text-ink-soft">
                    <Tag tone={transaction.isSuccessful === false ? 'danger' : 'good'}>
                      {text(transaction.isSuccessful === false ? 'status.FAILED' : 'status.SUCCESS')}
                    </Tag>
                    {transaction.executionDate && <Time value={transaction.executionDate} />}
                  </p>
                </TransactionRow>
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
