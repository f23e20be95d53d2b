import type { Chain, Safe } from '@countersign/contract'
import { readTokens, valueByPrice } from '@countersign/safe-core'
import { type QueryClient, queryOptions, useQueries } from '@tanstack/react-query'
import { isAddress } from 'viem'
import { chainRequest } from '../../api/chain-client.ts'
import { useChains } from '../../api/configuration.ts'
import { movedListedTokensQuery } from '../../api/listed-tokens.ts'
import { pricesQuery } from '../../api/prices.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { formatValue } from '../../review/worth/format-value.ts'
import { text } from '../../text/text.ts'

const REFETCH_MS = 120_000

/** Reads what one Safe holds of assets that have a price, in hundredths of the currency; null where nothing has one. */
async function readWorth(client: QueryClient, chain: Chain, { address }: Safe): Promise<bigint | null> {
  const { chainId } = chain
  const prices = await client.fetchQuery(pricesQuery(chainId))
  if (prices.length === 0) return null
  const priceOf = (token: string) => prices.find((one) => one.token.toLowerCase() === token.toLowerCase())?.price
  const moved = chain.listRevision === null ? [] : await client.fetchQuery(movedListedTokensQuery(chain, address))
  const byAddress = new Map([...moved, ...chain.tokens].map((token) => [token.address.toLowerCase(), token]))
  const tokens = [...byAddress.values()].filter((token) => priceOf(token.address) !== undefined)
  const request = chainRequest(chainId)
  const [coin, readings] = await Promise.all([
    request({ method: 'eth_getBalance', params: [address, 'latest'] }),
    readTokens(
      request,
      address,
      tokens.flatMap((token) => (isAddress(token.address) ? [token.address] : [])),
    ),
  ])
  const native = priceOf('native')
  const values = readings.map((reading) => {
    const token = byAddress.get(reading.address.toLowerCase())
    const price = priceOf(reading.address)
    const isRead = typeof reading.balance === 'bigint' && (reading.decimals ?? token?.decimals) === token?.decimals
    return isRead && token && price ? valueByPrice(reading.balance as bigint, token.decimals, price) : null
  })
  if (native) values.push(valueByPrice(BigInt(coin as string), chain.nativeCurrency.decimals, native))
  // One that could not be read is not nothing.
  if (values.includes(null)) throw new Error('A balance could not be read.')
  return values.reduce<bigint>((sum, value) => sum + (value ?? 0n), 0n)
}

/** Shows what all Safes of the list hold, by the operator's sources of prices. */
export function SafesTotal({ safes, currency, isPart }: { safes: readonly Safe[]; currency: string; isPart: boolean }) {
  const chains = useChains()
  const read = useQueries({
    queries: safes.flatMap((safe) => {
      const chain = chains.find(({ chainId }) => chainId === safe.chainId)
      if (!chain) return []
      return queryOptions({
        queryKey: [...queryKeys.safeState(safe.chainId, safe.address), 'worth', chain, safe],
        queryFn: ({ client }) => readWorth(client, chain, safe),
        staleTime: REFETCH_MS / 2,
        refetchInterval: REFETCH_MS,
        retry: false,
      })
    }),
  })
  const known = read.flatMap(({ data }) => (typeof data === 'bigint' ? [data] : []))
  const unread = read.filter(({ error }) => error !== null).length
  if (known.length === 0 || read.some(({ isPending }) => isPending)) return null
  const total = known.reduce((sum, value) => sum + value, 0n)
  return (
    <div className="mb-4" data-total={total.toString()}>
      <p className="text-title tabular-nums">{formatValue(total, currency)}</p>
      <p className="max-w-prose text-small text-ink-soft">
        {text('worth.safes', { count: known.length })}
        {unread > 0 && <span className="text-warning"> {text('worth.unread', { count: unread })}</span>}
        {isPart && ` ${text('worth.part', { count: safes.length })}`}
      </p>
    </div>
  )
}
