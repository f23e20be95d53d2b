import {
  type Address,
  concatHex,
  encodeAbiParameters,
  type Hex,
  hexToBigInt,
  isHex,
  numberToHex,
  size,
  slice,
} from 'viem'
import { isRefusal } from '../../rpc/errors.ts'
import { safeQuantitiesCode } from './safe-quantities.data.ts'

/** As many as fit into an answer, which is taken for code and must not be longer than 24,576 bytes. */
export const MAX_AT_ONCE = 200
/** A proxy needs a sixth of it. */
const GAS_OF_SAFE = 60_000n
const GAS_ALTOGETHER = 14_000_000
const ENTRY_BYTES = 65

/** Wei, and how many transactions the Safe has executed. */
export type Quantities = { balance: bigint; nonce: bigint }

/**
 * Balance and nonce of Safes after a block, in one request.
 *
 * @param ask calls without an account, after that block
 * @returns none for what does not answer as a Safe does, and none at all where the node does not run the question
 */
export async function readQuantities(
  ask: (call: { data: Hex; gas: Hex }) => Promise<unknown>,
  safes: readonly Address[],
): Promise<Map<Address, Quantities>> {
  const parameters = encodeAbiParameters([{ type: 'address[]' }, { type: 'uint256' }], [safes, GAS_OF_SAFE])
  const call = { data: concatHex([safeQuantitiesCode, parameters]), gas: numberToHex(GAS_ALTOGETHER) }
  try {
    return parseAnswer(await ask(call), safes)
  } catch (error) {
    if (isRefusal(error)) return new Map()
    throw error
  }
}

function parseAnswer(answer: unknown, safes: readonly Address[]): Map<Address, Quantities> {
  const found = new Map<Address, Quantities>()
  if (!isHex(answer) || size(answer) !== 1 + ENTRY_BYTES * safes.length) return found
  for (const [index, safe] of safes.entries()) {
    const at = 1 + ENTRY_BYTES * index
    if (slice(answer, at, at + 1) !== '0x01') continue
    const word = (from: number): Hex => slice(answer, at + from, at + from + 32)
    found.set(safe, { balance: hexToBigInt(word(1)), nonce: hexToBigInt(word(33)) })
  }
  return found
}
