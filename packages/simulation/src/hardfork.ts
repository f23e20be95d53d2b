import type { BlockHeader } from '@countersign/safe-core'
import { type ChainConfig, Common, Holesky, Hoodi, Mainnet, Sepolia } from '@ethereumjs/common'

/** Chains whose forks the library schedules. */
const scheduled: ReadonlyMap<number, ChainConfig> = new Map(
  [Mainnet, Sepolia, Holesky, Hoodi].map((chain) => [Number(chain.chainId), chain]),
)

/** Chains whose code runs on another EVM: other precompiles, other numbers of blocks, other code altogether. */
const otherMachines: ReadonlyMap<number, string> = new Map([
  ...[42_161, 42_170, 421_614].map((chainId) => [chainId, 'Arbitrum'] as const),
  ...[324, 300, 232, 2_741, 50_104].map((chainId) => [chainId, 'ZKsync'] as const),
])

/**
 * The name of a chain's EVM where it is not Ethereum's; null otherwise. Whatever is run by Ethereum's rules for it is no
 * better than one node's word.
 */
export function otherMachineOf(chainId: number): string | null {
  return otherMachines.get(chainId) ?? null
}

/**
 * The rules at a block, by name: of the chain's own schedule where it is known; else the newest that the header allows, as
 * headers got a field with most forks. A chain that still lives by older rules is told by the cross-check, which ends
 * otherwise.
 */
export function hardforkOf(chainId: number, header: BlockHeader): string {
  const active = scheduled.get(chainId)?.hardforks.filter((fork) => forks.includes(fork.name) && hasBegun(fork, header))
  return active?.at(-1)?.name ?? newestAllowed(header)
}

function hasBegun({ block, timestamp }: ChainConfig['hardforks'][number], header: BlockHeader): boolean {
  if (timestamp !== undefined) return BigInt(timestamp) <= header.timestamp
  return block !== null && BigInt(block) <= header.number
}

function newestAllowed({ baseFeePerGas, excessBlobGas }: BlockHeader): string {
  if (baseFeePerGas === null) return 'berlin'
  return excessBlobGas === null ? 'shanghai' : 'osaka'
}

/**
 * The rules that a chain may still live by in place of these: the ones before, which its headers do not always tell apart.
 * The same where the schedule of the chain is known.
 */
export function hardforkBefore(chainId: number, hardfork: string): string {
  if (scheduled.has(chainId)) return hardfork
  return forks[forks.indexOf(hardfork) - 1] ?? hardfork
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

const forks: readonly string[] = [
  ...['chainstart', 'homestead', 'tangerineWhistle', 'spuriousDragon', 'byzantium', 'constantinople', 'petersburg'],
  ...['istanbul', 'berlin', 'london', 'paris', 'shanghai', 'cancun', 'prague', 'osaka'],
]
