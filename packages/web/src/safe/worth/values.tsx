import type { HistoryEntry, Price } from '@countersign/contract'
import { valueByPrice } from '@countersign/safe'
import { useQueries, useQuery } from '@tanstack/react-query'
import type { Address } from 'viem'
import { text } from '../../text/text.ts'
import { formatValue, sourceOf } from './format-value.ts'
import { assetOf, type Holding } from './holdings.ts'
import { pastPriceQuery, priceQuery } from './prices.ts'

/** The value of one amount; nothing where nobody says what it costs. `isTold`: with who says so. */
export function CurrentValue({
  chainId,
  currency,
  holding: { token, amount, decimals },
  isTold = false,
}: {
  chainId: number
  currency: string
  holding: Holding
  isTold?: boolean
}) {
  const { data: price } = useQuery(priceQuery(chainId, assetOf(token)))
  const value = price && amount ? valueByPrice(amount, decimals, price.price) : null
  if (!price || value === null) return null
  return <Value value={value} currency={currency} price={price} isTold={isTold} />
}

function Value({ value, currency, price, isTold }: { value: bigint; currency: string; price: Price; isTold: boolean }) {
  return (
    <span data-value={value.toString()} title={sourceOf(price)} className="text-small text-ink-soft tabular-nums">
      {formatValue(value, currency)}
      {isTold && <span className="text-ink-faint"> · {sourceOf(price)}</span>}
    </span>
  )
}

/** The value of what a Safe holds of assets that have a price, and who says so; nothing while one of them is not read. */
export function CurrentTotal({
  chainId,
  currency,
  holdings,
}: {
  chainId: number
  currency: string
  holdings: readonly Holding[]
}) {
  const prices = useQueries({ queries: holdings.map(({ token }) => priceQuery(chainId, assetOf(token))) })
  const priced = holdings.flatMap((holding, at) => {
    const price = prices[at]?.data
    return price ? [{ ...holding, price }] : []
  })
  const values = priced.map(({ amount, decimals, price }) =>
    amount === null ? null : valueByPrice(amount, decimals, price.price),
  )
  if (priced.length === 0 || values.includes(null)) return null
  const total = values.reduce<bigint>((sum, value) => sum + (value ?? 0n), 0n)
  const sources = [...new Set(priced.map(({ price }) => sourceOf(price)))]
  return (
    <div className="mb-4 grid gap-1" data-total={total.toString()}>
      <p className="text-title tabular-nums">{formatValue(total, currency)}</p>
      <p className="max-w-prose text-small text-ink-soft">
        {text('worth.total', { priced: priced.length, all: holdings.length })}
      </p>
      <details className="text-small text-ink-soft">
        <summary className="w-fit cursor-pointer">{text('worth.claim')}</summary>
        <ul className="mt-1 grid gap-0.5 wrap-anywhere">
          {sources.map((source) => (
            <li key={source}>{source}</li>
          ))}
        </ul>
      </details>
    </div>
  )
}

/** Says what a transfer was worth when it happened. */
export function ValueAtTime({
  chainId,
  safeAddress,
  currency,
  entry: { token, amount, blockNumber },
  decimals,
}: {
  chainId: number
  safeAddress: Address
  currency: string
  entry: HistoryEntry
  decimals: number
}) {
  const { data: price } = useQuery(pastPriceQuery({ chainId, safeAddress }, { token: token ?? 'native', blockNumber }))
  const value = price && amount !== null ? valueByPrice(amount, decimals, price.price) : null
  if (!price || value === null) return null
  return (
    <p className="text-ink-soft" data-value-then={value.toString()}>
      {text('worth.then', { value: formatValue(value, currency) })}{' '}
      <span className="text-ink-faint">{sourceOf(price)}</span>
    </p>
  )
}
