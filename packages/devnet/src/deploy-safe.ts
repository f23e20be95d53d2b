import { fail } from '@countersign/contract'
import { encodeCreateProxy, predictSafeAddress } from '@countersign/safe'
import type { Address } from 'viem'
import { demoAccounts } from './accounts.ts'
import type { SafeVersion } from './canonical-contracts.ts'
import { readCodes, sendAll } from './node-client.ts'

/** A slot for each owner, and the bytes that bring it. */
const GAS_OF_OWNER = 40_000n

type SafeToDeploy = {
  version: SafeVersion
  /** The variant that also writes events for transactions; the default. */
  l2?: boolean
  owners: readonly Address[]
  threshold: number
  saltNonce: bigint
}

export type DeploySafeOptions = SafeToDeploy & {
  rpcUrl: string
  chainId: number
  /** An unlocked account of the node that pays; the last of anvil's by default. */
  sender?: Address
}

/** Where a Safe will be, or is: the address follows from its setup. */
export function safeAddressOf(safe: SafeToDeploy): Address {
  return predictSafeAddress(newSafe(safe))
}

/**
 * Creates a Safe through the official proxy factory of its version. The same arguments give the same Safe: if it is
 * there already, nothing is sent.
 */
export async function deploySafe({
  rpcUrl,
  sender = demoAccounts[9].address,
  ...safe
}: DeploySafeOptions): Promise<Address> {
  const address = safeAddressOf(safe)
  if (await hasCode(rpcUrl, address)) return address
  await sendAll(rpcUrl, sender, [
    { ...encodeCreateProxy(newSafe(safe)), gas: 1_000_000n + GAS_OF_OWNER * BigInt(safe.owners.length) },
  ])
  if (await hasCode(rpcUrl, address)) return address
  throw fail('INTERNAL', { reason: 'devnet-safe', version: safe.version, address })
}

async function hasCode(rpcUrl: string, address: Address): Promise<boolean> {
  const [code] = await readCodes(rpcUrl, [address])
  return code !== '0x'
}

function newSafe({ version, l2: isL2 = true, owners, threshold, saltNonce }: SafeToDeploy) {
  return { version, isL2, owners, threshold, saltNonce }
}
