import type { MessageReview } from '@countersign/review'
import type { SafeState } from '@countersign/safe'
import { useQuery } from '@tanstack/react-query'
import { chainRequest } from '../../api/chain-client.ts'
import { type Names, nameOf } from '../../safe/names/names.ts'
import { Address, Hash } from '../../ui/address.tsx'
import { CopyButton } from '../../ui/copy/copy-button.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/section.tsx'
import { type Collected, checkCollected, collectSignature } from './collected.ts'
import { text } from './text.ts'

const tones = { accepted: 'good', refused: 'danger', unknown: 'warning' } as const

/**
 * Shows the result for an application: the signatures that were verified here, joined, and the Safe's own answer to
 * them.
 */
export function CollectedSignature({
  review,
  state,
  names,
}: {
  review: MessageReview
  state: SafeState
  names: Names
}) {
  const collected = collectSignature(review, state)
  const valid = review.confirmations.filter(({ status }) => status === 'valid').length
  return (
    <Section title={text('message.collected')}>
      {collected === null ? (
        <p className="text-ink-soft">{text('message.collected.missing', { count: state.threshold - valid })}</p>
      ) : (
        <CombinedSignature collected={collected} state={state} names={names} />
      )}
    </Section>
  )
}

function CombinedSignature({ collected, state, names }: { collected: Collected; state: SafeState; names: Names }) {
  const { signature, hash, owners, isLegacy } = collected
  const { chainId, address: safeAddress } = state
  const { data: verdict } = useQuery({
    // Owners, threshold and handler decide.
    queryKey: ['collected', chainId, safeAddress, collected, state.owners, state.threshold, state.fallbackHandler],
    queryFn: () => checkCollected(chainRequest(chainId), safeAddress, collected),
    staleTime: 30_000,
    refetchInterval: ({ state: query }) => (query.data === 'unknown' ? 5_000 : 60_000),
  })
  return (
    <div data-collected={verdict ?? 'asking'} className="grid gap-4">
      {verdict === undefined ? (
        <Loading label={text('message.collected.checking')} />
      ) : (
        <Notice tone={tones[verdict]} isAnnounced title={text(`message.collected.${verdict}`)}>
          {text(`message.collected.${verdict}.sentence`)}
        </Notice>
      )}
      <Facts>
        <Fact label={text('message.collected.signature')}>
          <span className="flex max-h-48 overflow-y-auto">
            <code data-signature-of-safe className="figures text-small wrap-anywhere">
              {signature}
            </code>
          </span>
          <CopyButton value={signature} label={text('message.collected.copy')} />
        </Fact>
        <Fact label={text('message.collected.hash')}>
          <Hash hash={hash} />
        </Fact>
        <Fact label={text('message.collected.owners')}>
          <span className="grid gap-2">
            {owners.map((owner) => (
              <Address key={owner} address={owner} name={nameOf(owner, names)} />
            ))}
          </span>
        </Fact>
      </Facts>
      <p className="max-w-prose text-ink-soft wrap-anywhere">
        {text(isLegacy ? 'message.collected.how.legacy' : 'message.collected.how', { hash })}
      </p>
    </div>
  )
}
