import { readBounded } from '@countersign/safe'
import { flattenCalls } from '@countersign/safe/calls'
import { encodeFunctionData, parseAbi } from 'viem'
import { describeTransaction } from '../../targets.ts'
import { defineFact } from '../fact.ts'

const MAX_CONTRACTS = 50
const GAS = 100_000
/** Functions that ERC-20 and ERC-721 have in common: the last figure is an amount for one, an item for the other. */
const shared = new Set(['approve(address,uint256)', 'transferFrom(address,address,uint256)'])
/** ERC-165 id of ERC-721. */
const supportsErc721 = encodeFunctionData({
  abi: parseAbi(['function supportsInterface(bytes4 interfaceId) view returns (bool)']),
  args: ['0x80ac58cd'],
})

/**
 * Whether the contracts that are called by a function of ERC-20 say that they are collections of items, by lower-case
 * address; absent where the node did not say. What does not answer the question is none.
 */
export const collections = defineFact({
  id: 'collections',
  needs: (given) => {
    if (given.kind !== 'transaction') return null
    const calls = flattenCalls(describeTransaction(given)).filter(({ name }) => name !== null && shared.has(name))
    const contracts = [...new Set(calls.map(({ to }) => to))].slice(0, MAX_CONTRACTS)
    return contracts.length === 0 ? null : { chainId: given.chainId, contracts }
  },
  async read(chain, { chainId, contracts }): Promise<Record<string, boolean | undefined>> {
    const answers = await readBounded(
      chain(chainId),
      contracts.map((target) => ({ target, data: supportsErc721, gasLimit: GAS, maxBytes: 33 })),
    )
    return Object.fromEntries(
      contracts.flatMap((contract, index) => {
        const answer = answers[index]
        if (answer === undefined || answer.kind === 'unread') return []
        return [[contract.toLowerCase(), answer.kind === 'answer' && isTrue(answer.data)] as const]
      }),
    )
  },
})

/** Solidity reads one word as a bool, and refuses everything but 0 and 1. */
function isTrue(answer: `0x${string}`): boolean {
  return answer.length === 66 && BigInt(answer) === 1n
}
