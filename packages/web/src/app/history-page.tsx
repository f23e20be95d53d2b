import type { Address } from 'viem'
import { FollowingNote } from '../features/chains/following-note.tsx'
import { TransactionHistory } from '../features/history/transaction-history.tsx'
import { text } from '../text/safe.ts'
import { SafeSection } from './safe-section.tsx'
import { TransactionTabs } from './transaction-tabs.tsx'

/** Section *History* of a Safe: events on the chain. */
export function HistoryPage(place: { chainId: number; safeAddress: Address }) {
  return (
    <SafeSection
      {...place}
      title={text('safe.screens.history')}
      before={(hasTransactions) => (
        <>
          <TransactionTabs {...place} />
          {hasTransactions && <TransactionHistory {...place} note={<FollowingNote {...place} />} />}
        </>
      )}
    />
  )
}
