import type { MultisigTransaction } from '@countersign/contract'
import {
  CountersignError,
  countConfirmations,
  groupQueue,
  type NonceGroup,
  type SafeState,
} from '@countersign/safe-core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { lazy, Suspense, useMemo, useState } from 'react'
import type { Address } from 'viem'
import { useSafeState } from '../../api/safe-state.ts'
import { isSame, type Names, nameOf } from '../../review/names.ts'
import { type Proposal, proposalsOf, waitsFor } from '../../review/proposals.ts'
import { queueQuery } from '../../review/queries.ts'
import { text } from '../../review/text.ts'
import { useNames } from '../../review/use-names.ts'
import { shownVerdict, type VerdictSummary, verdictTitle, verdictTones } from '../../review/verdict-words.ts'
import { TransactionRow } from '../../review/view/transaction-row.tsx'
import { loadTexts } from '../../text/text.ts'
import { Empty } from '../../ui/empty.tsx'
import { List } from '../../ui/list.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Row, Rows, Section } from '../../ui/section.tsx'
import { Tag } from '../../ui/tag.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { useSeen } from '../../ui/use-seen.ts'
import { useSession } from '../../wallet/index.ts'
import type { Verdicts } from './queue-verdicts.tsx'

/** The review and its texts come when something is queued. */
const QueueVerdicts = lazy(async () => {
  const { QueueVerdicts: view } = await import('./queue-verdicts.tsx')
  await loadTexts()
  return { default: view }
})

/** Proposals by nonce: how far each is, who is missing, what blocks what, what waits for the reader. */
export function TransactionQueue({ chainId, safeAddress }: { chainId: number; safeAddress: Address }) {
  const { session } = useSession()
  const state = useSafeState(chainId, safeAddress)
  const queue = useInfiniteQuery(queueQuery(chainId, safeAddress))
  const account = session?.address ?? null
  const names = useNames(chainId, safeAddress)
  const pages = queue.data?.pages
  const transactions = useMemo(() => pages?.flatMap((page) => page.transactions) ?? [], [pages])
  const [verdicts, setVerdicts] = useState<Verdicts>(new Map())
  const { seen, watch } = useSeen()
  const shown = useMemo(() => transactions.filter(({ safeTxHash }) => seen.has(safeTxHash)), [transactions, seen])
  const waiting = transactions.filter((transaction) => waitsFor(transaction, account, state.data))
  const isRefused = ({ safeTxHash }: MultisigTransaction) => verdicts.get(safeTxHash)?.verdict === 'do-not-sign'
  const refused = waiting.filter(isRefused).length
  const mine = waiting.filter(({ safeTxHash }) => verdicts.has(safeTxHash)).length - refused
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
      {shown.length > 0 && (
        <Suspense fallback={null}>
          <QueueVerdicts
            transactions={shown}
            account={account}
            place={{ chainId, safeAddress }}
            state={state.error ? undefined : state.data}
            onVerdicts={setVerdicts}
          />
        </Suspense>
      )}
      {queue.data && state.error && !state.data && <Notice tone="warning">{text('queue.unread')}</Notice>}
      <List
        of={queue}
        rows={groupQueue(proposalsOf(transactions), state.data?.nonce ?? null)}
        keyOf={({ nonce }) => nonce.toString()}
        loading={text('queue.loading')}
        instead={(error) =>
          error instanceof CountersignError &&
          error.code === 'NOT_A_MEMBER' && (
            <Empty title={text('queue.notOwner')}>{text('queue.notOwner.sentence')}</Empty>
          )
        }
        empty={<Empty title={text('queue.empty')}>{text('queue.empty.sentence')}</Empty>}
        more={text('queue.more')}
      >
        {(group) => <Group {...{ group, account, names, verdicts, watch }} state={state.data} />}
      </List>
      {queue.data && (
        <p>
          <TextLink look="action" to="/safes/$chainId/$safeAddress/signatures" params={{ chainId, safeAddress }}>
            {text('alive.link')}
          </TextLink>
        </p>
      )}
    </Section>
  )
}

/** Proposals of one nonce: at most one of them can be executed. */
function Group({
  group,
  state,
  account,
  names,
  verdicts,
  watch,
}: {
  group: NonceGroup<Proposal>
  state: SafeState | undefined
  account: Address | null
  names: Names
  verdicts: Verdicts
  /** Watches whether a row is on the screen. */
  watch: ReturnType<typeof useSeen>['watch']
}) {
  return (
    <section data-nonce={group.nonce.toString()} className="mb-6">
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
            <span ref={watch} data-row={transaction.safeTxHash} />
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
  )
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
  verdict: VerdictSummary | undefined
}) {
  const { confirmed, missing } = countConfirmations(
    transaction.confirmations,
    state?.owners ?? transaction.confirmations.map(({ owner }) => owner),
  )
  // A waiting transaction needs today's threshold, which is always known.
  const threshold = state?.threshold ?? transaction.confirmationsRequired ?? 0
  const isReached = confirmed.length >= threshold
  const isOpen = verdict !== undefined && verdict.verdict !== 'do-not-sign'
  const hasConfirmed = account !== null && confirmed.some((owner) => isSame(owner, account))
  return (
    <>
      <p className="flex flex-wrap items-center gap-2">
        <span data-confirmations={confirmed.length}>
          {text('queue.confirmations', { count: confirmed.length, threshold })}
        </span>
        <span data-listed-verdict={verdict?.verdict ?? 'checking'}>
          <Tag tone={verdict ? verdictTones[shownVerdict(verdict)] : 'neutral'}>
            {verdict ? verdictTitle(verdict) : text('verdict.checking')}
          </Tag>
        </span>
        {isOpen && waitsFor(transaction, account, state) && <Tag tone="warning">{text('queue.waitsForYou')}</Tag>}
        {hasConfirmed && <Tag>{text('queue.youConfirmed')}</Tag>}
        {isOpen && verdict?.verdict !== 'cannot-verify' && isReached && isNext && (
          <Tag tone="good">{text('queue.ready')}</Tag>
        )}
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
