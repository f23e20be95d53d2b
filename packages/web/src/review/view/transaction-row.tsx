import type { MultisigTransaction } from '@countersign/contract'
import type { ReactNode } from 'react'
import { Address } from '../../ui/address.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { type Names, nameOf } from '../names.ts'
import { summarize } from '../summary.ts'
import { text } from '../text.ts'

/** One transaction in a list: what it does, in the words of its bytes, and what is to be said about it. */
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
  const { chainId, safeAddress, safeTxHash, safeTx } = transaction
  const summary = safeTx && summarize(safeTx, safeAddress, names)
  return (
    <article data-transaction={safeTxHash} className="grid gap-2">
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        {isNonceShown && safeTx && (
          <span className="figures text-small text-ink-faint">{text('queue.nonce', { nonce: safeTx.nonce })}</span>
        )}
        <TextLink
          to="/safes/$chainId/$safeAddress/transactions/$safeTxHash"
          params={{ chainId, safeAddress, safeTxHash }}
          look={summary?.isForeignCode ? 'danger' : 'title'}
        >
          {summary ? summary.words : text('history.outside')}
        </TextLink>
      </div>
      {summary && (
        <p className="flex flex-wrap items-start gap-x-2 text-small text-ink-soft">
          <span>{text(`summary.${summary.preposition}`)}</span>
          <Address
            address={summary.address}
            name={nameOf(summary.address, names)}
            hasAvatar={false}
            isCopyable={false}
          />
        </p>
      )}
      {children}
    </article>
  )
}
