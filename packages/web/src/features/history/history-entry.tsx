import type { HistoryEntry } from '@countersign/contract'
import { zeroAddress } from 'viem'
import { currencyOf, type Names, nameOf, tokenAt } from '../../safe/names/names.ts'
import { WorthAtTime } from '../../safe/worth/worth.tsx'
import { showUntrusted } from '../../text/untrusted.ts'
import { Address } from '../../ui/address.tsx'
import { formatAmount } from '../../ui/amount/format-amount.ts'
import { text } from './text.ts'

/** One thing that happened, in words, and the address that it is about. */
export function HistoryLine({ entry, names }: { entry: HistoryEntry; names: Names }) {
  const isTransfer = entry.kind === 'transfer-in' || entry.kind === 'transfer-out'
  const about = entry.counterparty ?? entry.subject
  const isListed = entry.token === null || tokenAt(entry.token, names.chain) !== undefined
  return (
    <div data-entry={entry.kind} className="grid gap-1 text-small">
      <p className="flex flex-wrap items-start gap-x-2">
        <span className={`wrap-anywhere ${isTransfer ? 'font-medium' : ''}`}>{wordsOf(entry, names)}</span>
        {about && <Address address={about} name={nameOf(about, names)} hasAvatar={false} isCopyable={false} />}
      </p>
      <EntryWorth entry={entry} names={names} />
      {entry.afterBlock !== null && (
        <p className="text-warning">
          {text('history.unexplained.blocks', { after: entry.afterBlock, block: entry.blockNumber })}
        </p>
      )}
      {isTransfer && entry.token && !isListed && (
        <p className="flex flex-wrap items-start gap-x-2 text-ink-soft">
          <span>{text('history.token')}</span>
          <Address address={entry.token} hasAvatar={false} isCopyable={false} />
          <span className="text-warning">{text('history.token.unlisted')}</span>
        </p>
      )}
    </div>
  )
}

/** Says what coin, or a token that is listed, was worth then. */
function EntryWorth({ entry, names: { chain, safeAddress } }: { entry: HistoryEntry; names: Names }) {
  const { tokenKind, token, amount } = entry
  const asset =
    tokenKind === 'native' ? currencyOf(chain) : tokenKind === 'erc20' && token ? tokenAt(token, chain) : undefined
  if (!chain || !asset || amount === null) return null
  return <WorthAtTime chainId={chain.chainId} safeAddress={safeAddress} entry={entry} decimals={asset.decimals} />
}

/** Says what happened, up to the address that it is about. */
export function wordsOf(entry: HistoryEntry, names: Names): string {
  switch (entry.kind) {
    case 'transfer-in':
    case 'transfer-out':
      return text(`history.${entry.kind}${isOfNobody(entry) ? '.ofNobody' : ''}`, { amount: amountOf(entry, names) })
    case 'threshold-changed':
      return text('history.threshold-changed', { threshold: entry.threshold ?? 0 })
    case 'module-executed':
      return text(entry.isSuccessful === false ? 'history.module-executed.failed' : 'history.module-executed')
    case 'executed':
      return text('transaction.title.unknown')
    case 'unexplained-in':
    case 'unexplained-out':
      return text(`history.${entry.kind}`, { amount: amountOf(entry, names) })
    case 'unexplained-nonce':
      return entry.amount === null
        ? text('history.unexplained-nonce.back')
        : text('history.unexplained-nonce', { count: entry.amount })
    default:
      return text(`history.${entry.kind}`)
  }
}

/** Tokens come into being from the zero address, and end there: no account sent or got them. */
function isOfNobody({ token, counterparty }: HistoryEntry): boolean {
  return token !== null && counterparty === zeroAddress
}

/** Only what the operator lists has a name and decimals here: a token may call itself anything. */
function amountOf({ amount, tokenKind, token, tokenId }: HistoryEntry, { chain }: Names): string {
  const value = amount ?? 0n
  const known = token && tokenAt(token, chain)
  if (tokenKind === 'native') {
    const { decimals, symbol } = currencyOf(chain)
    return `${formatAmount(value, decimals)} ${showUntrusted(symbol, 20)}`
  }
  if (tokenKind === 'erc721') return text('history.nft', { id: tokenId ?? 0n })
  if (tokenKind === 'erc1155') return text('history.pieces', { count: value, id: tokenId ?? 0n })
  if (!known) return `${formatAmount(value, 0)} ${text('effect.baseUnits')}`
  return `${formatAmount(value, known.decimals)} ${showUntrusted(known.symbol, 20)}`
}
