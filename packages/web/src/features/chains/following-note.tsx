import { useQuery } from '@tanstack/react-query'
import type { Address } from 'viem'
import { safeQuery } from '../../api/safe.ts'
import { formatDuration } from '../../text/locale.ts'
import { Progress } from '../../ui/progress.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { chainStatusQuery, isBehind, progressOfSafe, standingOf } from './chain-status.ts'
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
  const { backfillBlock = null, backfillTo = null } = safe.data ?? {}
  return (
    <div className="grid gap-4 not-empty:mb-4" data-following={standing}>
      {!quiet.has(standing) && (
        <ChainTrouble
          status={status}
          standing={standing}
          title={block === undefined ? text('following.still.unknown') : text('following.still', { block })}
        />
      )}
      {backfillBlock !== null && (
        <ReadingPast of={progressOfSafe(status, { backfillBlock, backfillTo })} readTo={backfillTo} />
      )}
      {status.ofNamedTokens && (
        <p role="status" className="text-small text-warning">
          {text('following.named-tokens', {
            ...status.ofNamedTokens,
            command: `COUNTERSIGN_REBUILD=${chainId}:${status.ofNamedTokens.from}`,
          })}
        </p>
      )}
      {quiet.has(standing) && isBehind(status) && block !== undefined && (
        <p role="status" className="flex flex-wrap gap-x-3 text-small text-warning">
          {text('following.behind', { block, blocks: status.lag?.blocks ?? 0 })}
          <TextLink to="/chains">{text('following.more')}</TextLink>
        </p>
      )}
    </div>
  )
}

function ReadingPast({ of, readTo }: { of: ReturnType<typeof progressOfSafe>; readTo: number | null }) {
  return (
    <div role="status" className="grid gap-1.5 text-small text-ink-soft">
      <p className="font-medium text-ink">
        {of === null ? text('following.past.unknown') : text('following.past', { percent: of.percent })}
      </p>
      {of !== null && <Progress label={text('following.past.unknown')} percent={of.percent} />}
      <p>
        {readTo === null ? text('following.past.sentence') : text('following.past.from', { block: readTo + 1 })}{' '}
        {of !== null && of.secondsLeft !== null && timeLeft(of.secondsLeft)}
      </p>
    </div>
  )
}

function timeLeft(seconds: number): string {
  return text('following.past.left', { duration: formatDuration(Math.max(1, seconds) * 1000) })
}
