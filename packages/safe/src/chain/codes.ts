import { type Address, getAddress, type Hex, isHex, keccak256, size } from 'viem'
import type { RpcRequest } from '../safe/safe-state.ts'

/**
 * The code at an address: keccak256 of it, and its size in bytes; where EIP-7702 delegates it to, if it does; whether it has a
 * function by which whoever calls it takes what it holds.
 */
export type Code = { codeHash: Hex; size: number; delegatesTo?: Address; givesOut?: true }

/**
 * Reads the code at each address.
 *
 * @returns by lower-case address; undefined where the node did not say
 * @example
 * const codes = await readCodes(request, [token])
 */
export async function readCodes(
  request: RpcRequest,
  addresses: readonly Address[],
): Promise<Record<string, Code | undefined>> {
  const read = addresses.map(async (address) => [address.toLowerCase(), await readCode(request, address)] as const)
  return Object.fromEntries(await Promise.all(read))
}

async function readCode(request: RpcRequest, address: Address): Promise<Code | undefined> {
  try {
    const code = await request({ method: 'eth_getCode', params: [address, 'latest'] })
    return isHex(code) ? toCode(code) : undefined
  } catch {
    return undefined
  }
}

/**
 * Functions by which whoever asks takes what a contract holds: `refundETH`, `sweepToken` and both `execute` of Uniswap's
 * routers, `skim` of its pairs. Compiled code compares a selector by PUSH4, which is 0x63.
 */
const openFunctions = /63(?:12210e8a|df2ab5bb|3593564c|24856bc3|bc25cf77)/i

function toCode(code: Hex): Code {
  const delegate = /^0xef0100([0-9a-f]{40})$/i.exec(code)?.[1]
  const givesOut = openFunctions.test(code) ? ({ givesOut: true } as const) : {}
  const read = { codeHash: keccak256(code), size: size(code), ...givesOut }
  return delegate === undefined ? read : { ...read, delegatesTo: getAddress(`0x${delegate}`) }
}
