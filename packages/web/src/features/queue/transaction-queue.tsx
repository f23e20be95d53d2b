import type { MultisigTransaction } from '@countersign/contract'
import {
  CountersignError,
  countConfirmations,
  groupQueue,
  type NonceGroup,
  type SafeState,
} from '@countersign/safe-core'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { Address } from 'viem'
import { useChain } from '../../api/configuration.ts'
import { useSafeState } from '../../api/safe-state.ts'
import { useTeamNames } from '../../api/team-names.ts'
import { isSame, type Names, nameOf, namesOf } from '../../review/names.ts'
import { type Proposal, proposalsOf, waitsFor } from '../../review/proposals.ts'
import { queueQuery } from '../../review/queries.ts'
import { text } from '../../review/text.ts'
import { TransactionRow } from '../../review/view/transaction-row.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Skeleton } from '../../ui/loading.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Row, Rows, Section } from '../../ui/section.tsx'
import { Tag } from '../../ui/tag.tsx'
import { useSession } from '../../wallet/index.ts'
import { type QueueVerdict, useQueueVerdicts } from './use-queue-verdicts.ts'

/** Proposals by nonce: how far each is, who is missing, what blocks what, what waits for the reader. */
export function TransactionQueue({ chainId, safeAddress }: { chainId: number; safeAddress: Address }) {
  const { session } = useSession()
  const state = useSafeState(chainId, safeAddress)
  const queue = useInfiniteQuery(queueQuery(chainId, safeAddress))
  const chain = useChain(chainId)
  const account = session?.address ?? null
  const team = useTeamNames(chainId, safeAddress)
  const names = namesOf(safeAddress, state.data, account, chain, team)
  const transactions = queue.data?.pages.flatMap((page) => page.transactions) ?? []
  const verdicts = useQueueVerdicts(transactions, state.data, account)
  const waiting = transactions.filter((transaction) => waitsFor(transaction, account, state.data))
  const mine = waiting.filter(({ safeTxHash }) => verdicts.get(safeTxHash) === 'open').length
  const refused = waiting.filter(({ safeTxHash }) => verdicts.get(safeTxHash) === 'do-not-sign').length
  const isOwner = account !== null && state.data?.owners.some((owner) => isSame(owner, account))

  return (
    <Section
      title={text('queue.title')}
      aside={
        queue.data && isOwner ? (
          <span data-awaiting-me={mine}>
            {mine > 0 ? text('queue.mine', { count: mine }) : text('queue.mine.none')}
            {refused > 0 && <span className="text-danger"> · {text('queue.refused', { count: refused })}</span>}
          </span>
        ) : undefined
      }
    >
      {queue.isPending ? (
        <Skeleton label={text('queue.loading')} />
      ) : queue.error && !queue.data ? (
        queue.error instanceof CountersignError && queue.error.code === 'NOT_A_MEMBER' ? (
          <Empty title={text('queue.notOwner')}>{text('queue.notOwner.sentence')}</Empty>
        ) : (
          <Problem error={queue.error} onRetry={() => void queue.refetch()} />
        )
      ) : (
        <>
          {queue.error && <Problem error={queue.error} onRetry={() => void queue.refetch()} />}
          {state.error && !state.data && <Notice tone="warning">{text('queue.unread')}</Notice>}
          <Groups
            groups={groupQueue(proposalsOf(transactions), state.data?.nonce ?? null)}
            state={state.data}
            account={account}
            names={names}
            verdicts={verdicts}
          />
          {queue.hasNextPage && (
            <div className="mt-4">
              <Button
                onClick={() => void queue.fetchNextPage()}
                busy={queue.isFetchingNextPage ? text('queue.loading') : undefined}
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

function Groups({
  groups,
  state,
  account,
  names,
  verdicts,
}: {
  groups: readonly NonceGroup<Proposal>[]
  state: SafeState | undefined
  account: Address | null
  names: Names
  verdicts: ReadonlyMap<string, QueueVerdict>
}) {
  if (groups.length === 0) return <Empty title={text('queue.empty')}>{text('queue.empty.sentence')}</Empty>
  return groups.map((group) => (
    <section key={group.nonce.toString()} data-nonce={group.nonce.toString()} className="mb-6">
      <h3 className="mb-2 flex flex-wrap items-baseline gap-x-3 text-body font-semibold">
        {text('queue.nonce', { nonce: group.nonce })}
        <span className="text-small font-normal text-ink-soft">
          {group.waitsFor === null
            ? state && text('queue.next')
            : text(group.waitsFor.isProposed ? 'queue.blocked' : 'queue.gap', { nonce: group.waitsFor.nonce })}
        </span>
      </h3>
      {group.transactions.length > 1 && (
        <div className="mb-2">
          <Notice tone="warning">{text('queue.conflict', { count: group.transactions.length })}</Notice>
        </div>
      )}
      <Rows>
        {group.transactions.map((transaction) => (
          <Row key={transaction.safeTxHash}>
            <TransactionRow transaction={transaction} names={names}>
              <QueueState
                transaction={transaction}
                state={state}
                account={account}
                names={names}
                isNext={group.waitsFor === null}
                verdict={verdicts.get(transaction.safeTxHash)}
              />
            </TransactionRow>
          </Row>
        ))}
      </Rows>
    </section>
  ))
}

function QueueState({
  transaction,
  state,
  account,
  names,
  isNext,
  verdict,
}: {
  transaction: MultisigTransaction
  state: SafeState | undefined
  account: Address | null
  names: Names
  isNext: boolean
  /** Absent until it is reviewed: then nothing is asked of the reader yet. */
  verdict: QueueVerdict | undefined
}) {
  const { confirmed, missing } = countConfirmations(
    transaction.confirmations,
    state?.owners ?? transaction.confirmations.map(({ owner }) => owner),
  )
  // What waits needs today's threshold, which is always known.
  const threshold = state?.threshold ?? transaction.confirmationsRequired ?? 0
  const isReached = confirmed.length >= threshold
  const hasConfirmed = account !== null && confirmed.some((owner) => isSame(owner, account))
  return (
    <>
      <p className="flex flex-wrap items-center gap-2">
        <span data-confirmations={confirmed.length}>
          {text('queue.confirmations', { count: confirmed.length, threshold })}
        </span>
        {verdict === 'do-not-sign' && <Tag tone="danger">{text('verdict.do-not-sign')}</Tag>}
        {verdict === 'open' && waitsFor(transaction, account, state) && (
          <Tag tone="warning">{text('queue.waitsForYou')}</Tag>
        )}
        {hasConfirmed && <Tag>{text('queue.youConfirmed')}</Tag>}
        {verdict === 'open' && isReached && isNext && <Tag tone="good">{text('queue.ready')}</Tag>}
        {transaction.pendingExecution && <Tag tone="warning">{text('queue.sent')}</Tag>}
      </p>
      {!isReached && missing.length > 0 && (
        <p className="text-small text-ink-soft">
          {text('queue.missing', {
            owners: missing.map((owner) => nameOf(owner, names) ?? owner).join(' · '),
          })}
        </p>
      )}
    </>
  )
}
