import { type Address, encodeFunctionData, type Hex, parseAbi, zeroAddress } from 'viem'
import { callContract } from '../chain/call-contract.ts'
import { readCodes } from '../chain/codes.ts'
import type { RpcRequest } from '../safe/safe-state.ts'

/** A place in a Safe that a contract may have. */
export type ContractRole = 'module' | 'guard' | 'module-guard' | 'handler'

/** Whether a contract can have a place: it does, nothing is there, it does not answer as it must; null: nobody said. */
export type ContractFit = 'fits' | 'no-contract' | 'other-contract' | null

const askedAbi = parseAbi([
  'function supportsInterface(bytes4 interfaceId) view returns (bool)',
  'function onERC721Received(address operator, address from, uint256 tokenId, bytes data) view returns (bytes4)',
])

/** ERC-165 ids that a Safe asks a guard for; those before 1.4.0 set one that refuses everything for ever. */
const guardIds = { guard: '0xe6d7a83a', 'module-guard': '0x58401ed8' } as const
/** Answer by which a contract takes an item, and the ERC-165 id of those that do. */
const TAKES_ITEMS = '0x150b7a02'
/** An id that no contract with ERC-165 supports; what answers everything with yes has none. */
const NO_INTERFACE = '0xffffffff'

/**
 * Asks the chain whether the contract at an address can be what a Safe is to be told that it is. A Safe with a guard that
 * is none can execute nothing any more, and one with a handler that is none receives no items and signs no messages.
 *
 * @example
 * await readContractFit(request, '0xfd0732Dc9E303f09fCEf3a7388Ad10A83459Ec99', 'handler') // 'fits'
 */
export async function readContractFit(request: RpcRequest, address: Address, role: ContractRole): Promise<ContractFit> {
  const [codes, answer] = await Promise.all([readCodes(request, [address]), askFor(request, address, role)])
  const code = codes[address.toLowerCase()]
  if (code === undefined || answer === undefined) return null
  if (code.size === 0 || code.delegatesTo !== undefined) return 'no-contract'
  return answer ? 'fits' : 'other-contract'
}

async function askFor(request: RpcRequest, address: Address, role: ContractRole): Promise<boolean | undefined> {
  if (role === 'module') return true
  if (role !== 'handler') return supports(request, address, guardIds[role])
  const args = [zeroAddress, zeroAddress, 0n, '0x'] as const
  const data = encodeFunctionData({ abi: askedAbi, functionName: 'onERC721Received', args })
  // Handlers before 1.3.0 know no ERC-165; that of 1.5.0 takes items when a Safe calls it, and from nobody else.
  const [taken, told, toldOfNone] = await Promise.all([
    callContract(request, { to: address, data }),
    supports(request, address, TAKES_ITEMS),
    supports(request, address, NO_INTERFACE),
  ])
  if (taken?.slice(0, 10) === TAKES_ITEMS || (told && toldOfNone === false)) return true
  return taken === undefined || told === undefined || toldOfNone === undefined ? undefined : false
}

async function supports(request: RpcRequest, address: Address, id: Hex): Promise<boolean | undefined> {
  const data = encodeFunctionData({ abi: askedAbi, functionName: 'supportsInterface', args: [id] })
  const answer = await callContract(request, { to: address, data })
  return answer === undefined ? undefined : isTrue(answer)
}

function isTrue(answer: Hex | null): boolean {
  return answer !== null && answer.length >= 66 && BigInt(answer.slice(0, 66)) === 1n
}
