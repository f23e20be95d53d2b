import {
  CountersignError,
  contractQuestion,
  contractSignatureBytes,
  encodeContractQuestion,
  parseSignature,
  type RpcRequest,
  readContractAnswer,
} from '@countersign/safe-core'
import { type Address, type Hex, isHex } from 'viem'
import { revertOf } from './execution.ts'

/** An `eth_call`. Null: it reverted. Undefined: the node did not say. */
export async function callOrRevert(
  request: RpcRequest,
  call: { from?: Address; to: Address; data: Hex },
): Promise<Hex | null | undefined> {
  try {
    const answer = await request({ method: 'eth_call', params: [call, 'latest'] })
    return isHex(answer) ? answer : undefined
  } catch (error) {
    return error instanceof CountersignError && revertOf(error) !== null ? null : undefined
  }
}

export type Signed = { owner: Address; signature: Hex }

/**
 * Asks owners that are contracts about their signatures, as a Safe of this version would.
 *
 * @param preimage what was hashed
 * @returns by lower-case owner; undefined where nobody could be asked
 */
export async function askContractOwners(
  request: RpcRequest,
  { safeAddress, version, hash, preimage }: { safeAddress: Address; version: string; hash: Hex; preimage: Hex },
  confirmations: readonly Signed[],
): Promise<Record<string, boolean | undefined>> {
  const answers = await Promise.all(
    confirmations.map(async ({ owner, signature }) => {
      const bytes = contractBytes(signature)
      if (bytes === null) return null
      const question = contractQuestion(version, { owner, hash, preimage, signature: bytes })
      const call = { from: safeAddress, to: owner, data: encodeContractQuestion(question) }
      const answer = await callOrRevert(request, call)
      return [
        owner.toLowerCase(),
        answer === undefined ? undefined : readContractAnswer(version, answer) === 'accepts',
      ] as const
    }),
  )
  return Object.fromEntries(answers.filter((one) => one !== null))
}

function contractBytes(signature: Hex): Hex | null {
  try {
    return parseSignature(signature).signatureType === 'CONTRACT_SIGNATURE' ? contractSignatureBytes(signature) : null
  } catch {
    return null
  }
}
