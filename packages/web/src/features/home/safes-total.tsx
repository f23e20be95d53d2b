import type { Chain, Safe } from '@countersign/contract'
import { readTokens, valueByPrice } from '@countersign/safe'
import { type QueryClient, queryOptions, useQueries } from '@tanstack/react-query'
import { isAddress, isHex } from 'viem'
import { chainRequest } from '../../api/chain-client.ts'
import { useChains } from '../../api/configuration.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { formatValue } from '../../safe/worth/format-value.ts'
import { assetOf, type Holding, holdingsOf } from '../../safe/worth/holdings.ts'
import { joinTokens } from '../../safe/worth/join-tokens.ts'
import { movedListedTokensQuery } from '../../safe/worth/listed-tokens.ts'
import { priceQuery } from '../../safe/worth/prices.ts'
import { text } from '../../text/text.ts'

const REFETCH_MS = 120_000

/** Reads what one Safe holds of assets that have a price, in hundredths of the currency; null where nothing has one. */
async function readWorth(client: QueryClient, chain: Chain, address: Safe['address']): Promise<bigint | null> {
  const { chainId } = chain
  const moved = chain.listRevision === null ? [] : await client.fetchQuery(movedListedTokensQuery(chain, address))
  const tokens = joinTokens(chain.tokens, moved)
  const assets = ['native' as const, ...tokens.map((token) => assetOf(token.address))]
  const found = await Promise.all(assets.map((asset) => client.fetchQuery(priceQuery(chainId, asset))))
  const prices = new Map(found.flatMap((price) => (price ? [[price.token, price] as const] : [])))
  if (prices.size === 0) return null
  const priced = tokens.filter((token) => prices.has(assetOf(token.address)))
  const request = chainRequest(chainId)
  const [coin, readings] = await Promise.all([
    request({ method: 'eth_getBalance', params: [address, 'latest'] }),
    readTokens(
      request,
      address,
      priced.flatMap((token) => (isAddress(token.address) ? [token.address] : [])),
    ),
  ])
  const byAddress = new Map(readings.map((reading) => [reading.address.toLowerCase(), reading]))
  const holdings: Holding[] = [
    { token: null, amount: isHex(coin) ? BigInt(coin) : null, decimals: chain.nativeCurrency.decimals },
    ...holdingsOf(priced, byAddress),
  ]
  const values = holdings.flatMap(({ token, amount, decimals }) => {
    const price = prices.get(assetOf(token))
    if (!price) return []
    return [amount === null ? null : valueByPrice(amount, decimals, price.price)]
  })
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
        queryKey: [...queryKeys.safeState(safe.chainId, safe.address), 'worth', chain],
        queryFn: ({ client }) => readWorth(client, chain, safe.address),
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
