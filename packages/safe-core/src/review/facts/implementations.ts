import { type Address, encodeFunctionData, getAddress, type Hex, isHex, keccak256, parseAbi, size, slice } from 'viem'
import type { Implementation } from '../../policy/policy-cover.ts'
import type { RpcRequest } from '../../safe-state.ts'
import { isSameAddress } from '../../same-address.ts'
import { codeTargets } from '../targets.ts'
import { defineFact } from './fact.ts'
import { installedContracts } from './installed-codes.ts'

/** The code behind the contracts that entries of the policy name and that this uses or the Safe has already, by lower-case address. */
export const implementations = defineFact({
  id: 'implementations',
  needs: (given) => {
    if (given.policy?.status !== 'in-force') return null
    const { allowed } = given.policy
    const used = [...(given.kind === 'transaction' ? codeTargets(given) : []), ...installedContracts(given.state)]
    const named = used.filter((one) => allowed.some(({ address }) => isSameAddress(address, one)))
    const addresses = [...new Set(named)]
    return addresses.length === 0 ? null : { chainId: given.chainId, addresses }
  },
  async read(chain, { chainId, addresses }): Promise<Record<string, Implementation | undefined>> {
    const request = chain(chainId)
    const read = addresses.map(
      async (address) => [address.toLowerCase(), await readImplementation(request, address)] as const,
    )
    return Object.fromEntries(await Promise.all(read))
  },
})

/** keccak256('eip1967.proxy.implementation') - 1, keccak256('eip1967.proxy.beacon') - 1, keccak256('PROXIABLE') */
const IMPLEMENTATION_SLOT = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc'
const BEACON_SLOT = '0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50'
const PROXIABLE_SLOT = '0xc5f16f0fcc639fa48a6947836d9850f504798523bf8c9a3a87d5876cf622bcf7'
const minimalProxy = /^0x363d3d373d3d3d363d73([0-9a-f]{40})5af43d82803e903d91602b57fd5bf3$/
const beaconAbi = parseAbi(['function implementation() view returns (address)'])

/**
 * Reads where a proxy passes its calls on to, and the code there: minimal proxies (ERC-1167), ERC-1967 with and without a
 * beacon, ERC-1822, a Safe's own proxy by its slot 0.
 *
 * @returns null for a contract that is no such proxy; undefined where nobody answered
 * @example
 * const behind = await readImplementation(request, address)
 */
export async function readImplementation(request: RpcRequest, address: Address): Promise<Implementation | undefined> {
  try {
    const code = await ask(request, 'eth_getCode', [address, 'latest'])
    const implementation = await implementationOf(request, address, code)
    if (implementation === null) return null
    const behind = await ask(request, 'eth_getCode', [implementation, 'latest'])
    return { address: implementation, codeHash: keccak256(behind) }
  } catch {
    return undefined
  }
}

async function implementationOf(request: RpcRequest, address: Address, code: Hex): Promise<Address | null> {
  const minimal = minimalProxy.exec(code.toLowerCase())?.[1]
  if (minimal !== undefined) return getAddress(`0x${minimal}`)
  const delegate = /^0xef0100([0-9a-f]{40})$/.exec(code.toLowerCase())?.[1]
  if (delegate !== undefined) return getAddress(`0x${delegate}`)
  const slots = [IMPLEMENTATION_SLOT, BEACON_SLOT, PROXIABLE_SLOT]
  const [direct, beacon, proxiable] = await Promise.all(
    slots.map(async (slot) => toAddress(await ask(request, 'eth_getStorageAt', [address, slot, 'latest']))),
  )
  if (direct) return direct
  if (!beacon) return proxiable ?? null
  const data = encodeFunctionData({ abi: beaconAbi })
  return toAddress(await ask(request, 'eth_call', [{ to: beacon, data }, 'latest']))
}

async function ask(request: RpcRequest, method: string, params: unknown[]): Promise<Hex> {
  const answer = await request({ method, params })
  if (!isHex(answer)) throw new TypeError(`${method} was not answered in hex.`)
  return answer
}

function toAddress(word: Hex): Address | null {
  if (size(word) < 32) return null
  const address = slice(word, 12, 32)
  return BigInt(address) === 0n ? null : getAddress(address)
}
