import type { PolicyVersion } from '@countersign/contract'
import {
  hashAllowEntry,
  hashPolicy,
  hashWithdrawal,
  type PolicyPlace,
  parsePolicy,
  policySigners,
  type ServedPolicy,
} from '@countersign/review'
import type { QueryClient } from '@tanstack/react-query'
import { isAddressEqual } from 'viem'
import { fail } from '../../text/fail.ts'
import { requestOfContracts } from '../proof/request-of-contracts.ts'

/** A version with the signatures on it that this browser has verified. */
export type VerifiedVersion = ServedPolicy & { version: PolicyVersion }

/**
 * Holds a proposed version to be of this Safe: an owner's approval of another Safe's would count there.
 *
 * @throws CountersignError `POLICY_MALFORMED`
 */
export function ofPlace(version: VerifiedVersion, place: PolicyPlace): VerifiedVersion {
  const { chainId, safeAddress } = version.policy
  if (chainId === place.chainId && isAddressEqual(safeAddress, place.safeAddress)) return version
  throw fail('POLICY_MALFORMED', { reason: 'place', chainId, safeAddress })
}

/**
 * Reads a version, and verifies every signature on it.
 *
 * @throws CountersignError `POLICY_MALFORMED`: what cannot be read is no policy, and none is not what was served
 */
export async function verifyVersion(version: PolicyVersion, client: QueryClient): Promise<VerifiedVersion> {
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
