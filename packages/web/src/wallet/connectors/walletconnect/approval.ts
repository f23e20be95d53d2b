import { type Address, getAddress, isAddress } from 'viem'
import { parseChainId } from '../provider-values.ts'

/** The phone's permissions for this page, by namespace: `eip155`, or `eip155:1` for a single chain. */
export type Namespaces = Record<string, { accounts: string[]; methods: string[] }>

/** A phone's approval, read strictly: what is malformed is left out. */
export type Approval = { accounts: { chainId: number; address: Address }[]; methods: string[] }

export function parseApproval(namespaces: Namespaces): Approval {
  const ours = Object.entries(namespaces).flatMap(([name, namespace]) => (/^eip155(:|$)/.test(name) ? [namespace] : []))
  return {
    accounts: ours.flatMap(({ accounts }) => accounts).flatMap(parseAccount),
    methods: [...new Set(ours.flatMap(({ methods }) => methods))],
  }
}

/** CAIP-10: `eip155:1:0x…`. */
function parseAccount(account: string): Approval['accounts'] {
  const [namespace, reference = '', address = '', ...rest] = account.split(':')
  const chainId = parseChainId(reference)
  if (namespace !== 'eip155' || chainId === undefined || rest.length > 0) return []
  return isAddress(address, { strict: false }) ? [{ chainId, address: getAddress(address) }] : []
}

/** The account of an `accountsChanged` event: plain, or with its chain in front. */
export function parseEventAccount(data: unknown): Address | undefined {
  const address =
    String(Array.isArray(data) ? data[0] : data)
      .split(':')
      .at(-1) ?? ''
  return isAddress(address, { strict: false }) ? getAddress(address) : undefined
}
