import { knownChains } from './known-chains.data.ts'

/** Facts about a public chain, of the list that comes with viem. */
export type KnownChain = (typeof knownChains)[string]

/** Finds the public chain of a number; null: the list has none. */
export function findKnownChain(chainId: number): KnownChain | null {
  return Object.hasOwn(knownChains, chainId) ? (knownChains[chainId] ?? null) : null
}
