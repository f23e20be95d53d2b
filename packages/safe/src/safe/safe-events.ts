import {
  type AbiEvent,
  type AbiParameter,
  type Address,
  concatHex,
  decodeAbiParameters,
  encodeAbiParameters,
  getAddress,
  type Hex,
  isAddress,
  parseAbi,
  toEventSelector,
} from 'viem'

/** A log as every node gives it. */
export type EventLog = { address: Address; topics: readonly Hex[]; data: Hex }

/** Amounts in wei or in the smallest unit of the token; `operation` 0 is call, 1 delegatecall. */
type SafeEventBody =
  /** Outcome of the owners' transaction. Safe 1.1.1 and later. `payment` is the refund. */
  | { name: 'ExecutionSuccess' | 'ExecutionFailure'; safeTxHash: Hex; payment: bigint }
  /** Safe 0.1.0 and 1.0.0: a failure. These releases say nothing of a success. */
  | { name: 'ExecutionFailed'; safeTxHash: Hex }
  /** Every execution of an L2 singleton, before ExecutionSuccess or ExecutionFailure. */
  | {
      name: 'SafeMultiSigTransaction'
      to: Address
      value: bigint
      data: Hex
      operation: number
      safeTxGas: bigint
      baseGas: bigint
      gasPrice: bigint
      gasToken: Address
      refundReceiver: Address
      signatures: Hex
      /** Null when `additionalInfo` does not hold what official singletons write there. */
      execution: { nonce: bigint; executor: Address; threshold: bigint } | null
    }
  /** Every call of a module through an L2 singleton, before ExecutionFromModuleSuccess or …Failure. */
  | { name: 'SafeModuleTransaction'; module: Address; to: Address; value: bigint; data: Hex; operation: number }
  | { name: 'ExecutionFromModuleSuccess' | 'ExecutionFromModuleFailure'; module: Address }
  | { name: 'EnabledModule' | 'DisabledModule'; module: Address }
  | { name: 'AddedOwner' | 'RemovedOwner'; owner: Address }
  | { name: 'ChangedThreshold'; threshold: bigint }
  /** 1.1.1 and 1.2.0, and the migration libraries. */
  | { name: 'ChangedMasterCopy'; singleton: Address }
  | { name: 'ChangedFallbackHandler'; fallbackHandler: Address }
  | { name: 'ChangedGuard'; guard: Address }
  | { name: 'ChangedModuleGuard'; moduleGuard: Address }
  /** `hash` is a safeTxHash when the owner approves a transaction; the contract does not care what it is. */
  | { name: 'ApproveHash'; hash: Hex; owner: Address }
  | { name: 'SignMsg'; messageHash: Hex }
  | {
      name: 'SafeSetup'
      initiator: Address
      owners: readonly Address[]
      threshold: bigint
      /** Where setup ran code by delegatecall; zero for nowhere. */
      initializer: Address
      fallbackHandler: Address
    }
  | { name: 'SafeReceived'; sender: Address; value: bigint }
  /** A contract that CreateCall made, or a Safe of 0.1.0 and 1.0.0 itself. */
  | { name: 'ContractCreation'; newContract: Address }
  /** Event of a factory. The singleton is null before 1.3.0, whose event does not name it. */
  | { name: 'ProxyCreation'; proxy: Address; singleton: Address | null }
  | { name: 'ProxyCreationL2'; proxy: Address; singleton: Address; initializer: Hex; saltNonce: bigint }
  | {
      name: 'ChainSpecificProxyCreationL2'
      proxy: Address
      singleton: Address
      initializer: Hex
      saltNonce: bigint
      chainId: bigint
    }

/** An event of the Safe contracts, of any release. `address` is the contract that emitted it. */
export type SafeEvent = { address: Address } & SafeEventBody

/** Name of an event of the Safe contracts. */
export type SafeEventName = SafeEvent['name']

type EventParameter = AbiEvent['inputs'][number]

/** Every layout that was ever released. The first topic does not tell which arguments are indexed; their number does. */
const layouts = parseAbi([
  'event ExecutionSuccess(bytes32 safeTxHash, uint256 payment)',
  'event ExecutionSuccess(bytes32 indexed safeTxHash, uint256 payment)',
  'event ExecutionFailure(bytes32 safeTxHash, uint256 payment)',
  'event ExecutionFailure(bytes32 indexed safeTxHash, uint256 payment)',
  'event ExecutionFailed(bytes32 safeTxHash)',
  'event SafeMultiSigTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures, bytes additionalInfo)',
  'event SafeModuleTransaction(address module, address to, uint256 value, bytes data, uint8 operation)',
  'event ExecutionFromModuleSuccess(address indexed module)',
  'event ExecutionFromModuleFailure(address indexed module)',
  'event EnabledModule(address module)',
  'event EnabledModule(address indexed module)',
  'event DisabledModule(address module)',
  'event DisabledModule(address indexed module)',
  'event AddedOwner(address owner)',
  'event AddedOwner(address indexed owner)',
  'event RemovedOwner(address owner)',
  'event RemovedOwner(address indexed owner)',
  'event ChangedThreshold(uint256 threshold)',
  'event ChangedMasterCopy(address singleton)',
  'event ChangedFallbackHandler(address fallbackHandler)',
  'event ChangedFallbackHandler(address indexed fallbackHandler)',
  'event ChangedGuard(address guard)',
  'event ChangedGuard(address indexed guard)',
  'event ChangedModuleGuard(address indexed moduleGuard)',
  'event ApproveHash(bytes32 indexed hash, address indexed owner)',
  'event SignMsg(bytes32 indexed messageHash)',
  'event SafeSetup(address indexed initiator, address[] owners, uint256 threshold, address initializer, address fallbackHandler)',
  'event SafeReceived(address indexed sender, uint256 value)',
  'event ContractCreation(address newContract)',
  'event ContractCreation(address indexed newContract)',

  'event ProxyCreation(address proxy)',
  'event ProxyCreation(address proxy, address singleton)',
  'event ProxyCreation(address indexed proxy, address singleton)',
  'event ProxyCreationL2(address indexed proxy, address singleton, bytes initializer, uint256 saltNonce)',
  'event ChainSpecificProxyCreationL2(address indexed proxy, address singleton, bytes initializer, uint256 saltNonce, uint256 chainId)',
])

const byTopic = new Map<Hex, AbiEvent[]>()
const topicsByName = new Map<string, Set<Hex>>()
for (const layout of layouts) {
  const topic = toEventSelector(layout)
  byTopic.set(topic, [...(byTopic.get(topic) ?? []), layout])
  topicsByName.set(layout.name, (topicsByName.get(layout.name) ?? new Set()).add(topic))
}

/**
 * The first topics of an event, over all releases: what to ask `eth_getLogs` for. Only `ProxyCreation` has more than one.
 *
 * @param names - without any: of every event that {@link decodeSafeEvent} reads.
 *
 * @example
 * request({ method: 'eth_getLogs', params: [{ topics: [safeEventTopics('AddedOwner', 'RemovedOwner')] }] })
 */
export function safeEventTopics(...names: readonly SafeEventName[]): Hex[] {
  if (names.length === 0) return [...byTopic.keys()]
  return names.flatMap((name) => [...(topicsByName.get(name) ?? [])])
}

/**
 * Reads a log of a Safe, a proxy factory or a Safe library, of any release: 0.1.0 to 1.5.0, arguments in topics or in
 * data. Anybody can emit such a log: what it says holds for the contract at `address`, if that is a Safe.
 *
 * @returns null when it is none, or its data is not exactly what an official contract writes.
 *
 * @example
 * const event = decodeSafeEvent(log)
 * if (event?.name === 'AddedOwner') event.owner
 */
export function decodeSafeEvent(log: EventLog): SafeEvent | null {
  const [topic, ...indexed] = log.topics
  const candidates = topic === undefined ? undefined : byTopic.get(lowerCase(topic))
  const layout = candidates?.find(({ inputs }) => inputs.filter(isIndexed).length === indexed.length)
  if (layout === undefined || !isAddress(log.address, { strict: false })) return null
  const args = decodeArguments(layout.inputs, indexed, log.data)
  return args === null ? null : toEvent(getAddress(log.address), layout.name, args)
}

function lowerCase(hex: Hex): Hex {
  return `0x${hex.slice(2).toLowerCase()}`
}

function isIndexed(parameter: EventParameter): boolean {
  return parameter.indexed === true
}

/** Arguments by name. No official event indexes a type that only its hash would be kept of. */
function decodeArguments(
  inputs: readonly EventParameter[],
  topics: readonly Hex[],
  data: Hex,
): Record<string, unknown> | null {
  const inTopics = inputs.filter(isIndexed)
  const inData = inputs.filter((input) => !isIndexed(input))
  const fromTopics = decodeExactly(inTopics, concatHex(topics))
  const fromData = decodeExactly(inData, data)
  if (fromTopics === null || fromData === null) return null
  const values = [...fromTopics, ...fromData]
  return Object.fromEntries([...inTopics, ...inData].map(({ name }, at) => [name ?? '', values[at]]))
}

/** Only what encodes to the same bytes again: no dirty padding, no other offsets, nothing left over. */
function decodeExactly(parameters: readonly AbiParameter[], data: Hex): readonly unknown[] | null {
  if (parameters.length === 0) return data === '0x' ? [] : null
  try {
    const values: readonly unknown[] = decodeAbiParameters(parameters, data)
    return encodeAbiParameters(parameters, values) === lowerCase(data) ? values : null
  } catch {
    return null
  }
}

const additionalInfo = [{ type: 'uint256' }, { type: 'address' }, { type: 'uint256' }] as const

function toEvent(address: Address, name: string, args: Record<string, unknown>): SafeEvent {
  // The layouts carry the names and types that the union is made of; a test holds the two together.
  if (name === 'SafeMultiSigTransaction') {
    const { additionalInfo: info, ...rest } = args
    const values = decodeExactly(additionalInfo, info as Hex)
    const [nonce, executor, threshold] = values ?? []
    return { address, name, ...rest, execution: values === null ? null : { nonce, executor, threshold } } as SafeEvent
  }
  if (name === 'ProxyCreation') return { address, name, ...args, singleton: args.singleton ?? null } as SafeEvent
  return { address, name, ...args } as SafeEvent
}
