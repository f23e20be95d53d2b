import { CountersignError, findExecutableInTurn, type NonceGroup } from '@countersign/safe'
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { useCallback, useDeferredValue, useEffect, useMemo, useState } from 'react'
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
import { blocksOf, QueueBlock } from './queue-blocks.tsx'
import { parseQueueChoice, type QueueChoice, standingShown } from './queue-choice.ts'
import { proposalTitle, type QueueView, standingOf } from './queue-row.tsx'
import { QueueSearch } from './queue-search.tsx'
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
  const choice = useSearch({ from: '/signed-in/safes/$chainId/$safeAddress/queue' })
  const { q = '', show = 'all' } = choice
  const navigate = useNavigate({ from: '/safes/$chainId/$safeAddress/queue' })
  const choose = useCallback(
    (part: Partial<QueueChoice>) =>
      // Nothing moves below the finger of somebody who leaves the field for a row.
      void navigate({
        search: (before) => parseQueueChoice({ ...before, ...part }),
        replace: true,
        resetScroll: false,
      }),
    [navigate],
  )
  // The list follows between two frames, and lets each further key go first.
  const [typed, type] = useState(q)
  const words = typed.trim().toLowerCase()
  const shown = useDeferredValue(show)
  const isSearched = words !== ''
  const isChosen = isSearched || q.trim() !== '' || show !== 'all'
  useEffect(() => {
    // A part of the whole queue, and not of its first page.
    if (isChosen && queue.hasNextPage && !queue.isFetching && !queue.isError) void queue.fetchNextPage()
  }, [isChosen, queue])
  const count = groups.reduce((sum, { transactions }) => sum + transactions.length, 0)
  const said = useMemo(() => (isSearched ? saidIn(groups, view.names) : null), [isSearched, groups, view.names])
  const found = useMemo(
    () => groups.filter((group) => isFound(group, view, said, words, shown)),
    [groups, view, said, words, shown],
  )
  const blocks = useMemo(() => blocksOf(found), [found])
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
        empty={
          count > 0 ? (
            <Empty title={text('queue.none')}>{text('queue.none.sentence')}</Empty>
          ) : (
            <Empty
              title={text('queue.empty')}
              actions={
                isOwner && (
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
        more={text('queue.more')}
      >
        {(block) => <QueueBlock block={block} view={view} first={first} />}
      </List>
      {queue.data && (
        <div className="mt-4 grid gap-2 text-small text-ink-faint">
          {count > 0 && <p>{text('queue.verdicts')}</p>}
          <p className="flex flex-wrap items-baseline gap-x-6 gap-y-1">
            {count > 0 && (
              <CopyLink chainId={chainId} safeAddress={safeAddress} choice={parseQueueChoice({ q: typed, show })} />
            )}
            <span className="text-accent">
              <TextLink to="/safes/$chainId/$safeAddress/signatures" params={{ chainId, safeAddress }}>
                {text('alive.link')}
              </TextLink>
            </span>
          </p>
        </div>
      )}
    </>
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

function proposalsIn(groups: readonly NonceGroup<Proposal>[]): Proposal[] {
  return groups.flatMap(({ transactions }) => transactions)
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

/** Words by which each proposal is found. */
function saidIn(groups: readonly NonceGroup<Proposal>[], names: QueueView['names']): ReadonlyMap<Proposal, string> {
  return new Map(
    groups.flatMap(({ transactions }) =>
      transactions.map((proposal) => {
        const { safeTx, proposer, origin, nonce } = proposal
        const words = [proposalTitle(proposal, names), safeTx?.to ?? '', proposer ?? '', origin ?? '', nonce]
        return [proposal, words.join('\n').toLowerCase()] as const
      }),
    ),
  )
}

/** A function of which the bytes alone give no name, in a title. */
const unnamedFunction = /\b0x[0-9a-f]{8}\b/

/**
 * Whether the words are in the title of a row as its review reads it. Where that may name a function that the bytes alone
 * do not, the row stays until it is read.
 */
function mayBeInTitle(
  proposal: Proposal,
  { names, verdicts, unreviewed }: QueueView,
  words: string,
  said: string,
): boolean {
  const verdict = verdicts.get(proposal.safeTxHash)
  if (verdict?.call) return proposalTitle(proposal, names, verdict.call).toLowerCase().includes(words)
  const [title = ''] = said.split('\n', 1)
  return verdict === undefined && !unreviewed.has(proposal.safeTxHash) && unnamedFunction.test(title)
}

function isFound(
  group: NonceGroup<Proposal>,
  view: QueueView,
  /** Null: nothing is searched for. */
  said: ReadonlyMap<Proposal, string> | null,
  words: string,
  shown: QueueChoice['show'],
): boolean {
  return group.transactions.some((proposal) => {
    // A row that nobody has seen has no verdict yet; it stays until it has one.
    const isShown =
      shown === 'all' ||
      !view.verdicts.has(proposal.safeTxHash) ||
      standingOf(proposal, group.waitsFor === null, view) === standingShown[shown]
    const ofRow = said?.get(proposal)
    return isShown && (ofRow === undefined || ofRow.includes(words) || mayBeInTitle(proposal, view, words, ofRow))
  })
}
