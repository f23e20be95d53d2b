import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import type { Address } from 'viem'
import { safeQuery } from '../../safe/safe.ts'
import { withTexts } from '../../text/text.ts'
import { lazyPart } from '../../ui/part/lazy-part.tsx'
import { chainStatusQuery, isBehind, quietStandings, standingOf } from './chain-status.ts'

/** Most histories are whole, and need no word. */
const FollowingWords = lazyPart(async () => {
  const { FollowingWords: view } = await withTexts(() => import('./following-words.tsx'))
  return view
})

/** Where a Safe's history ends before the chain does, and why. Nothing, and no code of it, while it is whole. */
export function FollowingNote({ chainId, safeAddress }: { chainId: number; safeAddress: Address }) {
  const found = useQuery(chainStatusQuery)
  const { data: safe } = useQuery(safeQuery(chainId, safeAddress))
  const status = found.data?.chains.find((chain) => chain.chainId === chainId)
  if (!found.data || !status) return null
  const standing = standingOf(status, found.data.readAt)
  const isPastRead = (safe?.backfillBlock ?? null) === null && !status.ofNamedTokens
  const isWhole = quietStandings.has(standing) && isPastRead && !isBehind(status)
  return (
    <div className="grid gap-4 not-empty:mb-4" data-following={standing}>
      {!isWhole && (
        <Suspense>
          <FollowingWords chainId={chainId} safeAddress={safeAddress} safe={safe} status={status} standing={standing} />
        </Suspense>
      )}
    </div>
  )
}
