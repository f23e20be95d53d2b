import { type BlockHeader, otherMachine } from '@countersign/review'
import { type ChainConfig, Common, Holesky, Hoodi, Mainnet, Sepolia } from '@ethereumjs/common'

/** Chains whose forks the library schedules. */
const scheduled: ReadonlyMap<number, ChainConfig> = new Map(
  [Mainnet, Sepolia, Holesky, Hoodi].map((chain) => [Number(chain.chainId), chain]),
)

/** Chains whose code runs on another EVM: other precompiles, other numbers of blocks. */
const otherEvms: ReadonlyMap<number, string> = new Map(
  [42_161, 42_170, 421_614].map((chainId) => [chainId, 'Arbitrum']),
)

/**
 * The name of a chain's EVM where it is not the one of this library; null otherwise: another chain's own, or rules of a fork
 * to come, which the fields of the header tell. Whatever is run for it is no better than one node's word. Where it is no EVM at
 * all (ZKsync) nothing is run.
 */
export function otherMachineOf(chainId: number, { fork }: Pick<BlockHeader, 'fork'>): string | null {
  return otherMachine(chainId) ?? otherEvms.get(chainId) ?? (fork === 'amsterdam' ? 'Amsterdam' : null)
}

/** Rules by which a chain may live: those that its transactions are run by, and older ones, which it cannot be told from. */
export type Rules = { hardfork: string; older: readonly string[] }

/**
 * The rules at a block, by name: of the chain's own schedule where it is known. Else they are the newest, for headers got a
 * field with most forks, and some chains take the rules without the fields (Polygon, Scroll); what older ones would
 * change is looked at as well. A chain that lives by others is told by the cross-check, which ends otherwise.
 */
export function rulesAt(chainId: number, header: BlockHeader): Rules {
  const active = scheduled.get(chainId)?.hardforks.filter((fork) => forks.includes(fork.name) && hasBegun(fork, header))
  const last = active?.at(-1)?.name
  return last === undefined ? rulesByFields[header.fork] : { hardfork: last, older: [] }
}

const rulesByFields: Record<BlockHeader['fork'], Rules> = {
  frontier: { hardfork: 'berlin', older: ['istanbul'] },
  london: { hardfork: 'osaka', older: ['prague', 'shanghai'] },
  shanghai: { hardfork: 'osaka', older: ['prague', 'shanghai'] },
  cancun: { hardfork: 'osaka', older: ['prague', 'cancun'] },
  prague: { hardfork: 'osaka', older: ['prague'] },
  amsterdam: { hardfork: 'osaka', older: ['prague'] },
}

function hasBegun({ block, timestamp }: ChainConfig['hardforks'][number], header: BlockHeader): boolean {
  if (timestamp !== undefined) return BigInt(timestamp) <= header.timestamp
  return block !== null && BigInt(block) <= header.number
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

/**
 * By how much the price of blobs follows their number (EIP-4844, EIP-7691). The library has it among the rules of blocks, which
 * an EVM does not know, and there for later forks alone.
 */
export function blobFractionOf(rules: Common): bigint {
  const [, fraction] = blobFractions.find(([fork]) => rules.gteHardfork(fork)) ?? [null, FIRST_BLOB_FRACTION]
  return fraction
}

const FIRST_BLOB_FRACTION = 3_338_477n
const blobFractions = [
  ['bpo2', 11_684_671n],
  ['bpo1', 8_346_193n],
  ['prague', 5_007_716n],
] as const

const MAX_EIP = 10_000

const forks: readonly string[] = [
  'chainstart',
  'homestead',
  'tangerineWhistle',
  'spuriousDragon',
  'byzantium',
  'constantinople',
  'petersburg',
  'istanbul',
  'berlin',
  'london',
  'paris',
  'shanghai',
  'cancun',
  'prague',
  'osaka',
  // They change the price of blobs alone, which code can see.
  'bpo1',
  'bpo2',
]
