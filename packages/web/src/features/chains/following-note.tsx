import { useQuery } from '@tanstack/react-query'
import type { Address } from 'viem'
import { safeQuery } from '../../api/safe.ts'
import { Progress } from '../../ui/progress.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { chainStatusQuery, isBehind, percentOfSafe, standingOf } from './chain-status.ts'
import { ChainTrouble } from './chain-trouble.tsx'
import { text } from './text.ts'

const quiet = new Set(['up-to-date', 'behind', 'reading-past', 'starting'])

/** Where a Safe's history ends before the chain does, and why. Nothing while it is whole. */
export function FollowingNote({ chainId, safeAddress }: { chainId: number; safeAddress: Address }) {
  const found = useQuery(chainStatusQuery)
  const safe = useQuery(safeQuery(chainId, safeAddress))
  const status = found.data?.chains.find((chain) => chain.chainId === chainId)
  if (!found.data || !status) return null
  const standing = standingOf(status, found.data.readAt)
  const block = status.cursor?.blockNumber
  const backfillBlock = safe.data?.backfillBlock ?? null
  return (
    <div className="grid gap-4 not-empty:mb-4" data-following={standing}>
      {!quiet.has(standing) && (
        <ChainTrouble
          status={status}
          standing={standing}
          title={block === undefined ? text('following.still.unknown') : text('following.still', { block })}
        />
      )}
      {backfillBlock !== null && <ReadingPast percent={percentOfSafe(status, backfillBlock)} />}
      {quiet.has(standing) && isBehind(status) && block !== undefined && (
        <p role="status" className="flex flex-wrap gap-x-3 text-small text-warning">
          {text('following.behind', { block, blocks: status.lag?.blocks ?? 0 })}
          <TextLink to="/chains">{text('following.more')}</TextLink>
        </p>
      )}
    </div>
  )
}

function ReadingPast({ percent }: { percent: number | null }) {
  return (
    <div role="status" className="grid gap-1.5 text-small text-ink-soft">
      <p className="font-medium text-ink">
        {percent === null ? text('following.past.unknown') : text('following.past', { percent })}
      </p>
      {percent !== null && <Progress label={text('following.past.unknown')} percent={percent} />}
      <p>{text('following.past.sentence')}</p>
    </div>
  )
}
