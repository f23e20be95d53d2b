import type { NonceGroup } from '@countersign/safe'
import { type CSSProperties, memo, type ReactNode, type Ref } from 'react'
import type { Hex } from 'viem'
import type { Proposal } from '../../safe/proposals.ts'
import { text } from '../../text/lists.ts'
import { useNear } from '../../ui/screen/use-near.ts'
import { proposalTitle, QueueRow, type QueueView } from './queue-row.tsx'
import { Rivals } from './rivals.tsx'

/** Groups that are drawn in full before the browser has told what is on the screen. */
const ON_TOP = 20
/** Nonces that the browser lays out and paints together, or not at all while they are far from the window. */
const IN_BLOCK = 25n

type Head = 'top' | 'below' | null

/** One group of a block, whether it begins a part of the list, and where. */
type Placed = { group: NonceGroup<Proposal>; head: Head; isOnTop: boolean }

export type Block = { key: string; placed: Placed[] }

/** Blocks go by nonces: a group stays in its own, and is not drawn anew, whatever is found or executed before it. */
export function blocksOf(found: readonly NonceGroup<Proposal>[]): Block[] {
  const blocks: Block[] = []
  for (const [index, group] of found.entries()) {
    const key = String(group.nonce / IN_BLOCK)
    const placed = { group, head: headOf(group, found[index - 1]), isOnTop: index < ON_TOP }
    const last = blocks.at(-1)
    if (last?.key === key) last.placed.push(placed)
    else blocks.push({ key, placed: [placed] })
  }
  return blocks
}

/** Whether a group begins a part of the list: what is next, and what comes after it. */
function headOf(group: NonceGroup<Proposal>, before: NonceGroup<Proposal> | undefined): Head {
  if (before === undefined) return 'top'
  return (before.waitsFor === null) === (group.waitsFor === null) ? null : 'below'
}

/**
 * Groups of a block. While it is far from the window nothing watches its rows: a thousand of them come and go with a search
 * as a few do.
 */
export const QueueBlock = memo(function QueueBlock({
  block: { placed },
  view,
  first,
}: {
  block: Block
  view: QueueView
  first: Hex | undefined
}) {
  const { ref, isNear } = useNear<HTMLDivElement>(placed[0]?.isOnTop === true)
  return (
    <div
      ref={ref}
      style={{ '--rows': placed.length } as CSSProperties}
      // The padding is room for the marks of the focus, which end with the block.
      className="-mx-2 px-2 [contain-intrinsic-block-size:auto_calc(var(--rows)*11.8rem)] [content-visibility:auto] @3xl:[contain-intrinsic-block-size:auto_calc(var(--rows)*4.3125rem)]"
    >
      {placed.map(({ group, head, isOnTop }) =>
        isNear ? (
          <Group key={group.nonce.toString()} group={group} view={view} first={first} head={head} isOnTop={isOnTop} />
        ) : (
          <FarGroup
            key={group.nonce.toString()}
            group={group}
            head={head}
            names={view.names}
            isStateKnown={view.state !== undefined}
          />
        ),
      )}
    </div>
  )
})

type GroupProps = Placed & { view: QueueView; first: Hex | undefined }

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
    <Frame group={group} head={head} isStateKnown={view.state !== undefined} frame={ref}>
      {!isNear ? (
        <Titles group={group} names={view.names} />
      ) : only && group.transactions.length === 1 ? (
        <QueueRow proposal={only} group={group} view={view} isFirst={only.safeTxHash === first} />
      ) : (
        <Rivals group={group} view={view} first={first} />
      )}
    </Frame>
  )
}, isSameGroup)

type FarProps = Pick<Placed, 'group' | 'head'> & { names: QueueView['names']; isStateKnown: boolean }

const FarGroup = memo(function FarGroup({ names, ...props }: FarProps) {
  return (
    <Frame {...props}>
      <Titles group={props.group} names={names} />
    </Frame>
  )
})

/** Titles, by which the browser's own search finds rows that are not drawn. */
function Titles({ group, names }: Pick<FarProps, 'group' | 'names'>) {
  return group.transactions.map((proposal) => (
    <p key={proposal.safeTxHash} className="h-47 truncate @3xl:h-17">
      {proposalTitle(proposal, names)}
    </p>
  ))
}

/** Everything that a group has around its rows, near and far. */
function Frame({
  group,
  head,
  isStateKnown,
  frame,
  children,
}: Omit<FarProps, 'names'> & { frame?: Ref<HTMLElement>; children: ReactNode }) {
  return (
    <>
      {head && (
        <h2
          className={`label border-b border-rule-strong pb-2 ${head === 'top' ? '' : 'mt-5'} ${isStateKnown ? '' : 'invisible'}`}
        >
          {text(group.waitsFor === null ? 'queue.group.next' : 'queue.group.later')}
        </h2>
      )}
      <section
        ref={frame}
        data-nonce={group.nonce.toString()}
        aria-label={text('queue.nonce', { nonce: group.nonce })}
        className="border-b border-rule [contain:layout_style]"
      >
        {group.waitsFor && !group.waitsFor.isProposed && (
          <p className="pt-2 text-small text-warning">{text('queue.gap', { nonce: group.waitsFor.nonce })}</p>
        )}
        {children}
      </section>
    </>
  )
}
