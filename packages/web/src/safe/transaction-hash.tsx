import { useChain } from '../api/configuration.ts'
import { Hash } from '../ui/address.tsx'
import { ExternalLink } from '../ui/external-link.tsx'
import { text } from './text.ts'

/** The hash of an Ethereum transaction, with a link when the operator named an explorer. */
export function TransactionHash({ chainId, transactionHash }: { chainId: number; transactionHash: string }) {
  const explorerUrl = useChain(chainId)?.explorerUrl
  return (
    <span data-transaction-hash={transactionHash}>
      <Hash hash={transactionHash} />
      {explorerUrl && (
        <span className="ml-2">
          <ExternalLink href={`${explorerUrl}/tx/${transactionHash}`}>{text('execute.explorer')}</ExternalLink>
        </span>
      )}
    </span>
  )
}
