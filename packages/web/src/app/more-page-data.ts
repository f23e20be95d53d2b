import type { Hex } from 'viem'
import { abisQuery } from '../evidence/attribution/team-abis.ts'
import { policyQuery } from '../evidence/policy/served-policy.ts'
import { activityQuery } from '../features/activity/queries.ts'
import { signaturesQuery } from '../features/alive/queries.ts'
import { notesQuery } from '../features/book/queries.ts'
import { chainStatusQuery } from '../features/chains/chain-status.ts'
import { historyQuery } from '../features/history/history-query.ts'
import { messagesQuery, signedOnChainQuery } from '../features/messages/queries.ts'
import { viewersQuery } from '../features/team/queries.ts'
import { webhooksQuery } from '../features/webhooks/queries.ts'
import { delegatesQuery } from '../safe/delegates.ts'
import { messageQuery } from '../safe/message-query.ts'
import { queueQuery, transactionQuery } from '../safe/queries.ts'
import { type Place, startFor, startForReviews, startForTeam, startSafe, startTokens } from './page-data.ts'
import { queries } from './queries.ts'

/** Starts queries for owners alone. */
function startForOwner(place: Place, start: () => void) {
  startFor(({ role }) => role === 'owner', place, start)
}

/** Queries of every page but Home and the queue, as in `page-data.ts`. */
export const morePageData = {
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
    startForReviews(place)
    startForTeam(place, () => void queries.prefetchQuery(notesQuery(chainId, safeAddress, safeTxHash)))
  },
  propose(place: Place) {
    startSafe(place)
    void queries.prefetchInfiniteQuery(queueQuery(place.chainId, place.safeAddress))
  },
  several(place: Place) {
    startSafe(place)
    void queries.prefetchInfiniteQuery(queueQuery(place.chainId, place.safeAddress))
    startForReviews(place)
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
