import type { MultisigTransaction } from '@countersign/contract'
import type { ReactNode } from 'react'
import { Address } from '../../ui/address.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { type Names, nameOf } from '../names.ts'
import { text } from '../text.ts'
import { counterpartyOf } from '../title/counterparty.ts'
import { transactionTitle } from '../title/transaction-title.ts'

/** One transaction in a list: the title of its page, and what is to be said about it. */
export function TransactionRow({
  transaction,
  names,
  isNonceShown = false,
  children,
}: {
  transaction: MultisigTransaction
  names: Names
  isNonceShown?: boolean
  children?: ReactNode
}) {
  const { chainId, safeAddress, safeTxHash, safeTx, isSuccessful } = transaction
  const counterparty = safeTx && counterpartyOf(safeTx, safeAddress)
  return (
    <article data-transaction={safeTxHash} className="grid gap-2">
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        {isNonceShown && safeTx && (
          <span className="figures text-small text-ink-faint">{text('queue.nonce', { nonce: safeTx.nonce })}</span>
        )}
        <TextLink
          to="/safes/$chainId/$safeAddress/transactions/$safeTxHash"
          params={{ chainId, safeAddress, safeTxHash }}
          look={counterparty?.isForeignCode ? 'danger' : 'title'}
        >
          {safeTx
            ? transactionTitle(safeTx, names, { isExecuted: isSuccessful === true })
            : text('transaction.title.unknown')}
        </TextLink>
      </div>
      {counterparty && (
        <p className="flex flex-wrap items-start gap-x-2 text-small text-ink-soft">
          <span>{text(`summary.${counterparty.preposition}`)}</span>
          <Address
            address={counterparty.address}
            name={nameOf(counterparty.address, names)}
            hasAvatar={false}
            isCopyable={false}
          />
        </p>
      )}
      {children}
    </article>
  )
}
