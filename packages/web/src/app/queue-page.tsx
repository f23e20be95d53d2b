import { Suspense } from 'react'
import type { Address } from 'viem'
import { useChain } from '../api/configuration.ts'
import { TransactionQueue } from '../features/queue/transaction-queue.tsx'
import { Alarms } from '../features/transaction/alarms.tsx'
import { text } from '../text/safe.ts'
import { withTexts } from '../text/text.ts'
import { lazyPart } from '../ui/part/lazy-part.tsx'
import { SafeSection } from './safe-section.tsx'
import { TransactionTabs } from './transaction-tabs.tsx'

/** Comes where the operator names another service. */
const OnlyInService = lazyPart(
  async () => (await withTexts(() => import('../features/import/only-in-service.tsx'))).OnlyInService,
)

/** Section *Queue* of a Safe: proposals that are not executed yet. */
export function QueuePage(place: { chainId: number; safeAddress: Address }) {
  const isWithOther = useChain(place.chainId)?.bringFrom != null
  return (
    <SafeSection
      {...place}
      title={text('safe.screens.queue')}
      before={(hasTransactions) => (
        <>
          <TransactionTabs {...place} />
          {hasTransactions && (
            <>
              <Alarms {...place} />
              {isWithOther && (
                <Suspense>
                  <OnlyInService {...place} />
                </Suspense>
              )}
              <TransactionQueue {...place} />
            </>
          )}
        </>
      )}
    />
  )
}
