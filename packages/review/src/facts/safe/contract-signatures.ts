import {
  callContract,
  contractQuestion,
  contractSignatureBytes,
  decodeContractAnswer,
  domainVersion,
  encodeContractQuestion,
  encodeSafeTxPreimage,
  messageQuestionData,
  type SafeState,
  signatureTypeOf,
} from '@countersign/safe'
import type { Hex } from 'viem'
import type { SignedSubject } from '../../given.ts'
import { hashSubject, messageContext, transactionContext } from '../../subject.ts'
import { defineFact } from '../fact.ts'

/**
 * Whether the contract of an owner accepts its signature when it is asked as the Safe itself would, by lower-case owner;
 * undefined where nobody could be asked.
 */
export const contractSignatures = defineFact({
  id: 'contractSignatures',
  needs: (given) => {
    const { chainId, safeAddress, state, confirmations } = given
    const signed = confirmations.filter(({ signature }) => signatureTypeOf(signature) === 'CONTRACT_SIGNATURE')
    if (given.kind === 'creation' || state === null || signed.length === 0) return null
    const preimage = ownerQuestionOf(given, state)
    if (preimage === null) return null
    const { hash } = hashSubject(given, state)
    return {
      chainId,
      safeAddress,
      version: domainVersion(state),
      hash,
      preimage,
      signed: signed.map(({ owner, signature }) => ({ owner, signature })),
    }
  },
  async read(chain, { chainId, safeAddress, version, hash, preimage, signed }) {
    const answers = await Promise.all(
      signed.map(async ({ owner, signature }) => {
        const bytes = contractSignatureBytes(signature)
        const question = contractQuestion(version, { owner, hash, preimage, signature: bytes })
        const call = { from: safeAddress, to: owner, data: encodeContractQuestion(question) }
        const answer = await callContract(chain(chainId), call)
        const isAccepted = answer === undefined ? undefined : decodeContractAnswer(version, answer) === 'accepts'
        return [owner.toLowerCase(), isAccepted] as const
      }),
    )
    return Object.fromEntries(answers) as Record<string, boolean | undefined>
  },
  isOpen: (answers) => Object.values(answers).some((answer) => answer !== true),
})

/**
 * Returns the bytes to ask a contract owner about: the preimage of the hash that owners sign. For a message, these are the bytes
 * that the Safe's handler passes on. Null if the Safe never asks its owners.
 */
function ownerQuestionOf(subject: SignedSubject, safe: SafeState): Hex | null {
  return subject.kind === 'transaction'
    ? encodeSafeTxPreimage(transactionContext(subject, safe))
    : messageQuestionData(messageContext(subject, safe), safe.fallbackHandler)
}
