import type { PolicyVersion } from '@countersign/contract'
import { type PolicyPlace, parsePolicy, type ServedPolicy, verifyPolicySignatures } from '@countersign/review'
import { isSameAddress } from '@countersign/safe'
import type { QueryClient } from '@tanstack/react-query'
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
  if (chainId === place.chainId && isSameAddress(safeAddress, place.safeAddress)) return version
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
  return { version, policy, ...(await verifyPolicySignatures(policy, version, request)) }
}
