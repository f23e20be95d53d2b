import { deploymentAt } from '@countersign/safe'
import type { Address } from 'viem'

/** Multicall3, at the same address on every chain, and the one that calls by delegatecall. */
const multicalls: ReadonlySet<string> = new Set([
  '0xca11bde05977b3631167028862be2a173976ca11',
  '0x93dc480940585d9961bfceab58124ffd3d60f76a',
])

/**
 * Whether a contract makes any call for whoever asks: what it may take, anybody may take.
 *
 * @example
 * isOpenToAll('0xcA11bde05977b3631167028862bE2a173976CA11') // true: Multicall3
 */
export function isOpenToAll(contract: Address): boolean {
  const kind = deploymentAt(contract)?.kind
  const isBatch = kind === 'multi-send' || kind === 'multi-send-call-only'
  return isBatch || multicalls.has(contract.toLowerCase())
}
