import { CountersignError } from '@countersign/safe'
import type { Address } from 'viem'
import { VerdictMark } from '../../safe/words/verdict-mark.tsx'
import { text } from '../../text/lists.ts'
import { Empty } from '../../ui/empty.tsx'
import { Loaded } from '../../ui/list.tsx'
import { Section } from '../../ui/section.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { proposalTitle, QueueRow, standingOf } from './queue-row.tsx'
import { useQueue } from './use-queue.tsx'

/** More than these are in the queue. */
const MAX_SHOWN = 5

/** Proposals that the reader can act on now; below them, in red, those that nobody should sign. */
export function WaitingForYou({ chainId, safeAddress }: { chainId: number; safeAddress: Address }) {
  const { queue, state, groups, view, reviewing, isOwner } = useQueue(chainId, safeAddress)
  const rows = groups.flatMap((group) =>
    group.transactions.map((proposal) => ({
      proposal,
      group,
      standing: standingOf(proposal, group.waitsFor === null, view),
    })),
  )
  const toDo = rows.filter(({ standing }) => standing === 'waits' || standing === 'ready')
  // A row may wait until it is reviewed, which it is once it is seen.
  // Who the owners are decides what waits: until the chain has told, or cannot, nothing is said of it.
  const isKnown = state.data !== undefined || state.error !== null || state.fetchStatus === 'paused'
  const shown = isOwner ? rows.filter((row) => toDo.includes(row) || !view.verdicts.has(row.proposal.safeTxHash)) : toDo
  const refused = rows.filter(({ standing }) => standing === 'refused')
  const params = { chainId, safeAddress }
  return (
    <Section
      title={text('waiting.title')}
      aside={
        <TextLink to="/safes/$chainId/$safeAddress/queue" params={params}>
          {text('waiting.queue')}
        </TextLink>
      }
    >
      {reviewing}
      <Loaded
        of={isKnown ? queue : { ...queue, data: undefined }}
        loading={text('queue.loading')}
        lines={2}
        instead={(error) =>
          error instanceof CountersignError &&
          error.code === 'NOT_A_MEMBER' && (
            <Empty title={text('queue.notOwner')}>{text('queue.notOwner.sentence')}</Empty>
          )
        }
      >
        {() => (
          <div className="@container border-t border-rule-strong">
            {shown.length === 0 && (
              <p className="border-b border-rule py-4 text-ink-soft">
                {text('waiting.none')}
                {state.data && <> · {text('waiting.none.sentence', { nonce: state.data.nonce })}</>}
              </p>
            )}
            {shown.slice(0, MAX_SHOWN).map(({ proposal, group }) => (
              <div key={proposal.safeTxHash} className="border-b border-rule">
                <QueueRow
                  proposal={proposal}
                  group={group}
                  view={view}
                  isFirst={proposal.safeTxHash === toDo[0]?.proposal.safeTxHash}
                />
              </div>
            ))}
            {shown.length > MAX_SHOWN && (
              <p className="py-3 text-small">
                <TextLink to="/safes/$chainId/$safeAddress/queue" params={params}>
                  {text('waiting.more', { count: shown.length - MAX_SHOWN })}
                </TextLink>
              </p>
            )}
          </div>
        )}
      </Loaded>
      {refused.map(({ proposal }) => (
        <p
          key={proposal.safeTxHash}
          data-refused={proposal.safeTxHash}
          className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-1 bg-danger-wash px-4 py-2.5"
        >
          <span className="flex items-center gap-2 font-semibold text-danger [--stop:var(--danger-wash)]">
            <VerdictMark of="do-not-sign" size={18} />
            {text('waiting.refused', { nonce: proposal.nonce })}
          </span>
          <span className="min-w-0 flex-[1_1_14rem] wrap-anywhere">
            {proposalTitle(proposal, view.names, view.verdicts.get(proposal.safeTxHash)?.call)}
          </span>
          <TextLink
            to="/safes/$chainId/$safeAddress/transactions/$safeTxHash"
            params={{ ...params, safeTxHash: proposal.safeTxHash }}
          >
            {text('waiting.refused.link')}
          </TextLink>
        </p>
      ))}
    </Section>
  )
}
