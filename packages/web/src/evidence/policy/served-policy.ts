import { getSpentAmounts } from '@countersign/contract'
import { CountersignError, isSameAddress } from '@countersign/safe'
import { queryOptions } from '@tanstack/react-query'
import type { Address } from 'viem'
import { api } from '../../api/client.ts'
import { byIdentity } from '../../api/computed-query.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { askReviewList } from '../../api/review-lists.ts'
import { fail } from '../../text/fail.ts'
import { fetchHashSources } from '../proof/hash-sources.ts'
import { askWorker } from '../worker/ask-worker.ts'
import type { VerifiedVersion } from './verified-version.ts'

/** The team's policy as the server gives it, verified; null: the server says that there is none. */
export type VerifiedPolicy = { inForce: VerifiedVersion | null; proposed: VerifiedVersion | null }

/** As the server gives it where there is none. */
export const noPolicy: VerifiedPolicy = byIdentity({ inForce: null, proposed: null })

/** For these the server has no policy to show. Whether there should be one, the page remembers. */
const noTeam = new Set(['NOT_A_MEMBER', 'SAFE_NOT_FOUND', 'NOT_SIGNED_IN'])

/** Queries the team's policy. The Worker verifies every signature, of keys and of contracts. */
export function policyQuery(chainId: number, safeAddress: Address) {
  return queryOptions({
    queryKey: queryKeys.policy(chainId, safeAddress),
    queryFn: async ({ client }): Promise<VerifiedPolicy> => {
      const served = await askReviewList(chainId, safeAddress, 'policy').catch((error: unknown) => {
        if (error instanceof CountersignError && noTeam.has(error.code)) return { inForce: null, proposed: null }
        throw error
      })
      if (served.inForce === null && served.proposed === null) return noPolicy
      const sources = await fetchHashSources(client, chainId)
      const [inForce, proposed] = await Promise.all([
        served.inForce && askWorker('verifyPolicy', { version: served.inForce, sources }),
        served.proposed && askWorker('verifyPolicy', { version: served.proposed, sources }),
      ])
      if (proposed) assertPlace(proposed, { chainId, safeAddress })
      return byIdentity({ inForce, proposed })
    },
    staleTime: 30_000,
    retry: 1,
  })
}

/** Throws if a proposed version is for another Safe, because an approval would then count for that Safe. */
function assertPlace({ policy }: VerifiedVersion, place: { chainId: number; safeAddress: Address }): void {
  const { chainId, safeAddress } = policy
  if (chainId === place.chainId && isSameAddress(safeAddress, place.safeAddress)) return
  throw fail('POLICY_MALFORMED', { reason: 'place', chainId, safeAddress })
}

/**
 * Asks for the executed and queued amounts under each limit, beside the transaction of a nonce. By the server's word.
 */
export function spentQuery(chainId: number, safeAddress: Address, nonce: bigint | null) {
  const besideNonce = nonce?.toString()
  return queryOptions({
    queryKey: queryKeys.spent(chainId, safeAddress, besideNonce ?? ''),
    queryFn: ({ signal }) =>
      api(getSpentAmounts, { chainId, safeAddress, ...(besideNonce === undefined ? {} : { besideNonce }) }, signal),
    staleTime: 5_000,
  })
}
