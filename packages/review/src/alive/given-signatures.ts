import { type Confirmation, isSameAddress, isVersionBefore, recoverConfirmation } from '@countersign/safe'
import type { Address, Hex } from 'viem'
import type { Facts } from '../facts/collect.ts'

/** A signature that an account has given, as far as it could be checked. */
export type GivenSignature = Confirmation & {
  /** False where the node did not say: it may count, and is not left out for that. */
  isChecked: boolean
}

/** Answers of the chain about signatures that only it can check: `undefined` where it did not say. */
type Answers = Pick<Facts, 'approvedHashes' | 'contractSignatures'>

/**
 * Verifies signatures over a hash as the Safe itself would, whoever is an owner: each of them counts while its account is
 * one. What does not belong to the account that it is listed under, or that a Safe of this version refuses, is left out.
 *
 * @param hash - computed here: the safeTxHash, or the safeMessageHash.
 * @param version - of the Safe: before 1.1.0 it refuses `eth_sign`.
 * @returns one for each account; one that was checked before one that was not.
 *
 * @example
 * const confirmations = await verifyGiven(safeTxHash, listed, { version: domainVersion(state), ...facts })
 */
export async function verifyGiven(
  hash: Hex,
  signatures: readonly { owner: Address; signature: Hex }[],
  { version, approvedHashes, contractSignatures }: Answers & { version: string },
): Promise<GivenSignature[]> {
  const verified = await Promise.all(
    signatures.map(async (listed): Promise<GivenSignature | null> => {
      const found = await recoverOrNull(hash, listed.signature)
      if (found === null || !isSameAddress(found.owner, listed.owner)) return null
      const answers = {
        APPROVED_HASH: approvedHashes,
        CONTRACT_SIGNATURE: contractSignatures,
        EOA: null,
        ETH_SIGN: null,
      }
      const asked = answers[found.signatureType]
      if (asked === null) {
        const isRefused = found.signatureType === 'ETH_SIGN' && isVersionBefore(version, 1, 1)
        return isRefused ? null : { ...found, isChecked: true }
      }
      const answer = asked?.[found.owner.toLowerCase()]
      return answer === false ? null : { ...found, isChecked: answer === true }
    }),
  )
  return verified
    .filter((signature) => signature !== null)
    .toSorted((one, other) => Number(other.isChecked) - Number(one.isChecked))
    .filter(({ owner }, at, all) => all.findIndex((earlier) => isSameAddress(earlier.owner, owner)) === at)
}

async function recoverOrNull(hash: Hex, signature: Hex): Promise<Confirmation | null> {
  try {
    return await recoverConfirmation(hash, signature)
  } catch {
    return null
  }
}
