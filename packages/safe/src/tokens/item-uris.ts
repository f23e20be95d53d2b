import {
  bytesToString,
  encodeFunctionData,
  type Hex,
  hexToBigInt,
  hexToBytes,
  isHex,
  parseAbi,
  size,
  slice,
} from 'viem'
import { type Answer, isOfNode, readBounded } from '../chain/bounded-reads.ts'
import type { RpcRequest } from '../safe/safe-state.ts'
import type { TokenItem } from './token-readings.ts'

/**
 * Where a collection says that the description of an item is; it may be all of it, as a `data:` URI. `none`: it says
 * nothing. `too-long`: more than is read. `unread`: the node did not say.
 */
export type ItemUri = { kind: 'uri'; uri: string } | { kind: 'none' | 'too-long' | 'unread' }

/** Longest URI that is read, in bytes: drawings that are whole on the chain have some twenty thousand. */
export const MAX_ITEM_URI_BYTES = 200_000

/** Contracts that draw need millions. */
const GAS = 9_500_000
/** Offset, length, and as much as one bounded answer takes. */
const FIRST_BYTES = 15_900

const uriAbi = parseAbi([
  'function tokenURI(uint256 tokenId) view returns (string)',
  'function uri(uint256 id) view returns (string)',
])

/**
 * Reads `tokenURI` (ERC-721) or `uri` (ERC-1155) of an item, bounded in gas and bytes. What is longer than one bounded answer
 * is asked for again as a whole where it is a `data:` URI. The text is the contract's own.
 *
 * @throws whatever `request` throws when nobody was reached
 * @example
 * const read = await readItemUri(request, { address, kind: 'erc721', tokenId: 77n })
 * if (read.kind === 'uri') show(read.uri)
 */
export async function readItemUri(request: RpcRequest, { address, kind, tokenId }: TokenItem): Promise<ItemUri> {
  const functionName = kind === 'erc721' ? 'tokenURI' : 'uri'
  const data = encodeFunctionData({ abi: uriAbi, functionName, args: [tokenId] })
  const [answer] = await readBounded(request, [{ target: address, data, gasLimit: GAS, maxBytes: FIRST_BYTES }])
  const first = textOf(answer)
  if (first.kind !== 'cut') return first
  if (first.length > MAX_ITEM_URI_BYTES || !first.uri.toLowerCase().startsWith('data:')) return { kind: 'too-long' }
  const whole = await readWhole(request, { to: address, data, gas: `0x${GAS.toString(16)}` })
  return whole.kind === 'cut' ? { kind: 'too-long' } : whole
}

type Read = ItemUri | { kind: 'cut'; uri: string; length: number }

async function readWhole(request: RpcRequest, call: { to: Hex; data: Hex; gas: Hex }): Promise<Read> {
  try {
    const answer = await request({ method: 'eth_call', params: [call, 'latest'] })
    // An answer is cut before it is looked at: the contract may say more than it announced.
    const taken = typeof answer === 'string' ? answer.slice(0, 2 * (MAX_ITEM_URI_BYTES + 98)) : null
    return isHex(taken) ? textOf({ kind: 'answer', data: taken }) : { kind: 'unread' }
  } catch (error) {
    if (!isOfNode(error)) throw error
    return { kind: 'unread' }
  }
}

/** The one text of an answer, by the bytes that came: a length that is claimed tells how many are missing. */
function textOf(answer: Answer | undefined): Read {
  if (answer === undefined || answer.kind === 'unread') return { kind: 'unread' }
  if (answer.kind !== 'answer' || size(answer.data) < 64) return { kind: 'none' }
  const { data } = answer
  const offset = hexToBigInt(slice(data, 0, 32))
  if (offset + 32n > BigInt(size(data))) return { kind: 'none' }
  const start = Number(offset) + 32
  const claimed = hexToBigInt(slice(data, start - 32, start))
  const there = size(data) - start
  if (claimed === 0n || there === 0) return { kind: 'none' }
  if (claimed > BigInt(there)) {
    const uri = bytesToString(hexToBytes(slice(data, start)))
    return { kind: 'cut', uri, length: claimed > 1_000_000_000n ? 1_000_000_000 : Number(claimed) }
  }
  return { kind: 'uri', uri: bytesToString(hexToBytes(slice(data, start, start + Number(claimed)))) }
}
