import { CountersignError, findExecutableInTurn, type NonceGroup } from '@countersign/safe'
import { useRouter } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { Address, Hex } from 'viem'
import { useSafeTitle } from '../../safe/names/use-safe-name.ts'
import type { Proposal } from '../../safe/proposals.ts'
import { text } from '../../text/lists.ts'
import { ButtonLink } from '../../ui/button-link.tsx'
import { CopyButton } from '../../ui/copy/copy-button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { List } from '../../ui/list.tsx'
import { Notice } from '../../ui/notice.tsx'
import { usePageTitle } from '../../ui/page-head.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { QueueBlock } from './queue-blocks.tsx'
import { parseQueueChoice, type QueueChoice } from './queue-choice.ts'
import { type QueueView, standingOf } from './queue-row.tsx'
import { QueueSearch } from './queue-search.tsx'
import { proposalsIn, useChosenPart } from './use-chosen-part.ts'
import { useQueue } from './use-queue.tsx'

/** From so many on there is something to look through. */
const SEARCH_FROM = 6
/** Executable ones that are counted: so many can be executed from one page. */
const MAX_COUNTED = 20

/** Proposals by nonce: how far each is, who is missing, what blocks what, what waits for the reader. */
export function TransactionQueue({ chainId, safeAddress }: { chainId: number; safeAddress: Address }) {
  const asked = useQueue(chainId, safeAddress)
  const safeTitle = useSafeTitle(chainId, safeAddress)
  const { mine, reviewing } = asked
  usePageTitle(...(mine > 0 ? [text('queue.tab', { count: mine })] : []), text('safe.screens.queue'), safeTitle)
  return (
    <section aria-label={text('safe.screens.queue')} className="@container">
      {reviewing}
      <ChosenPart chainId={chainId} safeAddress={safeAddress} asked={asked} />
    </section>
  )
}

/** The part of the queue that is searched for. What is typed changes this alone, and no review behind it. */
function ChosenPart({
  chainId,
  safeAddress,
  asked: { queue, state, groups, view, isOwner, mine, judged, refused },
}: {
  chainId: number
  safeAddress: Address
  asked: ReturnType<typeof useQueue>
}) {
  const { choice, choose, typed, type, isChosen, found, blocks } = useChosenPart(queue, groups, view)
  const count = proposalsIn(groups).length
  const first = useMemo(() => firstToDo(found, view), [found, view])
  // The way through all that wait is of the whole queue, as their count is: choosing a part takes neither away.
  const next = useMemo(() => firstToDo(groups, view), [groups, view])
  // It comes once two have their verdicts: a line that goes again when one is refused would move the list.
  const turn = judged > 1 || isChosen ? next : undefined
  const executable = useMemo(
    () => (state.data ? findExecutableInTurn(proposalsIn(groups), state.data, MAX_COUNTED).length : 0),
    [groups, state.data],
  )
  return (
    <>
      <div className="mb-4 flex min-h-10 flex-wrap items-end justify-between gap-x-6 gap-y-3 @3xl:min-h-6">
        {queue.data && isOwner ? (
          <AwaitingMe
            chainId={chainId}
            safeAddress={safeAddress}
            mine={mine}
            refused={refused}
            turn={turn}
            executable={executable}
          />
        ) : (
          <span />
        )}
        {(count >= SEARCH_FROM || isChosen) && <QueueSearch choice={choice} onType={type} onChoose={choose} />}
      </div>
      <p role="status" className="sr-only">
        {isChosen && queue.data && !queue.hasNextPage && text('queue.found', { count: proposalsIn(found).length })}
      </p>
      {queue.data && state.error && !state.data && <Notice tone="warning">{text('queue.unread')}</Notice>}
      <List
        of={queue}
        rows={blocks}
        keyOf={({ key }) => key}
        loading={text('queue.loading')}
        instead={(error) =>
          error instanceof CountersignError &&
          error.code === 'NOT_A_MEMBER' && (
            <Empty title={text('queue.notOwner')}>{text('queue.notOwner.sentence')}</Empty>
          )
        }
        empty={<EmptyQueue chainId={chainId} safeAddress={safeAddress} isFiltered={count > 0} mayPropose={isOwner} />}
        more={text('queue.more')}
      >
        {(block) => <QueueBlock block={block} view={view} first={first} />}
      </List>
      {queue.data && (
        <QueueFooter
          chainId={chainId}
          safeAddress={safeAddress}
          isEmpty={count === 0}
          choice={parseQueueChoice({ q: typed, show: choice.show ?? 'all' })}
        />
      )}
    </>
  )
}

/** Shows that nothing waits, or that no waiting transaction matches the search. */
function EmptyQueue({
  chainId,
  safeAddress,
  isFiltered,
  mayPropose,
}: {
  chainId: number
  safeAddress: Address
  isFiltered: boolean
  mayPropose: boolean
}) {
  if (isFiltered) return <Empty title={text('queue.none')}>{text('queue.none.sentence')}</Empty>
  return (
    <Empty
      title={text('queue.empty')}
      actions={
        mayPropose && (
          <ButtonLink to="/safes/$chainId/$safeAddress/new" params={{ chainId, safeAddress }}>
            {text('queue.empty.new')}
          </ButtonLink>
        )
      }
    >
      {text('queue.empty.sentence')}
    </Empty>
  )
}

/** Where the verdicts come from, a link to what is shown, and one to the signatures that can still execute. */
function QueueFooter({
  chainId,
  safeAddress,
  isEmpty,
  choice,
}: {
  chainId: number
  safeAddress: Address
  isEmpty: boolean
  choice: Partial<QueueChoice>
}) {
  return (
    <div className="mt-4 grid gap-2 text-small text-ink-faint">
      {!isEmpty && <p>{text('queue.verdicts')}</p>}
      <p className="flex flex-wrap items-baseline gap-x-6 gap-y-1">
        {!isEmpty && <CopyLink chainId={chainId} safeAddress={safeAddress} choice={choice} />}
        <span className="text-accent">
          <TextLink to="/safes/$chainId/$safeAddress/signatures" params={{ chainId, safeAddress }}>
            {text('alive.link')}
          </TextLink>
        </span>
      </p>
    </div>
  )
}

/** Says what waits for the reader, and leads to the first of it. */
function AwaitingMe({
  chainId,
  safeAddress,
  mine,
  refused,
  turn,
  executable,
}: {
  chainId: number
  safeAddress: Address
  mine: number
  refused: number
  /** The first proposal of the queue that the reader can do something about. */
  turn: Hex | undefined
  /** Count of proposals that can be executed one after the other. */
  executable: number
}) {
  return (
    <p data-awaiting-me={mine} className="text-small">
      <span role="status">
        <span className={mine > 0 ? 'font-semibold' : 'text-ink-soft'}>
          {mine > 0 ? text('queue.mine', { count: mine }) : text('queue.mine.none')}
        </span>
        {refused > 0 && (
          <span className="font-semibold text-danger"> · {text('queue.refused', { count: refused })}</span>
        )}
      </span>
      {mine > 1 && turn && (
        <>
          {' · '}
          <TextLink
            look="action"
            to="/safes/$chainId/$safeAddress/transactions/$safeTxHash"
            params={{ chainId, safeAddress, safeTxHash: turn }}
          >
            {text('queue.turn')}
          </TextLink>
        </>
      )}
      {executable > 1 && (
        <>
          {' · '}
          <TextLink look="action" to="/safes/$chainId/$safeAddress/execute" params={{ chainId, safeAddress }}>
            {text('queue.several', { count: executable })}
          </TextLink>
        </>
      )}
    </p>
  )
}

/** Copies the address of what is shown, for the others of the team. What was typed last is not in the page's own yet. */
function CopyLink({
  chainId,
  safeAddress,
  choice,
}: {
  chainId: number
  safeAddress: Address
  choice: Partial<QueueChoice>
}) {
  const router = useRouter()
  const { href } = router.buildLocation({
    to: '/safes/$chainId/$safeAddress/queue',
    params: { chainId, safeAddress },
    search: choice,
  })
  return <CopyButton value={`${window.location.origin}${href}`} label={text('queue.link')} words={text('queue.link')} />
}

/** The first proposal that the reader can do something about. */
function firstToDo(groups: readonly NonceGroup<Proposal>[], view: QueueView): Hex | undefined {
  for (const { transactions, waitsFor } of groups)
    for (const transaction of transactions)
      if (['waits', 'ready'].includes(standingOf(transaction, waitsFor === null, view))) return transaction.safeTxHash
  return undefined
}
