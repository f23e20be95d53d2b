import type { Role } from '@countersign/contract'
import type { Address, Hex } from 'viem'
import { configurationQuery } from '../api/configuration.ts'
import { delegatesQuery } from '../api/delegates.ts'
import { safeQuery } from '../api/safe.ts'
import { safeStateQuery } from '../api/safe-state.ts'
import { abisQuery } from '../api/team-abis.ts'
import { namesQuery } from '../api/team-names.ts'
import { activityQuery } from '../features/activity/queries.ts'
import { listedTokensQuery } from '../features/assets/assets.ts'
import { notesQuery } from '../features/book/queries.ts'
import { chainStatusQuery } from '../features/chains/chain-status.ts'
import { historyQuery } from '../features/history/history-query.ts'
import { messagesQuery, signedOnChainQuery } from '../features/messages/queries.ts'
import { viewersQuery } from '../features/team/queries.ts'
import { webhooksQuery } from '../features/webhooks/queries.ts'
import { signaturesQuery } from '../review/alive/queries.ts'
import { policyQuery } from '../review/policy/served-policy.ts'
import { messageQuery, queueQuery, transactionQuery } from '../review/queries.ts'
import { queries } from './queries.ts'

type Place = { chainId: number; safeAddress: Address }

/** Starts the queries of every page of a Safe: the session, the Safe on the chain, the team's names. */
function startSafe(place: Place) {
  const { chainId, safeAddress } = place
  void queries.prefetchQuery(safeStateQuery(chainId, safeAddress))
  startForTeam(place, () => void queries.prefetchQuery(namesQuery(chainId, safeAddress)))
}

/** Asked in the same tick as the state, it travels in the same batch. */
function startTokens({ chainId, safeAddress }: Place) {
  const chain = queries
    .getQueryData(configurationQuery.queryKey)
    ?.chains.find((candidate) => candidate.chainId === chainId)
  if (chain && chain.tokens.length > 0)
    void queries.prefetchQuery(listedTokensQuery(chainId, safeAddress, chain.tokens))
}

/** Starts queries about the team once the server says that the reader belongs to it. */
function startForTeam(place: Place, start: () => void) {
  startFor((role) => role !== null, place, start)
}

/** Starts queries for owners alone. */
function startForOwner(place: Place, start: () => void) {
  startFor((role) => role === 'owner', place, start)
}

function startFor(isFor: (role: Role | null) => boolean, { chainId, safeAddress }: Place, start: () => void) {
  void queries.fetchQuery(safeQuery(chainId, safeAddress)).then(
    ({ role }) => isFor(role) && start(),
    () => {},
  )
}

/**
 * Queries of each page of a Safe, started as soon as somebody goes there: also those that the page itself would start
 * only after another answer. Nothing is waited for. The page uses the same queries, and shows their state.
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
  history(place: Place) {
    startSafe(place)
    void queries.prefetchInfiniteQuery(historyQuery(place.chainId, place.safeAddress, {}))
    void queries.prefetchQuery(chainStatusQuery)
  },
  assets(place: Place) {
    startSafe(place)
    startTokens(place)
  },
  settings: startSafe,
  transaction(place: Place & { safeTxHash: Hex }) {
    const { chainId, safeAddress, safeTxHash } = place
    void queries.prefetchQuery(transactionQuery(chainId, safeTxHash))
    startSafe(place)
    startForTeam(place, () => {
      void queries.prefetchQuery(abisQuery(chainId, safeAddress))
      void queries.prefetchQuery(policyQuery(chainId, safeAddress))
      void queries.prefetchQuery(notesQuery(chainId, safeAddress, safeTxHash))
    })
  },
  propose(place: Place) {
    startSafe(place)
    void queries.prefetchInfiniteQuery(queueQuery(place.chainId, place.safeAddress))
  },
  several(place: Place) {
    const { chainId, safeAddress } = place
    startSafe(place)
    void queries.prefetchInfiniteQuery(queueQuery(chainId, safeAddress))
    startForTeam(place, () => {
      void queries.prefetchQuery(abisQuery(chainId, safeAddress))
      void queries.prefetchQuery(policyQuery(chainId, safeAddress))
    })
  },
  messages(place: Place) {
    startSafe(place)
    void queries.prefetchInfiniteQuery(messagesQuery(place.chainId, place.safeAddress))
    void queries.prefetchQuery(signedOnChainQuery(place.chainId, place.safeAddress))
  },
  newMessage: startSafe,
  message(place: Place & { safeMessageHash: Hex }) {
    void queries.prefetchQuery(messageQuery(place.chainId, place.safeMessageHash))
    startSafe(place)
  },
  signatures(place: Place) {
    startSafe(place)
    void queries.prefetchInfiniteQuery(signaturesQuery(place.chainId, place.safeAddress))
  },
  team(place: Place) {
    const { chainId, safeAddress } = place
    startSafe(place)
    startForTeam(place, () => {
      void queries.prefetchQuery(delegatesQuery(chainId, safeAddress))
      void queries.prefetchQuery(viewersQuery(chainId, safeAddress))
    })
  },
  webhooks(place: Place) {
    const { chainId, safeAddress } = place
    startSafe(place)
    startForOwner(place, () => void queries.prefetchQuery(webhooksQuery(chainId, safeAddress)))
  },
  policy(place: Place) {
    const { chainId, safeAddress } = place
    startSafe(place)
    startForTeam(place, () => void queries.prefetchQuery(policyQuery(chainId, safeAddress)))
  },
  book(place: Place) {
    startSafe(place)
    startForTeam(place, () => void queries.prefetchQuery(abisQuery(place.chainId, place.safeAddress)))
  },
  activity(place: Place) {
    startSafe(place)
    void queries.prefetchInfiniteQuery(activityQuery(place.chainId, place.safeAddress))
  },
}
