import type { Safe } from '@countersign/contract'
import type { Address } from 'viem'
import { configurationQuery } from '../api/configuration.ts'
import { abisQuery } from '../evidence/attribution/team-abis.ts'
import { policyQuery } from '../evidence/policy/served-policy.ts'
import { listedTokensQuery } from '../features/assets/assets.ts'
import { namesQuery } from '../safe/names/team-names.ts'
import { queueClaimsQuery, queueQuery } from '../safe/queries.ts'
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

/** Starts the queries for the team data of reviews, except names. Queries of one tick share one request. */
export function startForReviews(place: Place) {
  const { chainId, safeAddress } = place
  startFor(
    ({ hasAbis }) => hasAbis,
    place,
    () => void queries.prefetchQuery(abisQuery(chainId, safeAddress)),
  )
  startFor(
    ({ hasPolicy }) => hasPolicy,
    place,
    () => void queries.prefetchQuery(policyQuery(chainId, safeAddress)),
  )
}

/** Starts the queries of the queue and those for the reviews of its proposals. */
function startQueue(place: Place) {
  const { chainId, safeAddress } = place
  void queries.prefetchInfiniteQuery(queueQuery(chainId, safeAddress))
  startForReviews(place)
  startForTeam(place, () => void queries.prefetchQuery(queueClaimsQuery(chainId, safeAddress)))
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
    startQueue(place)
  },
  queue(place: Place) {
    startSafe(place)
    startQueue(place)
  },
}
