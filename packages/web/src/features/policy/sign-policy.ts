import { hashPolicy, policySigners, policyTypedData, type TeamPolicy } from '@countersign/safe-core'
import type { Hex } from 'viem'
import { fail } from '../../text/fail.ts'
import type { Signer } from '../../wallet/signing.ts'

/**
 * Asks the wallet for a signature on a version, and believes nothing: one of a key must be the account's, on its hash.
 *
 * @throws CountersignError `SIGNATURE_INVALID`, and the wallet's errors
 */
export async function signPolicy({ account, signTypedData }: Signer, policy: TeamPolicy): Promise<Hex> {
  const hash = hashPolicy(policy)
  const signature = await signTypedData(policyTypedData(policy))
  // A signature of a contract has another length; the server and every page ask the contract.
  const isOfKey = signature.length === 132
  if (isOfKey && (await policySigners(hash, [{ owner: account, signature }])).length === 0)
    throw fail('SIGNATURE_INVALID', { reason: 'typed-data', account, hash })
  return signature
}
