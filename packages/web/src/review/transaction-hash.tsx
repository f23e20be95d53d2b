import { useChain } from '../api/configuration.ts'
import { Hash } from '../ui/address.tsx'
import { text } from './text.ts'

/** The hash of an Ethereum transaction, with a link when the operator named an explorer. */
export function TransactionHash({ chainId, transactionHash }: { chainId: number; transactionHash: string }) {
  const explorerUrl = useChain(chainId)?.explorerUrl
  return (
    <span data-transaction-hash={transactionHash}>
      <Hash hash={transactionHash} />
      {explorerUrl && (
        <a
          href={`${explorerUrl}/tx/${transactionHash}`}
          target="_blank"
          rel="noreferrer"
          className="ml-2 inline-block min-h-6 text-small text-accent underline underline-offset-4"
        >
          {text('execute.explorer')}
        </a>
      )}
    </span>
  )
}
