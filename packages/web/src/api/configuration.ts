import { type Chain, getConfiguration, type Reply } from '@countersign/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { fail } from '../text/fail.ts'
import { api } from './client.ts'
import { queryKeys } from './query-keys.ts'

const REFETCH_MS = 30_000
const TROUBLED_REFETCH_MS = 5_000

export type Configuration = Reply<typeof getConfiguration>

export const configurationQuery = queryOptions({
  queryKey: queryKeys.configuration,
  queryFn: async ({ signal }) => {
    const configuration = await api(getConfiguration, {}, signal)
    return { ...configuration, chains: configuration.chains.map(withNativeDecimals) }
  },
  staleTime: 60_000,
  // Whether the nodes can be reached is part of it; a trouble that is over must not stay on screen.
  refetchInterval: ({ state }) =>
    state.data?.chains.some(({ status }) => status !== 'ok') ? TROUBLED_REFETCH_MS : REFETCH_MS,
})

/** The EVM counts native coin in units of 10^-18. A server that says otherwise would shift every amount. */
function withNativeDecimals(chain: Chain): Chain {
  return { ...chain, nativeCurrency: { ...chain.nativeCurrency, decimals: 18 } }
}

/** Gives the configuration of the installation. Pages stand below the gate that loaded it, so it is there. */
export function useConfiguration(): Configuration {
  const { data } = useQuery(configurationQuery)
  if (!data) throw fail('INTERNAL', { reason: 'configuration' })
  return data
}

export function useChains(): Chain[] {
  return useConfiguration().chains
}

/** The chain, or undefined when it is not configured here. */
export function useChain(chainId: number): Chain | undefined {
  return useChains().find((chain) => chain.chainId === chainId)
}
