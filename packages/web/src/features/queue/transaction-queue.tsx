import { CountersignError, findExecutableInTurn, type NonceGroup } from '@countersign/safe-core'
import { useLocation, useNavigate, useSearch } from '@tanstack/react-router'
import { type CSSProperties, memo, useCallback, useEffect, useMemo } from 'react'
import type { Address, Hex } from 'viem'
import type { Proposal } from '../../review/proposals.ts'
import { useSafeTitle } from '../../review/safe/use-safe-name.ts'
import { text } from '../../text/lists.ts'
import { ButtonLink } from '../../ui/button-link.tsx'
import { CopyButton } from '../../ui/copy/copy-button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { List } from '../../ui/list.tsx'
import { Notice } from '../../ui/notice.tsx'
import { usePageTitle } from '../../ui/page-head.tsx'
import { useNear } from '../../ui/screen/use-near.ts'
import { TextLink } from '../../ui/text-link.tsx'
import { parseQueueChoice, type QueueChoice, standingShown } from './queue-choice.ts'
import { proposalTitle, QueueRow, type QueueView, standingOf } from './queue-row.tsx'
import { QueueSearch } from './queue-search.tsx'
import { Rivals } from './rivals.tsx'
import { useQueue } from './use-queue.tsx'

/** From so many on there is something to look through. */
const SEARCH_FROM = 6
/** Executable ones that are counted: so many can be executed from one page. */
const MAX_COUNTED = 20
/** Groups that are drawn in full before the browser has told what is on the screen. */
const ON_TOP = 20
/** Nonces that the browser lays out and paints together, or not at all while they are far from the window. */
const IN_BLOCK = 25n

/** Proposals by nonce: how far each is, who is missing, what blocks what, what waits for the reader. */
export function TransactionQueue({ chainId, safeAddress }: { chainId: number; safeAddress: Address }) {
  const { queue, state, groups, view, reviewing, isOwner, mine, refused } = useQueue(chainId, safeAddress)
  const choice = useSearch({ from: '/signed-in/safes/$chainId/$safeAddress/queue' })
  const { q: words = '', show: shown = 'all' } = choice
  const navigate = useNavigate({ from: '/safes/$chainId/$safeAddress/queue' })
  const choose = useCallback(
    (part: Partial<QueueChoice>) =>
      void navigate({ search: (before) => parseQueueChoice({ ...before, ...part }), replace: true }),
    [navigate],
  )
  const isChosen = words.trim() !== '' || shown !== 'all'
  useEffect(() => {
    // A part of the whole queue, and not of its first page.
    if (isChosen && queue.hasNextPage && !queue.isFetching && !queue.isError) void queue.fetchNextPage()
  }, [isChosen, queue])
  const count = groups.reduce((sum, { transactions }) => sum + transactions.length, 0)
  const said = useMemo(() => saidIn(groups, view.names), [groups, view.names])
  const found = groups.filter((group) => isFound(group, view, said, words.trim().toLowerCase(), shown))
  const heads = new Set(found.filter((group, index) => isHead(group, found[index - 1])))
  const onTop = new Set(found.slice(0, ON_TOP))
  const first = firstToDo(found, view)
  const executable = useMemo(
    () => (state.data ? findExecutableInTurn(proposalsIn(groups), state.data, MAX_COUNTED).length : 0),
    [groups, state.data],
  )
  const safeTitle = useSafeTitle(chainId, safeAddress)
  usePageTitle(...(mine > 0 ? [text('queue.tab', { count: mine })] : []), text('safe.screens.queue'), safeTitle)
  return (
    <section aria-label={text('safe.screens.queue')} className="@container">
      {reviewing}
      <div className="mb-4 flex min-h-10 flex-wrap items-end justify-between gap-x-6 gap-y-3 @3xl:min-h-6">
        {queue.data && isOwner ? (
          <p data-awaiting-me={mine} className="text-small">
            <span role="status">
              <span className={mine > 0 ? 'font-semibold' : 'text-ink-soft'}>
                {mine > 0 ? text('queue.mine', { count: mine }) : text('queue.mine.none')}
              </span>
              {refused > 0 && (
                <span className="font-semibold text-danger"> · {text('queue.refused', { count: refused })}</span>
              )}
            </span>
            {mine > 1 && first && (
              <>
                {' · '}
                <TextLink
                  look="action"
                  to="/safes/$chainId/$safeAddress/transactions/$safeTxHash"
                  params={{ chainId, safeAddress, safeTxHash: first }}
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
        ) : (
          <span />
        )}
        {(count >= SEARCH_FROM || isChosen) && <QueueSearch choice={choice} onChoose={choose} />}
      </div>
      {queue.data && state.error && !state.data && <Notice tone="warning">{text('queue.unread')}</Notice>}
      <List
        of={queue}
        rows={blocksOf(found)}
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
        {(block) => (
          <div
            style={{ '--rows': block.groups.length } as CSSProperties}
            // The padding is room for the marks of the focus, which end with the block.
            className="-mx-2 px-2 [contain-intrinsic-block-size:auto_calc(var(--rows)*11.8rem)] [content-visibility:auto] @3xl:[contain-intrinsic-block-size:auto_calc(var(--rows)*4.3125rem)]"
          >
            {block.groups.map((group) => (
              <Group
                key={group.nonce.toString()}
                {...{ group, view, first }}
                head={!heads.has(group) ? null : group === found[0] ? 'top' : 'below'}
                isOnTop={onTop.has(group)}
              />
            ))}
          </div>
        )}
      </List>
      {queue.data && (
        <div className="mt-4 grid gap-2 text-small text-ink-faint">
          {count > 0 && <p>{text('queue.verdicts')}</p>}
          <p className="flex flex-wrap items-baseline gap-x-6 gap-y-1">
            {count > 0 && <CopyLink />}
            <TextLink look="action" to="/safes/$chainId/$safeAddress/signatures" params={{ chainId, safeAddress }}>
              {text('alive.link')}
            </TextLink>
          </p>
        </div>
      )}
    </section>
  )
}

type Block = { key: string; groups: NonceGroup<Proposal>[] }

/** Blocks go by nonces: a group stays in its own, and is not drawn anew, whatever is found or executed before it. */
function blocksOf(found: readonly NonceGroup<Proposal>[]): Block[] {
  const blocks: Block[] = []
  for (const group of found) {
    const key = String(group.nonce / IN_BLOCK)
    const last = blocks.at(-1)
    if (last?.key === key) last.groups.push(group)
    else blocks.push({ key, groups: [group] })
  }
  return blocks
}

function proposalsIn(groups: readonly NonceGroup<Proposal>[]): Proposal[] {
  return groups.flatMap(({ transactions }) => transactions)
}

/** Copies the address of what is shown, for the others of the team. */
function CopyLink() {
  const { href } = useLocation()
  return <CopyButton value={`${window.location.origin}${href}`} label={text('queue.link')} words={text('queue.link')} />
}

type GroupProps = {
  group: NonceGroup<Proposal>
  view: QueueView
  first: Hex | undefined
  /** Whether it begins a part of the list, and where. */
  head: 'top' | 'below' | null
  isOnTop: boolean
}

/** Whether a group looks the same: of all verdicts, those of its own rows alone concern it. */
function isSameGroup(before: GroupProps, now: GroupProps): boolean {
  const isFirst = ({ first }: GroupProps, hash: string) => first === hash
  return (
    before.group === now.group &&
    before.head === now.head &&
    before.view.state === now.view.state &&
    before.view.account === now.view.account &&
    before.view.names === now.view.names &&
    now.group.transactions.every(
      ({ safeTxHash: hash }) =>
        isFirst(before, hash) === isFirst(now, hash) &&
        before.view.verdicts.get(hash) === now.view.verdicts.get(hash) &&
        before.view.unreviewed.get(hash) === now.view.unreviewed.get(hash),
    )
  )
}

/** Proposals of one nonce. Far from the window they are their titles alone: a thousand of them scroll as a few do. */
const Group = memo(function Group({ group, view, first, head, isOnTop }: GroupProps) {
  const [only] = group.transactions
  const { ref, isNear } = useNear<HTMLElement>(isOnTop)
  return (
    <>
      {head && (
        <h2
          className={`label border-b border-rule-strong pb-2 ${head === 'top' ? '' : 'mt-5'} ${view.state ? '' : 'invisible'}`}
        >
          {text(group.waitsFor === null ? 'queue.group.next' : 'queue.group.later')}
        </h2>
      )}
      <section
        ref={ref}
        data-nonce={group.nonce.toString()}
        aria-label={text('queue.nonce', { nonce: group.nonce })}
        className="border-b border-rule [contain:layout_style]"
      >
        {group.waitsFor && !group.waitsFor.isProposed && (
          <p className="pt-2 text-small text-warning">{text('queue.gap', { nonce: group.waitsFor.nonce })}</p>
        )}
        {!isNear ? (
          group.transactions.map((proposal) => (
            <p key={proposal.safeTxHash} className="h-47 truncate @3xl:h-17">
              {proposalTitle(proposal, view.names)}
            </p>
          ))
        ) : only && group.transactions.length === 1 ? (
          <QueueRow proposal={only} group={group} view={view} isFirst={only.safeTxHash === first} />
        ) : (
          <Rivals group={group} view={view} first={first} />
        )}
      </section>
    </>
  )
}, isSameGroup)

/** Whether a group begins a part of the list: what is next, and what comes after it. */
function isHead(group: NonceGroup<Proposal>, before: NonceGroup<Proposal> | undefined): boolean {
  return before === undefined || (before.waitsFor === null) !== (group.waitsFor === null)
}

/** The first proposal that the reader can do something about. */
export function firstToDo(groups: readonly NonceGroup<Proposal>[], view: QueueView): Hex | undefined {
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

function isFound(
  group: NonceGroup<Proposal>,
  view: QueueView,
  said: ReadonlyMap<Proposal, string>,
  words: string,
  shown: QueueChoice['show'],
): boolean {
  return group.transactions.some((proposal) => {
    // A row that nobody has seen has no verdict yet; it stays until it has one.
    const isShown =
      shown === 'all' ||
      !view.verdicts.has(proposal.safeTxHash) ||
      standingOf(proposal, group.waitsFor === null, view) === standingShown[shown]
    return isShown && said.get(proposal)?.includes(words)
  })
}
