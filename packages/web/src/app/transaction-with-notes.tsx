import type { Address, Hex } from 'viem'
import { AliveAtNonce } from '../features/alive/alive-at-nonce.tsx'
import { Notes } from '../features/book/notes.tsx'
import { OtherServiceStatus } from '../features/import/other-service-status.tsx'
import { TransactionPage } from '../features/transaction/transaction-page.tsx'

/** A transaction, with its notes, its copy at another service and what else can be executed in its place. */
export function TransactionWithNotes(transaction: { chainId: number; safeAddress: Address; safeTxHash: Hex }) {
  return (
    <TransactionPage
      {...transaction}
      signaturesAtNonce={(at) => <AliveAtNonce {...at} />}
      notes={
        <>
          <OtherServiceStatus {...transaction} />
          <Notes {...transaction} subjectHash={transaction.safeTxHash} />
        </>
      }
    />
  )
}
