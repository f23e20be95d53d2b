import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import type { Address } from 'viem'
import { safeQuery } from '../../safe/safe.ts'
import { withTexts } from '../../text/text.ts'
import { lazyPart } from '../../ui/part/lazy-part.tsx'

/** Comes where there are alarms. */
const AlarmList = lazyPart(async () => (await withTexts(() => import('./alarm-list.tsx'))).AlarmList)

/** Signatures that were refused and that nobody has acknowledged yet: above everything else, for owners. */
export function Alarms({ chainId, safeAddress }: { chainId: number; safeAddress: Address }) {
  const safe = useQuery(safeQuery(chainId, safeAddress)).data
  return (
    safe?.role === 'owner' &&
    safe.hasAlarms && (
      <Suspense>
        <AlarmList chainId={chainId} safeAddress={safeAddress} />
      </Suspense>
    )
  )
}
