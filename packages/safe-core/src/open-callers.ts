import { type Address, isAddressEqual } from 'viem'
import { deploymentAt } from './deployments.ts'

/** Multicall3, at the same address on every chain, and the one that calls by delegatecall. */
const multicalls: readonly Address[] = [
  '0xcA11bde05977b3631167028862bE2a173976CA11',
  '0x93dc480940585D9961bfcEab58124fFD3d60f76a',
]

/**
 * Whether a contract makes any call for whoever asks: what it may take, anybody may take.
 *
 * @example
 * isOpenToAll('0xcA11bde05977b3631167028862bE2a173976CA11') // true: Multicall3
 */
export function isOpenToAll(contract: Address): boolean {
  const kind = deploymentAt(contract)?.kind
  const isBatch = kind === 'multi-send' || kind === 'multi-send-call-only'
  return isBatch || multicalls.some((multicall) => isAddressEqual(multicall, contract))
}
