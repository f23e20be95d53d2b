import { callContract, isSameAddress, proxies, type RpcRequest } from '@countersign/safe'
import { flattenCalls, type ProxyCode } from '@countersign/safe/calls'
import {
  type Address,
  encodeFunctionData,
  getAddress,
  type Hex,
  isHex,
  keccak256,
  padHex,
  parseAbi,
  size,
  slice,
} from 'viem'
import { codeTargets, describeTransaction } from '../../targets.ts'
import { defineFact } from '../fact.ts'
import { installedContracts } from './installed-codes.ts'

const MAX_CONTRACTS = 30
/** Storage slots that say where a proxy has its code, in the order in which they are believed. */
const slots = {
  eip1967: '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc',
  beacon: '0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50',
  eip1822: '0xc5f16f0fcc639fa48a6947836d9850f504798523bf8c9a3a87d5876cf622bcf7',
  zeppelin: '0x7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3',
} as const satisfies Record<string, Hex>
const slotKinds = Object.keys(slots) as (keyof typeof slots)[]
const SINGLETON_SLOT: Hex = '0x0'
const beaconAbi = parseAbi(['function implementation() view returns (address)'])
const implementationData = encodeFunctionData({ abi: beaconAbi })
const safeProxies = new Set<string>(Object.values(proxies).map(({ codeHash }) => codeHash))

/**
 * Code behind proxies, by lower-case address: of contracts whose function is not on Countersign's own list, and of those that
 * entries of the policy name and that this uses or the Safe has already. Null where the contract is no proxy of a known kind; left out where the node did not say.
 */
export const implementations = defineFact({
  id: 'implementations',
  needs: (given) => {
    const isTransaction = given.kind === 'transaction'
    const calls = isTransaction ? flattenCalls(describeTransaction(given)) : []
    const unread = calls.filter(({ data, source }) => source !== 'built-in' && size(data) >= 4).map(({ to }) => to)
    const allowed = given.policy?.status === 'in-force' ? given.policy.allowed : []
    const used = [...(isTransaction ? codeTargets(given) : []), ...installedContracts(given.state)]
    const named = used.filter((contract) => allowed.some(({ address }) => isSameAddress(address, contract)))
    const addresses = [...new Set([...named, ...unread.slice(0, MAX_CONTRACTS)])]
    return addresses.length === 0 ? null : { chainId: given.chainId, addresses }
  },
  async read(chain, { chainId, addresses }): Promise<Record<string, ProxyCode | null | undefined>> {
    const request = chain(chainId)
    const read = addresses.map(async (address) => {
      return [address.toLowerCase(), await readImplementation(request, address)] as const
    })
    return Object.fromEntries(await Promise.all(read))
  },
})

/**
 * Reads where a proxy passes its calls on to, and the code there: minimal proxies (ERC-1167), accounts with a delegation
 * (EIP-7702), ERC-1967 with and without a beacon, ERC-1822, those of ZeppelinOS, and a Safe's own proxy by its slot 0.
 *
 * @param block - as it was then; few nodes keep it for long.
 * @returns null for a contract that is no such proxy; undefined when the node did not answer all that it takes to tell
 * @example
 * const behind = await readImplementation(request, address)
 */
export async function readImplementation(
  request: RpcRequest,
  contract: Address,
  block: Hex | 'latest' = 'latest',
): Promise<ProxyCode | null | undefined> {
  const ask = async (method: string, params: unknown[]): Promise<Hex | null> => {
    try {
      const answer = await request({ method, params })
      return isHex(answer) ? answer : null
    } catch {
      return null
    }
  }
  const slotOf = (slot: Hex) => ask('eth_getStorageAt', [contract, slot, block])
  const [code, singleton, ...words] = await Promise.all([
    ask('eth_getCode', [contract, block]),
    slotOf(SINGLETON_SLOT),
    ...slotKinds.map((kind) => slotOf(slots[kind])),
  ])
  if (code === null || singleton === null || words.includes(null)) return undefined
  const found = await place(request, { code, singleton, words }, block)
  if (found === null || found === undefined) return found
  const behind = await ask('eth_getCode', [found.address, block])
  const isMixed = isMixedKind(found.kind, words)
  return behind === null ? undefined : { ...found, codeHash: keccak256(behind), ...(isMixed ? { isMixed } : {}) }
}

/**
 * Whether more than one place is filled: then the code of the proxy, which nobody reads here, chooses between them. A minimal
 * proxy runs code that may look into the proxy's own slots. A Safe's proxy looks into slot 0 alone.
 */
function isMixedKind(kind: ProxyCode['kind'], words: readonly (Hex | null)[]): boolean {
  const filled = words.filter((word) => addressIn(word ?? '0x') !== null).length
  if (kind === 'safe') return false
  return filled > (kind === 'minimal' || kind === 'delegation' ? 0 : 1)
}

type Place = Pick<ProxyCode, 'address' | 'kind'>

async function place(
  request: RpcRequest,
  { code, singleton, words }: { code: Hex; singleton: Hex; words: readonly (Hex | null)[] },
  block: Hex | 'latest',
): Promise<Place | null | undefined> {
  // EIP-1167; bytes behind it are arguments of the proxy, and never run.
  const minimal = /^0x363d3d373d3d3d363d73([0-9a-f]{40})5af43d82803e903d91602b57fd5bf3/i.exec(code)?.[1]
  if (minimal !== undefined) return { kind: 'minimal', address: getAddress(`0x${minimal}`) }
  const delegate = /^0xef0100([0-9a-f]{40})$/i.exec(code)?.[1]
  if (delegate !== undefined) return { kind: 'delegation', address: getAddress(`0x${delegate}`) }
  const ofSafe = addressIn(singleton)
  if (ofSafe !== null && safeProxies.has(keccak256(code))) return { kind: 'safe', address: ofSafe }
  for (const [index, kind] of slotKinds.entries()) {
    const address = addressIn(words[index] ?? '0x')
    if (address === null) continue
    if (kind !== 'beacon') return { kind, address }
    const answer = await callContract(request, { to: address, data: implementationData }, block)
    if (answer === undefined) return undefined
    const implementation = addressIn(answer ?? '0x')
    if (implementation !== null) return { kind, address: implementation }
  }
  return null
}

/** The address in a slot or an answer. What stands above it there is nothing to a proxy, and nothing here. */
function addressIn(word: Hex): Address | null {
  const address = slice(padHex(slice(word, -32), { size: 32 }), 12, 32)
  return BigInt(address) === 0n ? null : getAddress(address)
}
