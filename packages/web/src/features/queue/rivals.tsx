import type { NonceGroup } from '@countersign/safe'
import type { Proposal } from '../../safe/proposals.ts'
import { text } from '../../text/lists.ts'
import { differingPart } from './differing-part.ts'
import { OwnerMarks } from './owner-marks.tsx'
import {
  Action,
  Effect,
  Meta,
  proposalTitle,
  type QueueView,
  RowVerdict,
  StandingWords,
  standingOf,
} from './queue-row.tsx'

/** Proposals of one nonce, side by side: what differs between them is marked. */
export function Rivals({
  group,
  view,
  first,
}: {
  group: NonceGroup<Proposal>
  view: QueueView
  /** The proposal that has the filled button. */
  first: string | undefined
}) {
  const { state, names, verdicts } = view
  const titles = group.transactions.map((transaction) =>
    proposalTitle(transaction, names, verdicts.get(transaction.safeTxHash)?.call),
  )
  return (
    <div className="grid gap-x-4 gap-y-2 py-3 @3xl:grid-cols-[2.25rem_minmax(0,1fr)]">
      <span aria-hidden className="hidden truncate leading-6 text-ink-soft tabular-nums @3xl:block">
        {group.nonce.toString()}
      </span>
      <div className="min-w-0">
        <p className="mb-2 wrap-anywhere">
          <strong className="font-semibold">
            {text('queue.rivals', { count: group.transactions.length, nonce: group.nonce })}
          </strong>{' '}
          {text('queue.rivals.sentence')}
        </p>
        <ul className="grid overflow-clip rounded-sheet border border-rule-strong bg-raised @3xl:grid-cols-2">
          {group.transactions.map((proposal, index) => {
            const standing = standingOf(proposal, group.waitsFor === null, view)
            const verdict = verdicts.get(proposal.safeTxHash)
            const [before, differing, after] = differingPart(titles, index)
            return (
              <li
                key={proposal.safeTxHash}
                ref={view.watch}
                data-row={proposal.safeTxHash}
                data-transaction={proposal.safeTxHash}
                data-standing={standing}
                className="-m-px grid content-start gap-1.5 border border-rule p-3.5"
              >
                <Effect proposal={proposal} names={names} verdict={verdict} isRefused={standing === 'refused'}>
                  {before}
                  {differing && (
                    <mark className="rounded-control bg-warning-wash px-0.5 text-inherit">{differing}</mark>
                  )}
                  {after}
                </Effect>
                <Meta proposal={proposal} names={names} />
                <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
                  <RowVerdict verdict={verdict} why={view.unreviewed.get(proposal.safeTxHash)} />
                  <OwnerMarks
                    owners={state?.owners ?? proposal.confirmations.map(({ owner }) => owner)}
                    confirmations={proposal.confirmations}
                    threshold={state?.threshold ?? proposal.confirmationsRequired ?? 0}
                    names={names}
                  />
                </div>
                <StandingWords standing={standing} proposal={proposal} />
                <Action
                  proposal={proposal}
                  group={group}
                  standing={standing}
                  verdict={verdict}
                  names={names}
                  isFirst={proposal.safeTxHash === first}
                />
              </li>
            )
          })}
        </ul>
      </div>
    </div>
  )
}
