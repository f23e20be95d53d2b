import { type Address, getAddress, type Hex, isHex, keccak256, size } from 'viem'
import type { Code } from './review/types.ts'
import type { RpcRequest } from './safe-state.ts'

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

function toCode(code: Hex): Code {
  const delegate = /^0xef0100([0-9a-f]{40})$/i.exec(code)?.[1]
  const read = { codeHash: keccak256(code), size: size(code) }
  return delegate === undefined ? read : { ...read, delegatesTo: getAddress(`0x${delegate}`) }
}
