import type { Chain, Safe } from '@countersign/contract'

/** The demo Safe's address on every devnet: it follows from the Safe's owners. */
const DEMO_SAFE = '0x7a1f88339bA70d46D09Cc3845B68d76A9591c0b3'

/** Finds the demo Safe among those of an account that is one of its owners: nobody else sees its queue. */
export function findDemoSafe(safes: readonly Safe[], chains: readonly Chain[]): Safe | undefined {
  return safes.find(
    ({ chainId, address, role }) =>
      address === DEMO_SAFE && role === 'owner' && chains.some((chain) => chain.chainId === chainId && chain.isDevnet),
  )
}
