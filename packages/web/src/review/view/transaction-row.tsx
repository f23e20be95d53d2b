import type { MultisigTransaction } from '@countersign/contract'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Address } from '../../ui/address.tsx'
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
        <Link
          to="/safes/$chainId/$safeAddress/transactions/$safeTxHash"
          params={{ chainId, safeAddress, safeTxHash }}
          className={`inline-block min-h-6 text-lead font-semibold underline decoration-rule-strong underline-offset-4 hover:decoration-current wrap-anywhere ${
            summary?.isForeignCode ? 'text-danger' : ''
          }`}
        >
          {summary ? summary.words : text('history.outside')}
        </Link>
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
