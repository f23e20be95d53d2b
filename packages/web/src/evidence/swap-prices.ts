import { findPrices, MAX_TOKENS_ASKED } from '@countersign/contract'
import { assetsExchanged, type Facts, type Given, type Prices } from '@countersign/review'
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import { configurationQuery, useConfiguration } from '../api/configuration.ts'
import { queryKeys } from '../api/query-keys.ts'

const STALE_MS = 60_000
const nothing: ReturnType<typeof assetsExchanged> = []

type AnyFacts = Pick<Facts, 'simulation' | 'descriptions' | 'implementations'>

/**
 * Asks what the assets of swaps cost, where the operator names sources. Prices only add a finding: where nobody answers, the
 * review goes on without them.
 */
export function swapPricesQuery(currency: string | null, given: Given | null, facts: AnyFacts) {
  const chainId = given?.chainId ?? 0
  const assets =
    given === null || currency === null ? nothing : assetsExchanged(given, facts).slice(0, MAX_TOKENS_ASKED)
  return queryOptions({
    queryKey: queryKeys.swapPrices(chainId, currency, assets),
    queryFn: async (): Promise<Prices> => {
      const { prices } = await api(findPrices, { chainId, tokens: assets })
      const ofAsset = Object.fromEntries(prices.map(({ token, price }) => [token.toLowerCase(), price]))
      return { currency: currency ?? '', ofAsset }
    },
    enabled: assets.length > 0,
    staleTime: STALE_MS,
    retry: false,
  })
}

/** Gives what a review has the prices of what its swaps exchange. Null until they are known. */
export function useSwapPrices<Of extends Given>(given: Of | null, facts: AnyFacts) {
  const { currency } = useConfiguration()
  const query = swapPricesQuery(currency, given, facts)
  const found = useQuery(query)
  const isPending = query.enabled === true && found.isPending
  return { given: given === null || isPending ? null : withPrices(given, found.data), isPending }
}

/** Adds them right before a signature, and for what another Safe approves. */
export async function addSwapPrices<Of extends Given>(
  queryClient: QueryClient,
  given: Of,
  facts: AnyFacts,
): Promise<Of> {
  const { currency } = await queryClient.ensureQueryData(configurationQuery)
  const query = swapPricesQuery(currency, given, facts)
  if (query.enabled !== true) return given
  return withPrices(given, await queryClient.ensureQueryData(query).catch(() => undefined))
}

/** Puts prices beside what a review is given; there are none of no swap, or where nobody answers. */
export function withPrices<Of extends Given>(given: Of, prices: Prices | undefined): Of {
  return prices === undefined ? given : { ...given, prices }
}
