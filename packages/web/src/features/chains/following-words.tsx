import { type ChainStatus, resumeReading, type Safe, stopReading } from '@countersign/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Address } from 'viem'
import { api } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { safeQuery } from '../../safe/safe.ts'
import { formatDuration } from '../../text/locale.ts'
import { Button } from '../../ui/button.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Progress } from '../../ui/progress.tsx'
import { Time } from '../../ui/text/time.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { Writing } from '../../wallet/signing.ts'
import { isBehind, progressOfSafe, quietStandings, type Standing } from './chain-status.ts'
import { ChainTrouble } from './chain-trouble.tsx'
import { text } from './text.ts'

/** Says where a Safe's history ends before the chain does, and why. */
export function FollowingWords({
  chainId,
  safeAddress,
  safe,
  status,
  standing,
}: {
  chainId: number
  safeAddress: Address
  safe: Safe | undefined
  status: ChainStatus
  standing: Standing
}) {
  const block = status.cursor?.blockNumber
  const { backfillBlock = null, backfillTo = null, backfillStoppedAt = null, role = null } = safe ?? {}
  const reading = { chainId, safeAddress, isStopped: backfillStoppedAt !== null }
  return (
    <>
      {!quietStandings.has(standing) && (
        <ChainTrouble
          status={status}
          standing={standing}
          title={block === undefined ? text('following.still.unknown') : text('following.still', { block })}
        />
      )}
      {backfillBlock !== null && (
        <div className="grid gap-2">
          {backfillStoppedAt === null ? (
            <ReadingProgress of={progressOfSafe(status, { backfillBlock, backfillTo })} readTo={backfillTo} />
          ) : (
            <StoppedReading at={backfillStoppedAt} readTo={backfillTo} />
          )}
          {(role === 'owner' || role === 'proposer') && <ReadingControl {...reading} />}
        </div>
      )}
      {status.ofNamedTokens && (
        <p role="status" className="text-small text-warning">
          {text('following.named-tokens', {
            ...status.ofNamedTokens,
            command: `COUNTERSIGN_REBUILD=${chainId}:${status.ofNamedTokens.from}`,
          })}
        </p>
      )}
      {quietStandings.has(standing) && isBehind(status) && block !== undefined && (
        <p role="status" className="flex flex-wrap gap-x-3 text-small text-warning">
          {text('following.behind', { block, blocks: status.lag?.blocks ?? 0 })}
          <TextLink to="/chains">{text('following.more')}</TextLink>
        </p>
      )}
    </>
  )
}

function ReadingProgress({ of, readTo }: { of: ReturnType<typeof progressOfSafe>; readTo: number | null }) {
  return (
    <div role="status" className="grid gap-1.5 text-small text-ink-soft">
      <p className="font-medium text-ink">
        {of === null ? text('following.past.unknown') : text('following.past', { percent: of.percent })}
      </p>
      {of !== null && <Progress label={text('following.past.unknown')} percent={of.percent} />}
      <p>
        {readTo === null ? text('following.past.sentence') : text('following.past.from', { block: readTo + 1 })}{' '}
        {of !== null && of.secondsLeft !== null && timeLeft(of.secondsLeft)}{' '}
        {of !== null &&
          of.blocksPerSecond !== null &&
          text('following.past.rate', { rate: inFewDigits(of.blocksPerSecond) })}
      </p>
    </div>
  )
}

/** Says that somebody of the team stopped it, and from where on the history is whole. */
function StoppedReading({ at, readTo }: { at: string; readTo: number | null }) {
  return (
    <p role="status" className="text-small text-warning" data-reading="stopped">
      {readTo === null ? text('following.stopped') : text('following.stopped.from', { block: readTo + 1 })}{' '}
      <Time value={at} />
    </p>
  )
}

function ReadingControl({
  chainId,
  safeAddress,
  isStopped,
}: {
  chainId: number
  safeAddress: Address
  isStopped: boolean
}) {
  const queryClient = useQueryClient()
  const change = useMutation({
    mutationFn: () => api(isStopped ? resumeReading : stopReading, { chainId, safeAddress }),
    onSuccess: (safe) => {
      queryClient.setQueryData(safeQuery(chainId, safeAddress).queryKey, (known) => known && { ...known, ...safe })
      void queryClient.invalidateQueries({ queryKey: queryKeys.chainStatus })
    },
  })
  return (
    <Writing>
      <div>
        <Button
          isCompact
          onClick={() => change.mutate()}
          busy={change.isPending ? text('following.changing') : undefined}
        >
          {text(isStopped ? 'following.goOn' : 'following.stop')}
        </Button>
      </div>
      {change.error && <Problem error={change.error} />}
    </Writing>
  )
}

/** Rates of lately are no better known than that. */
function inFewDigits(rate: number): number {
  return rate >= 100 ? Math.round(rate) : Number(rate.toPrecision(2))
}

function timeLeft(seconds: number): string {
  return text('following.past.left', { duration: formatDuration(Math.max(1, seconds) * 1000) })
}
