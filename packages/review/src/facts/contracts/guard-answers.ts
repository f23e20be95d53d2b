import { callContract } from '@countersign/safe'
import { flattenCalls } from '@countersign/safe/calls'
import { type Address, encodeFunctionData, type Hex, isAddress, parseAbi, zeroAddress } from 'viem'
import { describeTransaction } from '../../targets.ts'
import { defineFact } from '../fact.ts'

const erc165 = parseAbi(['function supportsInterface(bytes4 interfaceId) view returns (bool)'])
/** ERC-165 ids of what a Safe asks of a new guard: ITransactionGuard since 1.4.0, IModuleGuard in 1.5.0. */
const interfaceIds: Record<string, Hex> = {
  'setGuard(address)': '0xe6d7a83a',
  'setModuleGuard(address)': '0x58401ed8',
}

/**
 * Whether the contract says, by ERC-165, that it is a guard (for `setGuard`) or a module guard (for `setModuleGuard`),
 * by lower-case address; undefined where the node did not say.
 */
export const guardAnswers = defineFact({
  id: 'guardAnswers',
  needs: (given) => {
    if (given.kind !== 'transaction') return null
    const asked = flattenCalls(describeTransaction(given)).flatMap(({ kind, name, args }) => {
      const interfaceId = kind === 'safe-settings' ? interfaceIds[name ?? ''] : undefined
      const guard = args[0]?.value ?? ''
      return interfaceId !== undefined && isGuard(guard) ? [{ guard, interfaceId }] : []
    })
    return { chainId: given.chainId, asked }
  },
  async read(chain, { chainId, asked }): Promise<Record<string, boolean | undefined>> {
    const answers = await Promise.all(
      asked.map(async ({ guard, interfaceId }) => {
        const data = encodeFunctionData({ abi: erc165, args: [interfaceId] })
        const answer = await callContract(chain(chainId), { to: guard, data })
        return [guard.toLowerCase(), answer === undefined ? undefined : isTrue(answer)] as const
      }),
    )
    return Object.fromEntries(answers)
  },
})

function isGuard(text: string): text is Address {
  return isAddress(text, { strict: false }) && text !== zeroAddress
}

/** Solidity reads one word as a bool, and refuses everything but 0 and 1. */
function isTrue(answer: Hex | null): boolean {
  return answer !== null && answer.length >= 66 && BigInt(answer.slice(0, 66)) === 1n
}
