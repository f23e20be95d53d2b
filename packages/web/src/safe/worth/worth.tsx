import type { HistoryEntry } from '@countersign/contract'
import { Suspense } from 'react'
import type { Address } from 'viem'
import { useConfiguration } from '../../api/configuration.ts'
import { withTexts } from '../../text/text.ts'
import { lazyPart } from '../../ui/part/lazy-part.tsx'
import type { Holding } from './holdings.ts'

const values = () => withTexts(() => import('./values.tsx'), 'worth')
const CurrentValue = lazyPart(async () => (await values()).CurrentValue)
const CurrentTotal = lazyPart(async () => (await values()).CurrentTotal)
const ValueAtTime = lazyPart(async () => (await values()).ValueAtTime)

/** Says what an amount is worth by the operator's sources: a claim. Where there are none, nothing of it is loaded. */
export function Worth(props: { chainId: number; holding: Holding; isTold?: boolean }) {
  const { currency } = useConfiguration()
  return (
    currency !== null && (
      <Suspense>
        <CurrentValue {...props} currency={currency} />
      </Suspense>
    )
  )
}

/** Says what several holdings are worth together. */
export function TotalWorth(props: { chainId: number; holdings: readonly Holding[] }) {
  const { currency } = useConfiguration()
  return (
    currency !== null && (
      <Suspense>
        <CurrentTotal {...props} currency={currency} />
      </Suspense>
    )
  )
}

/** Says what a transfer was worth when it happened. */
export function WorthAtTime(props: { chainId: number; safeAddress: Address; entry: HistoryEntry; decimals: number }) {
  const { currency } = useConfiguration()
  return (
    currency !== null && (
      <Suspense>
        <ValueAtTime {...props} currency={currency} />
      </Suspense>
    )
  )
}
