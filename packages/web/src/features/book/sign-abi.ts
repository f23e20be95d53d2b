import { abiTypedData, type EndorsedAbi, hashAbi, isAbiSigned } from '@countersign/safe-core'
import type { Hex } from 'viem'
import { fail } from '../../text/fail.ts'
import type { Signer } from '../../wallet/signing.ts'

/**
 * Asks the wallet for a signature on an ABI, and believes nothing: one of a key must be the account's.
 *
 * @throws CountersignError `SIGNATURE_INVALID`, and the wallet's errors
 */
export async function signAbi({ account, signTypedData }: Signer, endorsed: EndorsedAbi): Promise<Hex> {
  const signature = await signTypedData(abiTypedData(endorsed))
  // A signature of a contract has another length; the server and every page ask the contract.
  const isOfKey = signature.length === 132
  if (isOfKey && !(await isAbiSigned(endorsed, { owner: account, signature })))
    throw fail('SIGNATURE_INVALID', { reason: 'typed-data', account, hash: hashAbi(endorsed) })
  return signature
}
