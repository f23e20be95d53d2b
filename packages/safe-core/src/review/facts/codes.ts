import { type Address, getAddress, type Hex, isHex, keccak256, size } from 'viem'
import type { RpcRequest } from '../../safe-state.ts'
import { codeTargets, counterpartiesOf, describeTransaction } from '../targets.ts'
import type { Code } from '../types.ts'
import { defineFact } from './fact.ts'

/** A batch can pay hundreds; what the review itself needs is read all the same. */
const MAX_PARTIES = 50

/** Code by lower-case address: of everything that is called or paid; undefined where it was not read. */
export const codes = defineFact({
  id: 'codes',
  needs: (given) => {
    if (given.kind !== 'transaction') return null
    const parties = counterpartiesOf(describeTransaction(given)).slice(0, MAX_PARTIES)
    return { chainId: given.chainId, addresses: [...new Set([...codeTargets(given), ...parties])] }
  },
  async read(chain, { chainId, addresses }): Promise<Record<string, Code | undefined>> {
    const request = chain(chainId)
    const read = addresses.map(async (address) => [address.toLowerCase(), await readCode(request, address)] as const)
    return Object.fromEntries(await Promise.all(read))
  },
})

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
