import {
  type DescriptorRegistry,
  describedFunction,
  isSameAddress,
  loadDescriptorRegistry,
  parseTime,
  type RpcRequest,
} from '@countersign/safe'
import { type DescribedCall, flattenCalls } from '@countersign/safe/calls'
import { type Address, getAddress, type Hex, isHex, numberToHex, size, slice } from 'viem'
import { describeTransaction } from '../../targets.ts'
import { defineFact } from '../fact.ts'
import { readBlock } from './code-ages.ts'
import { readImplementation } from './implementations.ts'

const MAX_CALLS = 100
const DAY_S = 86_400
/** Steps in which a block of a day is looked for. */
const MAX_STEPS = 12

type Asked = { address: Address; selector: Hex }

/**
 * Functions that are not on Countersign's own list, as the ERC-7730 registry of the release describes them for this chain and
 * address, by lower-case address. The chain is asked for the code of a minimal proxy, which runs another contract's and can
 * never run any other; and of the other proxies, whether they run what they ran on the registry's day.
 */
export const descriptions = defineFact({
  id: 'descriptions',
  needs: (given) => {
    if (given.kind !== 'transaction') return null
    const asked = new Map<string, Asked>()
    for (const { to, data, operation, source } of flattenCalls(describeTransaction(given))) {
      if (operation !== 0 || source === 'built-in' || size(data) < 4) continue
      const selector = slice(data, 0, 4)
      asked.set(`${to} ${selector}`, { address: to, selector })
    }
    return asked.size === 0 ? null : { chainId: given.chainId, calls: [...asked.values()].slice(0, MAX_CALLS) }
  },
  async read(chain, { chainId, calls }): Promise<Record<string, readonly DescribedCall[] | undefined>> {
    const registry = await loadDescriptorRegistry()
    const blockOfDay = once(() =>
      findBlock(chain(chainId), (parseTime(`${registry.date}T00:00:00Z`) ?? 0) / 1_000 + DAY_S),
    )
    const found: Record<string, DescribedCall[]> = {}
    for (const call of await Promise.all(
      calls.map((call) => find({ registry, request: chain(chainId), blockOfDay }, chainId, call)),
    )) {
      if (call !== null) found[call.key] = [...(found[call.key] ?? []), call.described]
    }
    return found
  },
})

type Sources = { registry: DescriptorRegistry; request: RpcRequest; blockOfDay: () => Promise<number | null> }

async function find(
  { registry, request, blockOfDay }: Sources,
  chainId: number,
  { address, selector }: Asked,
): Promise<{ key: string; described: DescribedCall } | null> {
  const key = address.toLowerCase()
  const own = describedFunction(registry, chainId, address, selector)
  if (own !== null) {
    const replaced = await readReplaced(request, address, blockOfDay)
    return { key, described: { ...own, selector, implementation: null, ...(replaced && { replaced }) } }
  }
  const implementation = await readMinimalProxy(request, address)
  const behind = implementation && describedFunction(registry, chainId, implementation, selector)
  return behind ? { key, described: { ...behind, selector, implementation } } : null
}

const minimalProxy = /^0x363d3d373d3d3d363d73([0-9a-f]{40})5af43d82803e903d91602b57fd5bf3/i

async function readMinimalProxy(request: RpcRequest, address: Address): Promise<Address | null> {
  try {
    const code = await request({ method: 'eth_getCode', params: [address, 'latest'] })
    const found = isHex(code) ? minimalProxy.exec(code)?.[1] : undefined
    return found === undefined ? null : getAddress(`0x${found}`)
  } catch {
    return null
  }
}

/**
 * The code behind a proxy on the registry's day, where it was another one than today. Null where it is the same, and where
 * nobody can tell: the registry names no code, and few nodes keep a state that old.
 */
async function readReplaced(
  request: RpcRequest,
  address: Address,
  blockOfDay: () => Promise<number | null>,
): Promise<Address | null> {
  const today = await readImplementation(request, address)
  if (!today || today.kind === 'minimal' || today.kind === 'safe') return null
  const block = await blockOfDay()
  if (block === null) return null
  const then = await readImplementation(request, address, numberToHex(block))
  if (!then) return null
  return isSameAddress(then.address, today.address) && then.codeHash === today.codeHash ? null : then.address
}

/** The last block before a time, or one less than a day before it; null where the chain is younger, or nobody says. */
async function findBlock(request: RpcRequest, time: number): Promise<number | null> {
  try {
    let [first, last] = await Promise.all([readBlock(request, numberToHex(1)), readBlock(request, 'latest')])
    if (first === null || last === null || first.time >= time || last.time <= time) return null
    for (let step = 0; step < MAX_STEPS && last.number - first.number > 1 && time - first.time > DAY_S; step += 1) {
      // Blocks are not always as far apart: every third step halves what is left.
      const share: number = step % 3 === 2 ? 0.5 : (time - first.time) / (last.time - first.time)
      const guess = first.number + Math.round(share * (last.number - first.number))
      const block = await readBlock(request, numberToHex(Math.min(Math.max(guess, first.number + 1), last.number - 1)))
      if (block === null) return null
      if (block.time < time) first = block
      else last = block
    }
    return time - first.time > DAY_S ? null : first.number
  } catch {
    return null
  }
}

function once<Of>(read: () => Promise<Of>): () => Promise<Of> {
  let known: Promise<Of> | undefined
  return () => {
    known ??= read()
    return known
  }
}
