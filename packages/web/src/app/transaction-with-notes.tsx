import type { Address, Hex } from 'viem'
import { Notes } from '../features/book/notes.tsx'
import { AlsoThere } from '../features/bring/also-there.tsx'
import { TransactionPage } from '../features/transaction/transaction-page.tsx'

/** A transaction, what the team says of it, and whether another service has it, too. */
export function TransactionWithNotes(transaction: { chainId: number; safeAddress: Address; safeTxHash: Hex }) {
  return (
    <TransactionPage
      {...transaction}
      notes={
        <>
          <AlsoThere {...transaction} />
          <Notes {...transaction} subjectHash={transaction.safeTxHash} />
        </>
      }
    />
  )
}
