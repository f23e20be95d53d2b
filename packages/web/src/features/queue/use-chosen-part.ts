import type { NonceGroup } from '@countersign/safe'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useDeferredValue, useEffect, useMemo, useState } from 'react'
import type { Proposal } from '../../safe/proposals.ts'
import { blocksOf } from './queue-blocks.tsx'
import { parseQueueChoice, type QueueChoice, standingShown } from './queue-choice.ts'
import { proposalTitle, type QueueView, standingOf } from './queue-row.tsx'
import type { useQueue } from './use-queue.tsx'

/** Finds the part of a queue that its address and the search field choose. While a part is chosen, the whole queue is loaded. */
export function useChosenPart(
  queue: ReturnType<typeof useQueue>['queue'],
  groups: readonly NonceGroup<Proposal>[],
  view: QueueView,
) {
  const choice = useSearch({ from: '/signed-in/safes/$chainId/$safeAddress/queue' })
  const { q = '', show = 'all' } = choice
  const navigate = useNavigate({ from: '/safes/$chainId/$safeAddress/queue' })
  const choose = useCallback(
    (part: Partial<QueueChoice>) =>
      // Nothing moves below the finger of a person who leaves the field for a row.
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
    if (isChosen && queue.hasNextPage && !queue.isFetching && !queue.isError) void queue.fetchNextPage()
  }, [isChosen, queue])
  const said = useMemo(() => (isSearched ? saidIn(groups, view.names) : null), [isSearched, groups, view.names])
  const found = useMemo(
    () => groups.filter((group) => isFound(group, view, said, words, shown)),
    [groups, view, said, words, shown],
  )
  const blocks = useMemo(() => blocksOf(found), [found])
  return { choice, choose, typed, type, isChosen, found, blocks }
}

export function proposalsIn(groups: readonly NonceGroup<Proposal>[]): Proposal[] {
  return groups.flatMap(({ transactions }) => transactions)
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
