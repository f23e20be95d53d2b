import { callContract } from '@countersign/safe'
import { encodeFunctionData, parseAbi } from 'viem'
import { hashSubject } from '../../subject.ts'
import { defineFact } from '../fact.ts'

const signedMessages = parseAbi(['function signedMessages(bytes32) view returns (uint256)'])

/** Whether a transaction of the Safe has signed the message; null where it could not be read. */
export const signedOnChain = defineFact({
  id: 'signedOnChain',
  needs: (given) => {
    if (given.kind !== 'message' || given.state === null) return null
    const { chainId, safeAddress, state } = given
    // A transaction that is executed may be the one that signs it.
    return { chainId, safeAddress, hash: hashSubject(given, state).hash, nonce: state.nonce }
  },
  async read(chain, { chainId, safeAddress, hash }): Promise<boolean | null> {
    const data = encodeFunctionData({ abi: signedMessages, args: [hash] })
    const answer = await callContract(chain(chainId), { to: safeAddress, data })
    return answer && answer.length === 66 ? BigInt(answer) !== 0n : null
  },
  isOpen: (isSigned) => isSigned !== true,
})
