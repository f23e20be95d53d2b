import { getPolicy, getSpentAmounts, type PolicyVersion } from '@countersign/contract'
import {
  CountersignError,
  hashAllowEntry,
  hashPolicy,
  hashWithdrawal,
  type PolicyPlace,
  parsePolicy,
  policySigners,
  type RpcRequest,
  type ServedPolicy,
} from '@countersign/safe-core'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { type Address, isAddressEqual } from 'viem'
import { api } from '../../api/client.ts'
import { byIdentity } from '../../api/computed-query.ts'
import { configurationQuery } from '../../api/configuration.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { fail } from '../../text/fail.ts'

/** A version with the signatures on it that this browser has verified. */
export type VerifiedVersion = ServedPolicy & { version: PolicyVersion }

/** The team's policy as the server gives it, verified; null: the server says that there is none. */
export type VerifiedPolicy = { inForce: VerifiedVersion | null; proposed: VerifiedVersion | null }

/** For these the server has no policy to show. Whether there should be one, the page remembers. */
const noTeam = new Set(['NOT_A_MEMBER', 'SAFE_NOT_FOUND', 'NOT_SIGNED_IN'])

/** The team's policy. Every signature is verified here, of keys and of contracts. */
export function policyQuery(chainId: number, safeAddress: Address) {
  return queryOptions({
    queryKey: queryKeys.policy(chainId, safeAddress),
    queryFn: async ({ signal, client }): Promise<VerifiedPolicy> => {
      const served = await api(getPolicy, { chainId, safeAddress }, signal).catch((error: unknown) => {
        if (error instanceof CountersignError && noTeam.has(error.code)) return { inForce: null, proposed: null }
        throw error
      })
      const [inForce, proposed] = await Promise.all([
        verified(served.inForce, client),
        verified(served.proposed, client).then((version) => ofPlace(version, { chainId, safeAddress })),
      ])
      return byIdentity({ inForce, proposed })
    },
    staleTime: 30_000,
    retry: 1,
  })
}

/**
 * Holds a proposed version to be of this Safe: an owner's approval of another Safe's would count there.
 *
 * @throws CountersignError `POLICY_MALFORMED`
 */
function ofPlace(version: VerifiedVersion | null, place: PolicyPlace): VerifiedVersion | null {
  if (version === null) return null
  const { chainId, safeAddress } = version.policy
  if (chainId === place.chainId && isAddressEqual(safeAddress, place.safeAddress)) return version
  throw fail('POLICY_MALFORMED', { reason: 'place', chainId, safeAddress })
}

/** @throws CountersignError `POLICY_MALFORMED`: what cannot be read is no policy, and none is not what was served */
async function verified(version: PolicyVersion | null, client: QueryClient): Promise<VerifiedVersion | null> {
  if (version === null) return null
  const policy = parsePolicy(version.policy)
  const request = requestOfContracts(policy.chainId, client)
  const policyHash = hashPolicy(policy)
  const place = { chainId: policy.chainId, safeAddress: policy.safeAddress }
  const [signers, withdrawn] = await Promise.all([
    policySigners(policyHash, version.approvals, request),
    Promise.all(
      policy.allowed.map(hashAllowEntry).map(async (entryHash) => {
        const signatures = version.withdrawals.filter((withdrawal) => withdrawal.entryHash === entryHash)
        const hash = hashWithdrawal({ ...place, policyHash, entryHash })
        return (await policySigners(hash, signatures, request)).length > 0 ? [entryHash] : []
      }),
    ),
  ])
  return { version, policy, signers, withdrawnHashes: withdrawn.flat() }
}

/**
 * The way to owners that are contracts: at the block of the review, and by no answer that is worth less than that. What an owner
 * approved lowers findings, so one node's word is not enough where others are asked.
 */
function requestOfContracts(chainId: number, client: QueryClient): RpcRequest {
  return async (asked) => {
    const [{ pinReader }, { readHashSources }, { chains }] = await Promise.all([
      import('../proof/pinned-reader.ts'),
      import('../proof/hash-sources.ts'),
      client.ensureQueryData(configurationQuery),
    ])
    const { request } = await pinReader(chainId, readHashSources(chains, chainId))
    return request(asked)
  }
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
