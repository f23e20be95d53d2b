import type { Address } from 'viem'
import { OnlyThere } from '../features/bring/only-there.tsx'
import { TransactionQueue } from '../features/queue/transaction-queue.tsx'
import { Alarms } from '../features/transaction/alarms.tsx'
import { text } from '../text/safe.ts'
import { SafeSection } from './safe-section.tsx'
import { TransactionTabs } from './transaction-tabs.tsx'

/** Section *Queue* of a Safe: proposals that are not executed yet. */
export function QueuePage(place: { chainId: number; safeAddress: Address }) {
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
              <OnlyThere {...place} />
              <TransactionQueue {...place} />
            </>
          )}
        </>
      )}
    />
  )
}
