import { type Address, getAddress, type Hex, isHex, size, slice } from 'viem'
import { type DescribedCall, flattenCalls } from '../../calldata.ts'
import { type DescriptorRegistry, describedFunction, loadDescriptorRegistry } from '../../descriptors/registry.ts'
import type { RpcRequest } from '../../safe-state.ts'
import { describeTransaction } from '../targets.ts'
import { defineFact } from './fact.ts'

const MAX_CALLS = 100

type Asked = { address: Address; selector: Hex }

/**
 * Functions that are not on Countersign's own list, as the ERC-7730 registry of the release describes them for this chain and
 * address, by lower-case address. The chain is asked for one thing alone: the code of a minimal proxy, which runs another
 * contract's and can never run any other.
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
    const found: Record<string, DescribedCall[]> = {}
    for (const call of await Promise.all(calls.map((call) => find(registry, chain(chainId), chainId, call)))) {
      if (call !== null) found[call.key] = [...(found[call.key] ?? []), call.described]
    }
    return found
  },
})

async function find(
  registry: DescriptorRegistry,
  request: RpcRequest,
  chainId: number,
  { address, selector }: Asked,
): Promise<{ key: string; described: DescribedCall } | null> {
  const key = address.toLowerCase()
  const own = describedFunction(registry, chainId, address, selector)
  if (own !== null) return { key, described: { ...own, selector, implementation: null } }
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
