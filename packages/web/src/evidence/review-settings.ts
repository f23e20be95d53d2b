import type { QueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type Configuration, configurationQuery, useConfiguration } from '../api/configuration.ts'
import { type HashSources, readHashSources, useHashSources } from './proof/hash-sources.ts'
import type { ReviewSettings } from './worker/calls.ts'

/** Returns the settings for reviews on a chain. They change with the configuration and the wallet. */
export function useReviewSettings(chainId: number): ReviewSettings {
  const configuration = useConfiguration()
  const sources = useHashSources(chainId)
  return useMemo(() => settingsOf(configuration, chainId, sources), [configuration, chainId, sources])
}

/** Reads the current settings outside components. */
export async function fetchReviewSettings(client: QueryClient, chainId: number): Promise<ReviewSettings> {
  const configuration = await client.ensureQueryData(configurationQuery)
  return settingsOf(configuration, chainId, readHashSources(configuration.chains, chainId))
}

function settingsOf({ chains, currency }: Configuration, chainId: number, sources: HashSources): ReviewSettings {
  const { listRevision = null } = chains.find((chain) => chain.chainId === chainId) ?? {}
  return { sources, listRevision, currency }
}
