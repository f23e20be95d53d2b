import type { Address } from 'viem'
import { FollowingNote } from '../features/chains/following-note.tsx'
import { TransactionHistory } from '../features/history/transaction-history.tsx'
import { TransactionQueue } from '../features/queue/transaction-queue.tsx'
import { Alarms } from '../features/transaction/alarms.tsx'
import { SafePage } from './safe-page.tsx'

/** Parts of three features on a Safe's first screen. In one file, since all of them are always needed at once. */
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
