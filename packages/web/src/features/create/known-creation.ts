import { decodeSafeCreation, predictProxyAddress, type SafeCreation } from '@countersign/safe'
import { describeCall, flattenCalls } from '@countersign/safe/calls'
import { type Address, getAddress, type Hex, isAddress, isHex } from 'viem'
import { chainRequest } from '../../api/chain-client.ts'
import type { PlannedSafe } from './creation-draft.ts'

/** A creation of the past, or why it cannot be repeated on another chain. */
export type KnownCreation = Omit<PlannedSafe, 'chainIds'> | 'unknown' | 'none' | 'one-chain'

/**
 * Reads how a Safe was created, so that the same bytes create it elsewhere.
 *
 * @returns `unknown`: the node does not know the transaction; `none`: no call in it is a creation that can be read;
 * `one-chain`: the address depends on the chain, or on what the factory did before
 */
export async function readKnownCreation(chainId: number, transactionHash: Hex): Promise<KnownCreation> {
  const answer = await chainRequest(chainId)({ method: 'eth_getTransactionByHash', params: [transactionHash] })
  const { to, input } = (answer ?? {}) as { to?: unknown; input?: unknown }
  if (typeof to !== 'string' || !isAddress(to, { strict: false }) || !isHex(input)) return 'unknown'
  return knownCreation(getAddress(to), input)
}

/** The creation in a call, or in a call that it makes: Safes, and relayers that use MultiSend, create by an inner one. */
export function knownCreation(to: Address, data: Hex): KnownCreation {
  const calls = flattenCalls(describeCall({ safeAddress: to, to, value: 0n, data, operation: 0 }))
  for (const call of calls) {
    const creation = decodeSafeCreation(call)
    if (creation?.factory) return toPlanned(call, creation)
  }
  return 'none'
}

function toPlanned({ to, data }: { to: Address; data: Hex }, creation: SafeCreation): KnownCreation {
  const { factory, setup } = creation
  if (factory === null || setup === null) return 'none'
  const [safeAddress, elsewhere] = [1, 2].map((chainId) => predictProxyAddress({ creation, factory, chainId }))
  if (!safeAddress || safeAddress !== elsewhere) return 'one-chain'
  const { owners, threshold } = setup
  return { safeAddress, factory: to, data, owners, threshold, name: '', names: [] }
}
