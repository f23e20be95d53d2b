import { formatAmount } from './format-amount.ts'

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
