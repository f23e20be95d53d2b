import { CountersignError, type SafeState, type SignatureType } from '@countersign/safe-core'
import type { Address, Hex } from 'viem'
import { recoverConfirmationOwner } from '../../chain/recover.ts'

export type VerifiedConfirmation = { owner: Address; signature: Hex; signatureType: SignatureType }

/**
 * Whose confirmation of a message a signature is: an owner's, and the account's own.
 *
 * @throws CountersignError `SIGNATURE_NOT_FROM_OWNER`, `ACCOUNT_MISMATCH`, and those of reading a signature.
 */
export async function verifyMessageSignature(
  state: SafeState,
  account: Address,
  { safeMessageHash, signature }: { safeMessageHash: Hex; signature: Hex },
): Promise<VerifiedConfirmation> {
  const signed = await recoverConfirmationOwner(safeMessageHash, signature)
  if (!state.owners.includes(signed.owner))
    throw new CountersignError(
      'SIGNATURE_NOT_FROM_OWNER',
      `The signature is of \`${signed.owner}\`, who is no owner.`,
      {
        data: { signer: signed.owner },
      },
    )
  if (signed.owner !== account)
    throw new CountersignError(
      'ACCOUNT_MISMATCH',
      `The signature is of \`${signed.owner}\`; signed in is \`${account}\`.`,
      { data: { signer: signed.owner, account } },
    )
  return signed
}
