import { policySigners } from '@countersign/review'
import { type Hex, hashTypedData } from 'viem'
import { fail } from '../text/fail.ts'
import type { Signer } from '../wallet/signing.ts'

type TypedData = Parameters<Signer['signTypedData']>[0]

/**
 * Asks the wallet for a signature on typed data by which an owner speaks for the team, and believes nothing: one of a key must be
 * the account's.
 *
 * @throws CountersignError `SIGNATURE_INVALID`, and the wallet's errors
 */
export async function signAsAccount({ account, signTypedData }: Signer, typedData: TypedData): Promise<Hex> {
  const signature = await signTypedData(typedData)
  const hash = hashTypedData(typedData)
  // A signature of a contract has another length; the server and every page ask the contract.
  const isOfKey = signature.length === 132
  if (isOfKey && (await policySigners(hash, [{ owner: account, signature }])).length === 0)
    throw fail('SIGNATURE_INVALID', { reason: 'typed-data', account, hash })
  return signature
}
