import { text } from '../../text/text.ts'
import { CopyButton } from '../copy/copy-button.tsx'
import { formatAmount, shortenAmount } from './format-amount.ts'

export type AmountProps = {
  value: bigint
  decimals: number
  /** The unit. An amount without one does not exist. */
  symbol: string
  isLarge?: boolean
}

/** An exact amount with its unit, in figures of equal width. */
export function Amount({ value, decimals, symbol, isLarge = false }: AmountProps) {
  return (
    <span className={`wrap-anywhere ${isLarge ? 'text-title' : ''}`} data-amount={value.toString()}>
      <span className="font-medium tabular-nums lining-nums">{formatAmount(value, decimals)}</span>
      <span className="text-ink-soft"> {symbol}</span>
    </span>
  )
}

/** A balance at a glance. Where that cuts digits it says so, and the exact amount can be copied. */
export function ShortAmount({ value, decimals, symbol }: Omit<AmountProps, 'isLarge'>) {
  const short = shortenAmount(value, decimals)
  if (short === null) return <Amount value={value} decimals={decimals} symbol={symbol} />
  const exact = `${formatAmount(value, decimals)} ${symbol}`
  return (
    <span className="inline-flex flex-wrap items-baseline gap-x-2" data-amount={value.toString()}>
      <span className="wrap-anywhere" title={exact}>
        <span className="font-medium tabular-nums lining-nums">{text('amount.about', { amount: short })}</span>
        <span className="text-ink-soft"> {symbol}</span>
      </span>
      <CopyButton
        value={formatAmount(value, decimals).replaceAll(',', '')}
        label={text('copy.amount', { amount: exact })}
      />
    </span>
  )
}
