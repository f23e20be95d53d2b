import type { HistoryEntry } from '@countersign/contract'
import { Suspense } from 'react'
import type { Address } from 'viem'
import { useConfiguration } from '../../api/configuration.ts'
import { withTexts } from '../../text/text.ts'
import { lazyPart } from '../../ui/part/lazy-part.tsx'
import type { Holding } from './holdings.ts'

const values = () => withTexts(() => import('./values.tsx'), 'worth')
const ValueNow = lazyPart(async () => (await values()).ValueNow)
const TotalNow = lazyPart(async () => (await values()).TotalNow)
const ValueThen = lazyPart(async () => (await values()).ValueThen)

/** Says what an amount is worth by the operator's sources: a claim. Where there are none, nothing of it is loaded. */
export function Worth(props: { chainId: number; holding: Holding; isTold?: boolean }) {
  const { currency } = useConfiguration()
  return (
    currency !== null && (
      <Suspense>
        <ValueNow {...props} currency={currency} />
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
        <TotalNow {...props} currency={currency} />
      </Suspense>
    )
  )
}

/** Says what a transfer was worth when it happened. */
export function WorthThen(props: { chainId: number; safeAddress: Address; entry: HistoryEntry; decimals: number }) {
  const { currency } = useConfiguration()
  return (
    currency !== null && (
      <Suspense>
        <ValueThen {...props} currency={currency} />
      </Suspense>
    )
  )
}
