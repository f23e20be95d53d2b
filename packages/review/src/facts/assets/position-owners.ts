import { readBounded } from '@countersign/safe'
import { type Call, flattenCalls } from '@countersign/safe/calls'
import { type Address, encodeFunctionData, getAddress, parseAbi } from 'viem'
import { functionName } from '../../call-arguments.ts'
import { describeTransaction } from '../../targets.ts'
import { defineFact } from '../fact.ts'

const MAX_POSITIONS = 50
const GAS = 100_000
const abi = parseAbi(['function ownerOf(uint256 tokenId) view returns (address)'])

/** The number of the position of Uniswap 3 that a call adds liquidity to, which anybody may; null for other calls. */
export function raisedPosition(call: Call): string | null {
  if (call.family !== 'swap' || call.operation !== 0 || functionName(call) !== 'increaseLiquidity') return null
  const [params] = call.args
  const members = params?.decoded.kind === 'tuple' ? params.decoded.value : []
  const tokenId = members.find(({ name }) => name === 'tokenId')
  return tokenId?.kind === 'number' ? String(tokenId.value) : null
}

/**
 * Holders of the positions of liquidity that calls add to, by lower-case address of the contract and by number; absent where
 * nobody answered. Whoever holds a position takes out what anybody has put in.
 */
export const positionOwners = defineFact({
  id: 'positionOwners',
  needs: (given) => {
    if (given.kind !== 'transaction') return null
    const positions = flattenCalls(describeTransaction(given)).flatMap((call) => {
      const tokenId = raisedPosition(call)
      return tokenId === null ? [] : [{ contract: call.to, tokenId }]
    })
    return positions.length === 0 ? null : { chainId: given.chainId, positions: positions.slice(0, MAX_POSITIONS) }
  },
  async read(chain, { chainId, positions }): Promise<Record<string, Record<string, Address>>> {
    const answers = await readBounded(
      chain(chainId),
      positions.map(({ contract, tokenId }) => {
        const data = encodeFunctionData({ abi, args: [BigInt(tokenId)] })
        return { target: contract, data, gasLimit: GAS, maxBytes: 33 }
      }),
    )
    const owners: Record<string, Record<string, Address>> = {}
    positions.forEach(({ contract, tokenId }, index) => {
      const answer = answers[index]
      if (answer?.kind !== 'answer' || !/^0x0{24}[0-9a-f]{40}$/i.test(answer.data)) return
      owners[contract.toLowerCase()] = {
        ...owners[contract.toLowerCase()],
        [tokenId]: getAddress(`0x${answer.data.slice(26)}`),
      }
    })
    return owners
  },
})
