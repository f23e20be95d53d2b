import { CountersignError, type NonceGroup } from '@countersign/safe-core'
import { useState } from 'react'
import type { Address } from 'viem'
import type { Proposal } from '../../review/proposals.ts'
import { useSafeTitle } from '../../review/safe/use-safe-name.ts'
import { text } from '../../review/text.ts'
import { Empty } from '../../ui/empty.tsx'
import { Field, SelectField } from '../../ui/field.tsx'
import { List } from '../../ui/list.tsx'
import { Notice } from '../../ui/notice.tsx'
import { usePageTitle } from '../../ui/page-head.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { proposalTitle, QueueRow, type QueueView, type Standing, standingOf } from './queue-row.tsx'
import { Rivals } from './rivals.tsx'
import { useQueue } from './use-queue.tsx'

/** From so many on there is something to look through. */
const SEARCH_FROM = 6

type Shown = 'all' | 'mine' | 'ready'
const standings: Record<Exclude<Shown, 'all'>, Standing> = { mine: 'waits', ready: 'ready' }

/** Proposals by nonce: how far each is, who is missing, what blocks what, what waits for the reader. */
export function TransactionQueue({ chainId, safeAddress }: { chainId: number; safeAddress: Address }) {
  const { queue, state, groups, view, reviewing, isOwner, mine, refused } = useQueue(chainId, safeAddress)
  const [words, setWords] = useState('')
  const [shown, setShown] = useState<Shown>('all')
  const count = groups.reduce((sum, { transactions }) => sum + transactions.length, 0)
  const found = groups.filter((group) => isFound(group, view, words.trim().toLowerCase(), shown))
  const first = firstToDo(found, view)
  const safeTitle = useSafeTitle(chainId, safeAddress)
  usePageTitle(...(mine > 0 ? [text('queue.tab', { count: mine })] : []), text('safe.screens.queue'), safeTitle)
  return (
    <section aria-label={text('safe.screens.queue')} className="@container">
      {reviewing}
      <div className="mb-4 flex min-h-6 flex-wrap items-end justify-between gap-x-6 gap-y-3">
        {queue.data && isOwner ? (
          <p data-awaiting-me={mine} className="text-small">
            <span className={mine > 0 ? 'font-semibold' : 'text-ink-soft'}>
              {mine > 0 ? text('queue.mine', { count: mine }) : text('queue.mine.none')}
            </span>
            {refused > 0 && (
              <span className="font-semibold text-danger"> · {text('queue.refused', { count: refused })}</span>
            )}
          </p>
        ) : (
          <span />
        )}
        {count >= SEARCH_FROM && (
          <div className="grid w-full gap-3 @3xl:w-auto @3xl:grid-cols-[20rem_13rem]">
            <Field
              label={text('queue.search')}
              type="search"
              autoComplete="off"
              value={words}
              onChange={({ target }) => setWords(target.value)}
            />
            <SelectField
              label={text('queue.show')}
              value={shown}
              onChange={({ target }) => setShown(target.value as Shown)}
            >
              <option value="all">{text('queue.show.all')}</option>
              <option value="mine">{text('queue.show.mine')}</option>
              <option value="ready">{text('queue.show.ready')}</option>
            </SelectField>
          </div>
        )}
      </div>
      {queue.data && state.error && !state.data && <Notice tone="warning">{text('queue.unread')}</Notice>}
      <List
        of={queue}
        rows={found}
        keyOf={({ nonce }) => nonce.toString()}
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
            <Empty title={text('queue.empty')}>{text('queue.empty.sentence')}</Empty>
          )
        }
        more={text('queue.more')}
      >
        {(group) => <Group group={group} view={view} first={first} isHead={isHead(group, found)} />}
      </List>
      {queue.data && (
        <div className="mt-4 grid gap-2 text-small text-ink-faint">
          {count > 0 && <p>{text('queue.verdicts')}</p>}
          <p>
            <TextLink look="action" to="/safes/$chainId/$safeAddress/signatures" params={{ chainId, safeAddress }}>
              {text('alive.link')}
            </TextLink>
          </p>
        </div>
      )}
    </section>
  )
}

/** Proposals of one nonce. Rows far from the window are not laid out: a thousand of them scroll as a few do. */
function Group({
  group,
  view,
  first,
  isHead,
}: {
  group: NonceGroup<Proposal>
  view: QueueView
  first: string | undefined
  isHead: boolean
}) {
  const [only] = group.transactions
  return (
    <>
      {isHead && view.state && (
        <h2 className="label mt-5 border-b border-rule-strong pb-2 first:mt-0">
          {text(group.waitsFor === null ? 'queue.group.next' : 'queue.group.later')}
        </h2>
      )}
      <section
        data-nonce={group.nonce.toString()}
        aria-label={text('queue.nonce', { nonce: group.nonce })}
        className="border-b border-rule [contain-intrinsic-size:auto_4.25rem] [content-visibility:auto]"
      >
        {group.waitsFor && !group.waitsFor.isProposed && (
          <p className="pt-2 text-small text-warning">{text('queue.gap', { nonce: group.waitsFor.nonce })}</p>
        )}
        {only && group.transactions.length === 1 ? (
          <QueueRow proposal={only} group={group} view={view} isFirst={only.safeTxHash === first} />
        ) : (
          <Rivals group={group} view={view} first={first} />
        )}
      </section>
    </>
  )
}

/** Whether a group begins a part of the list: what is next, and what comes after it. */
function isHead(group: NonceGroup<Proposal>, all: readonly NonceGroup<Proposal>[]): boolean {
  const before = all[all.indexOf(group) - 1]
  return before === undefined || (before.waitsFor === null) !== (group.waitsFor === null)
}

/** The first proposal that the reader can do something about. */
export function firstToDo(groups: readonly NonceGroup<Proposal>[], view: QueueView): string | undefined {
  for (const { transactions, waitsFor } of groups)
    for (const one of transactions)
      if (['waits', 'ready'].includes(standingOf(one, waitsFor === null, view))) return one.safeTxHash
  return undefined
}

function isFound(group: NonceGroup<Proposal>, view: QueueView, words: string, shown: Shown): boolean {
  return group.transactions.some((one) => {
    // A row that nobody has seen has no verdict yet; it stays until it has one.
    const isShown =
      shown === 'all' ||
      !view.verdicts.has(one.safeTxHash) ||
      standingOf(one, group.waitsFor === null, view) === standings[shown]
    const said = [proposalTitle(one, view.names), one.safeTx?.to ?? '', one.proposer ?? '', one.origin ?? '', one.nonce]
    return isShown && said.join('\n').toLowerCase().includes(words)
  })
}
