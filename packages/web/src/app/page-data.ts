import type { Safe } from '@countersign/contract'
import type { Address } from 'viem'
import { configurationQuery } from '../api/configuration.ts'
import { listedTokensQuery } from '../features/assets/assets.ts'
import { namesQuery } from '../safe/names/team-names.ts'
import { queueQuery } from '../safe/queries.ts'
import { safeQuery } from '../safe/safe.ts'
import { safeStateQuery } from '../safe/safe-state.ts'
import { queries } from './queries.ts'

export type Place = { chainId: number; safeAddress: Address }

/** Starts the queries of every page of a Safe: the session, the Safe on the chain, the team's names. */
export function startSafe(place: Place) {
  const { chainId, safeAddress } = place
  void queries.prefetchQuery(safeStateQuery(chainId, safeAddress))
  startFor(
    ({ hasNames }) => hasNames,
    place,
    () => void queries.prefetchQuery(namesQuery(chainId, safeAddress)),
  )
}

/** Asked in the same tick as the state, it travels in the same batch. */
export function startTokens({ chainId, safeAddress }: Place) {
  const chain = queries
    .getQueryData(configurationQuery.queryKey)
    ?.chains.find((candidate) => candidate.chainId === chainId)
  if (chain && chain.tokens.length > 0)
    void queries.prefetchQuery(listedTokensQuery(chainId, safeAddress, chain.tokens))
}

/** Starts queries about the team once the server says that the reader belongs to it. */
export function startForTeam(place: Place, start: () => void) {
  startFor(({ role }) => role !== null, place, start)
}

export function startFor(isFor: (safe: Safe) => boolean, { chainId, safeAddress }: Place, start: () => void) {
  void queries.fetchQuery(safeQuery(chainId, safeAddress)).then(
    (safe) => isFor(safe) && start(),
    () => {},
  )
}

/**
 * Queries of the pages that are seen most, started as soon as somebody goes there: also those that the page itself would
 * start only after another answer. Nothing is waited for. The page uses the same queries, and shows their state. Those of all
 * other pages: `more-page-data.ts`.
 */
export const pageData = {
  overview(place: Place) {
    startSafe(place)
    startTokens(place)
    void queries.prefetchInfiniteQuery(queueQuery(place.chainId, place.safeAddress))
  },
  queue(place: Place) {
    startSafe(place)
    void queries.prefetchInfiniteQuery(queueQuery(place.chainId, place.safeAddress))
  },
}
