import {
  type Address,
  decodeFunctionResult,
  encodeFunctionData,
  getAddress,
  type Hex,
  isHex,
  namehash,
  parseAbi,
  size,
  zeroAddress,
} from 'viem'
import type { RpcRequest } from '../safe/safe-state.ts'
import { isSameAddress } from '../same-address.ts'
import { type Answer, readBounded } from './bounded-reads.ts'

/**
 * Whom a name means. `primaryName` is the name that the account gives itself, or null: anybody can point a name of their
 * own at any account.
 */
export type RegisteredName =
  | { kind: 'found'; address: Address; primaryName: string | null }
  | { kind: 'no-registry' | 'unregistered' | 'no-address' | 'contract' | 'unread' }

/** A registry of names, and the chain that it is on. */
export type NameRegistry = { chainId: number; address: Address }

const registryAbi = parseAbi(['function resolver(bytes32 node) view returns (address)'])
const resolverAbi = parseAbi(['function name(bytes32 node) view returns (string)'])
const addrAbi = parseAbi(['function addr(bytes32 node) view returns (address)'])
const addrOfAbi = parseAbi(['function addr(bytes32 node, uint256 coinType) view returns (bytes)'])

/** A resolver may read through others. */
const GAS = 1_000_000
const NAME_BYTES = 512

/**
 * Reads which account of a chain a name means: ENSIP-1 `addr(node)` on the registry's own chain, ENSIP-11 `addr(node,
 * coinType)` for another one. There an account of the registry's chain is taken too, unless it is a contract: the same
 * address can be somebody else's on another chain. Then asks the account's own name back (ENSIP-3). Names that are kept
 * outside of the chain (EIP-3668) are not followed: nobody is asked but the node.
 *
 * @param request asks a node of the registry's chain
 * @param name normalized (ENSIP-15)
 * @throws whatever `request` throws when nobody was reached
 * @example
 * await readRegisteredName(request, { chainId: 1, address: ensRegistry }, { name: 'supplier.eth', chainId: 10 })
 */
export async function readRegisteredName(
  request: RpcRequest,
  registry: NameRegistry,
  asked: { name: string; chainId: number },
): Promise<RegisteredName> {
  const resolved = await resolveName(request, registry, asked)
  if (resolved.kind !== 'resolved') return resolved
  const { address } = resolved
  const reverseNode = reverseNodeOf(address)
  const [reverse] = await ask(request, registry.address, [encodeResolver(reverseNode)], 32)
  const reverseResolver = decodeAddress(reverse)
  const [said] = reverseResolver
    ? await ask(
        request,
        reverseResolver,
        [encodeFunctionData({ abi: resolverAbi, functionName: 'name', args: [reverseNode] })],
        NAME_BYTES,
      )
    : []
  return { kind: 'found', address, primaryName: decodeName(said) }
}

async function ask(
  request: RpcRequest,
  target: Address,
  calls: readonly Hex[],
  maxBytes = 96,
): Promise<(Answer | undefined)[]> {
  return readBounded(
    request,
    calls.map((data) => ({ target, data, gasLimit: GAS, maxBytes })),
  )
}

type Unresolved = Exclude<RegisteredName, { kind: 'found' }>

/** The account that a name means on a chain. */
async function resolveName(
  request: RpcRequest,
  registry: NameRegistry,
  { name, chainId }: { name: string; chainId: number },
): Promise<{ kind: 'resolved'; address: Address } | Unresolved> {
  const node = namehash(name)
  const [resolved] = await ask(request, registry.address, [encodeResolver(node)], 32)
  if (resolved?.kind === 'no-contract') return { kind: 'no-registry' }
  if (resolved?.kind === 'unread') return { kind: 'unread' }
  const resolver = decodeAddress(resolved)
  if (resolver === null) return { kind: 'unregistered' }

  const isSameChain = chainId === registry.chainId
  const [own, ofChain] = await ask(request, resolver, [
    encodeFunctionData({ abi: addrAbi, args: [node] }),
    ...(isSameChain ? [] : [encodeFunctionData({ abi: addrOfAbi, args: [node, coinTypeOf(chainId)] })]),
  ])
  if (own?.kind === 'unread' || ofChain?.kind === 'unread') return { kind: 'unread' }
  const there = decodeBytesAddress(ofChain)
  const address = there ?? decodeAddress(own)
  if (address === null) return { kind: 'no-address' }
  if (!isSameChain && there === null) {
    const code = await request({ method: 'eth_getCode', params: [address, 'latest'] })
    if (!isHex(code)) return { kind: 'unread' }
    if (code !== '0x') return { kind: 'contract' }
  }
  return { kind: 'resolved', address }
}

/** More accounts are not asked about at once. */
export const MAX_NAMED_ACCOUNTS = 50

/**
 * Reads what accounts call themselves (ENSIP-3), and keeps a name only where it means the same account on this chain: nobody
 * is called by a name that belongs to somebody else.
 *
 * @param request asks a node of the registry's chain
 * @param normalize writes a name in its one way (ENSIP-15); null where it is none. Names that are written otherwise are left out.
 *   It is asked once there is a name, and may be loaded by then.
 * @returns names by lower-case address
 * @throws whatever `request` throws when nobody was reached
 * @example
 * const names = await readPrimaryNames(request, registry, [supplier], { chainId: 1, normalize })
 * names.get(supplier.toLowerCase()) // 'supplier.eth'
 */
export async function readPrimaryNames(
  request: RpcRequest,
  registry: NameRegistry,
  accounts: readonly Address[],
  { chainId, normalize }: { chainId: number; normalize: (name: string) => string | null | Promise<string | null> },
): Promise<Map<string, string>> {
  const asked = accounts.slice(0, MAX_NAMED_ACCOUNTS)
  const resolvers = await readBounded(
    request,
    asked.map((account) => ({
      target: registry.address,
      data: encodeResolver(reverseNodeOf(account)),
      gasLimit: GAS,
      maxBytes: 32,
    })),
  )
  const resolved = asked.flatMap((account, index) => {
    const resolver = decodeAddress(resolvers[index])
    return resolver === null ? [] : [{ account, resolver }]
  })
  const said = await readBounded(
    request,
    resolved.map(({ account, resolver }) => {
      const data = encodeFunctionData({ abi: resolverAbi, functionName: 'name', args: [reverseNodeOf(account)] })
      return { target: resolver, data, gasLimit: GAS, maxBytes: NAME_BYTES }
    }),
  )
  const names = resolved.flatMap(({ account }, index) => {
    const name = decodeName(said[index])
    return name === null ? [] : [{ account, name }]
  })
  const normal = await Promise.all(names.map(({ name }) => normalize(name)))
  const claimed = names.filter(({ name }, index) => normal[index] === name)
  const meant = await Promise.all(claimed.map(({ name }) => resolveName(request, registry, { name, chainId })))
  return new Map(
    claimed.flatMap(({ account, name }, index) => {
      const found = meant[index]
      const isOwn = found?.kind === 'resolved' && isSameAddress(found.address, account)
      return isOwn ? [[account.toLowerCase(), name] as const] : []
    }),
  )
}

function reverseNodeOf(account: Address): Hex {
  return namehash(`${account.slice(2).toLowerCase()}.addr.reverse`)
}

/** Coin type of an EVM chain in a resolver (ENSIP-11). */
function coinTypeOf(chainId: number): bigint {
  return 0x8000_0000n + BigInt(chainId)
}

function encodeResolver(node: Hex): Hex {
  return encodeFunctionData({ abi: registryAbi, functionName: 'resolver', args: [node] })
}

/** Null for the zero address too: it means that nothing is set. */
function decodeAddress(answer: Answer | undefined): Address | null {
  if (answer?.kind !== 'answer' || !/^0x0{24}[0-9a-f]{40}$/i.test(answer.data)) return null
  return notZero(`0x${answer.data.slice(26)}`)
}

function decodeBytesAddress(answer: Answer | undefined): Address | null {
  if (answer?.kind !== 'answer') return null
  try {
    const bytes = decodeFunctionResult({ abi: addrOfAbi, data: answer.data })
    return size(bytes) === 20 ? notZero(bytes) : null
  } catch {
    return null
  }
}

function notZero(address: Hex): Address | null {
  return address.toLowerCase() === zeroAddress ? null : getAddress(address)
}

function decodeName(answer: Answer | undefined): string | null {
  if (answer?.kind !== 'answer') return null
  try {
    return decodeFunctionResult({ abi: resolverAbi, functionName: 'name', data: answer.data }) || null
  } catch {
    return null
  }
}
