import { callContract, signatureTypeOf } from '@countersign/safe'
import { encodeFunctionData, parseAbi } from 'viem'
import { hashSubject } from '../../subject.ts'
import { defineFact } from '../fact.ts'

const approvals = parseAbi(['function approvedHashes(address, bytes32) view returns (uint256)'])

/** Whether `approvedHashes` of the Safe holds this hash, by lower-case owner; undefined where the node did not say. */
export const approvedHashes = defineFact({
  id: 'approvedHashes',
  needs: (given) => {
    if (given.kind !== 'transaction' || given.state === null) return null
    const approvers = given.confirmations
      .filter(({ signature }) => signatureTypeOf(signature) === 'APPROVED_HASH')
      .map(({ owner }) => owner)
    if (approvers.length === 0) return null
    return {
      chainId: given.chainId,
      safeAddress: given.safeAddress,
      hash: hashSubject(given, given.state).hash,
      approvers,
    }
  },
  async read(chain, { chainId, safeAddress, hash, approvers }): Promise<Record<string, boolean | undefined>> {
    const answers = await Promise.all(
      approvers.map(async (owner) => {
        const data = encodeFunctionData({ abi: approvals, args: [owner, hash] })
        const answer = await callContract(chain(chainId), { to: safeAddress, data })
        return [owner.toLowerCase(), answer && answer.length === 66 ? BigInt(answer) !== 0n : undefined] as const
      }),
    )
    return Object.fromEntries(answers)
  },
  isOpen: (answers) => Object.values(answers).some((answer) => answer !== true),
})
