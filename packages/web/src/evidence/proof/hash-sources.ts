import type { Chain } from '@countersign/contract'
import type { QueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { configurationQuery, useChain } from '../../api/configuration.ts'
import { readNamingWallet, useNamingWallet } from '../../wallet/signing.ts'

/** Sources that a block's hash is asked of beside the operator's nodes, how many have to name it, and for how long. */
export type HashSources = {
  needed: number
  /** The connected wallet, by name; null where there is none that counts. */
  wallet: string | null
  /** Blocks by which the head may move before a transaction is run again. */
  maxBlocksBehind: number
}

/** Gives the sources for a chain; they change with the wallet. */
export function useHashSources(chainId: number): HashSources {
  const wallet = useNamingWallet(chainId)
  const chain = useChain(chainId)
  return useMemo(() => sourcesOf(chain, wallet), [chain, wallet])
}

/** Reads them right now, outside components. */
export function readHashSources(chains: readonly Chain[], chainId: number): HashSources {
  return sourcesOf(
    chains.find((chain) => chain.chainId === chainId),
    readNamingWallet(chainId),
  )
}

/** Reads them once the configuration is known. */
export async function fetchHashSources(client: QueryClient, chainId: number): Promise<HashSources> {
  const { chains } = await client.ensureQueryData(configurationQuery)
  return readHashSources(chains, chainId)
}

function sourcesOf(chain: Chain | undefined, wallet: string | null): HashSources {
  const { sources = 2, wallet: counts = false, maxBlocksBehind = 25 } = chain?.proof ?? {}
  return { needed: sources, wallet: counts ? wallet : null, maxBlocksBehind }
}
