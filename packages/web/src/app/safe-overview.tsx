import type { Address } from 'viem'
import { FollowingNote } from '../features/chains/following-note.tsx'
import { SafePage } from '../features/safes/safe-page.tsx'
import { Alarms } from '../features/transactions/alarms.tsx'
import { TransactionHistory } from '../features/transactions/transaction-history.tsx'
import { TransactionQueue } from '../features/transactions/transaction-queue.tsx'

/** What three features have to say of a Safe. In one file, since all of it is always needed at once. */
export function SafeOverview(safe: { chainId: number; safeAddress: Address }) {
  return (
    <SafePage
      {...safe}
      queue={
        <>
          <Alarms {...safe} />
          <TransactionQueue {...safe} />
        </>
      }
      history={<TransactionHistory {...safe} note={<FollowingNote {...safe} />} />}
    />
  )
}
