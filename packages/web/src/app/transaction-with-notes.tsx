import type { Address, Hex } from 'viem'
import { Notes } from '../features/book/notes.tsx'
import { TransactionPage } from '../features/transaction/transaction-page.tsx'

/** A transaction and what the team says of it. */
export function TransactionWithNotes(transaction: { chainId: number; safeAddress: Address; safeTxHash: Hex }) {
  return <TransactionPage {...transaction} notes={<Notes {...transaction} subjectHash={transaction.safeTxHash} />} />
}
