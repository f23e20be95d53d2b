import type { BlockHeader } from '@countersign/safe-core'
import { type ChainConfig, Common } from '@ethereumjs/common'

/**
 * The newest rules that the header allows: headers got a field with most forks. A chain that still lives by older rules
 * is told by the cross-check, which ends otherwise.
 */
export function hardforkOf({ baseFeePerGas, excessBlobGas }: BlockHeader): string {
  if (baseFeePerGas === null) return 'berlin'
  return excessBlobGas === null ? 'shanghai' : 'osaka'
}

/** Rules of a chain for the EVM. Its forks are not scheduled here: one is chosen, by name. */
export function rulesOf(chainId: number, hardfork: string): Common {
  const chain: ChainConfig = {
    name: `chain ${chainId}`,
    chainId,
    genesis: { gasLimit: 0, difficulty: 0, nonce: '0x00', extraData: '0x' },
    hardforks: forks.map((name) => ({ name, block: 0 })),
    bootstrapNodes: [],
    consensus: { type: 'pos', algorithm: 'casper', casper: {} },
  }
  const rules = new Common({ chain, hardfork })
  // The library looks through a list, several times for each opcode. The fork of a run never changes.
  const active = new Set(Array.from({ length: MAX_EIP }, (_, eip) => eip).filter((eip) => rules.isActivatedEIP(eip)))
  rules.isActivatedEIP = (eip) => active.has(eip)
  return rules
}

const MAX_EIP = 10_000

const forks = [
  ...['chainstart', 'homestead', 'tangerineWhistle', 'spuriousDragon', 'byzantium', 'constantinople', 'petersburg'],
  ...['istanbul', 'berlin', 'london', 'paris', 'shanghai', 'cancun', 'prague', 'osaka'],
]
