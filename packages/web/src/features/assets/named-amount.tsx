import { countedDecimals } from '../../safe/worth/holdings.ts'
import type { NamedToken } from '../../safe/worth/listed-tokens.ts'
import { showUntrusted } from '../../text/untrusted.ts'
import { Amount } from '../../ui/amount/amount.tsx'
import { text } from './text.ts'

/** Amount of a token, in its smallest units where nobody who counts says how many of them make one. */
export function NamedAmount({
  token,
  balance,
  own,
  isLarge = false,
}: {
  token: NamedToken
  balance: bigint
  /** Decimals by the contract. */
  own: number | null
  isLarge?: boolean
}) {
  const symbol = showUntrusted(token.symbol, 20)
  const decimals = countedDecimals(token, own)
  if (decimals !== null) return <Amount value={balance} decimals={decimals} symbol={symbol} isLarge={isLarge} />
  return (
    <span data-decimals="none">
      <Amount value={balance} decimals={0} symbol={`${symbol}, ${text('assets.baseUnits')}`} isLarge={isLarge} />
    </span>
  )
}
