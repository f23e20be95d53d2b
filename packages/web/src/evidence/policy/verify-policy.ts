import { parsePolicy, verifyPolicySignatures } from '@countersign/review'
import { requestOfContracts } from '../proof/request-of-contracts.ts'
import type { WorkerCalls } from '../worker/calls.ts'

/**
 * Reads a version, and verifies every signature on it.
 *
 * @throws CountersignError `POLICY_MALFORMED`: what cannot be read is no policy, and none is not what was served
 */
export const verifyPolicy: WorkerCalls['verifyPolicy'] = async ({ version, sources }) => {
  const policy = parsePolicy(version.policy)
  const signatures = await verifyPolicySignatures(policy, version, requestOfContracts(policy.chainId, sources))
  return { version, policy, ...signatures }
}
