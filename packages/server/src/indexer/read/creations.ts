import { type EntryKind, fail } from '@countersign/contract'
import {
  decodeSafeEvent,
  deploymentAt,
  lookupDeployment,
  officialDeployments,
  officialProxyVersion,
  officialSingleton,
  type RpcRequest,
  safeEventTopics,
} from '@countersign/safe'
import { getAddress, type Hex, isHex, keccak256, padHex } from 'viem'
import {
  changed,
  isForLackOfAddress,
  type Log,
  type LogRange,
  type LogRequest,
  lowerCase,
  readLogsInRange,
  readReceipt,
} from '../../rpc/logs.ts'

const topics = safeEventTopics('SafeSetup', 'ProxyCreation', 'ProxyCreationL2', 'ChainSpecificProxyCreationL2')
/** Contracts whose code is asked for at once: as many fit into one batch with their singletons. */
const AT_ONCE = 50

/** A contract whose own code is an official proxy's, in front of an official singleton. */
export type NewSafe = {
  address: Hex
  version: string
  /** Threshold of its set-up; 0 when it was not seen. */
  threshold: number
  /** The block whose logs prove that it was created there; null when it is older than what told of it. */
  createdBlock: number | null
}

/** Facts of a creation. */
export type Creation = {
  kind: Extract<EntryKind, 'created'>
  safeAddress: Hex
  /** The account that sent the transaction. */
  creator: Hex
  /** The official factory, if one it was. */
  factory: Hex | null
  /** Singleton named by that factory: factories before 1.3.0 name none. */
  singleton: Hex | null
  threshold: number | null
}

/** Official factories of every release. */
const factories: readonly Hex[] = [
  ...new Set(
    officialDeployments()
      .filter(({ kind }) => kind === 'factory')
      .map(({ address }) => lowerCase(address)),
  ),
]

/**
 * Reads the logs of a range of blocks that say that a Safe was created, of whatever contract: anybody can emit these. Where
 * no node answers a query that names no contract, those of official factories alone.
 */
export async function readCreationLogs(request: LogRequest, range: LogRange, needsAddress: boolean): Promise<Log[]> {
  if (!needsAddress)
    try {
      return await readLogsInRange(request, [{ topics: [topics] }], range)
    } catch (error) {
      if (!isForLackOfAddress(error)) throw error
    }
  return readLogsInRange(request, [{ address: factories, topics: [topics] }], range)
}

/**
 * The logs that may tell of the creation of one Safe: its own, and those of factories. `isNamed`: only those that name it
 * in a topic, as factories do since 1.4.1.
 */
export function readCreationLogsOf(
  request: LogRequest,
  { safe, isNamed }: { safe: Hex; isNamed: boolean },
  range: LogRange,
): Promise<Log[]> {
  const [setup, ...creations] = topics
  const filters = isNamed
    ? [{ address: factories, topics: [creations, padHex(safe)] }]
    : [{ address: [safe, ...factories], topics: [[setup, ...creations]] }]
  return readLogsInRange(request, filters, range)
}

/** Whether a log tells of the creation or the set-up of a Safe. */
export function namesSafe(log: Log, safe: Hex): boolean {
  return namedBy(log)?.safeAddress === safe
}

/** Tells created Safes from what only says so. Codes of official contracts are asked for once. */
export function createCreationReader(request: RpcRequest) {
  /** By address and block of the question: code of official addresses alone, which never changes once it is there. */
  const official = new Map<Hex, Hex>()

  async function codeHash(address: Hex, at: Hex | 'latest'): Promise<Hex> {
    const known = official.get(address)
    if (known) return known
    const code = await request({ method: 'eth_getCode', params: [address, at] })
    const hash = keccak256(parseHex(code))
    if (deploymentAt(getAddress(address))?.codeHash === hash) official.set(address, hash)
    return hash
  }

  async function isFactory(address: Hex, at: Hex | 'latest'): Promise<boolean> {
    const place = getAddress(address)
    if (deploymentAt(place)?.kind !== 'factory') return false
    return lookupDeployment(place, await codeHash(address, at))?.kind === 'factory'
  }

  /** The version of the Safe, when proxy and singleton are both official. */
  async function versionOf(address: Hex, at: Hex | 'latest'): Promise<string | null> {
    const [code, word] = await Promise.all([
      request({ method: 'eth_getCode', params: [address, at] }),
      request({ method: 'eth_getStorageAt', params: [address, '0x0', at] }),
    ])
    if (officialProxyVersion(parseHex(code)) === null) return null
    const singleton: Hex = `0x${BigInt(parseHex(word)).toString(16).padStart(40, '0').slice(-40)}`
    if (deploymentAt(getAddress(singleton)) === null) return null
    return officialSingleton(getAddress(singleton), await codeHash(singleton, at))?.version ?? null
  }

  /** The Safes among the contracts that some logs name, without those that are known. */
  async function findSafes(
    logs: readonly Log[],
    isKnown: (address: Hex) => boolean,
    at: Hex | 'latest',
  ): Promise<NewSafe[]> {
    const candidates = new Map<Hex, { threshold: number; createdBlock: number | null }>()
    for (const log of logs) {
      const named = namedBy(log)
      if (!named || isKnown(named.safeAddress)) continue
      const { threshold, createdBlock } = candidates.get(named.safeAddress) ?? { threshold: 0, createdBlock: null }
      // A contract says of itself that it was set up; of others only a factory is believed.
      const isProof = named.threshold !== null || (await isFactory(log.address, at))
      candidates.set(named.safeAddress, {
        threshold: named.threshold ?? threshold,
        createdBlock: createdBlock ?? (isProof ? log.blockNumber : null),
      })
    }
    const found: NewSafe[] = []
    const list = [...candidates]
    for (let from = 0; from < list.length; from += AT_ONCE) {
      const some = list.slice(from, from + AT_ONCE)
      const versions = await Promise.all(some.map(([address]) => versionOf(address, at)))
      for (const [index, [address, rest]] of some.entries()) {
        const version = versions[index]
        if (version) found.push({ address, version, ...rest })
      }
    }
    return found
  }

  /** Reads the creations of some Safes, by the log that shows each. */
  async function readCreations(logs: readonly Log[], safes: ReadonlySet<Hex>): Promise<Map<Log, Creation>> {
    const found = new Map<Log, Creation>()
    const telling: { log: Log; safeAddress: Hex; threshold: number | null }[] = []
    for (const log of logs) {
      const named = namedBy(log)
      if (!named || !safes.has(named.safeAddress)) continue
      if (named.threshold !== null || (await isFactory(log.address, 'latest'))) telling.push({ log, ...named })
    }
    const transactions = new Map<Hex, ReturnType<typeof readTransaction>>()
    for (let from = 0; from < telling.length; from += AT_ONCE)
      await Promise.all(
        telling.slice(from, from + AT_ONCE).map(async ({ log, safeAddress, threshold }) => {
          const pending = transactions.get(log.transactionHash) ?? readTransaction(log)
          transactions.set(log.transactionHash, pending)
          const { creator, isSetUp, factories } = await pending
          // Releases before 1.3.0 say nothing when they are set up: of them the factory tells.
          if (threshold === null && isSetUp.has(safeAddress)) return
          const proof = factories.get(safeAddress)
          if (threshold === null && proof?.log.logIndex !== log.logIndex) return
          found.set(log, {
            kind: 'created',
            safeAddress,
            creator,
            factory: proof?.log.address ?? null,
            singleton: proof?.singleton ?? null,
            threshold,
          })
        }),
      )
    return found
  }

  /** All that an Ethereum transaction says of creations. */
  async function readTransaction({ transactionHash, blockHash, blockNumber }: Log) {
    const receipt = await readReceipt(request, transactionHash)
    if (receipt.blockHash !== blockHash) throw changed(blockNumber)
    const isSetUp = new Set<Hex>()
    const factories = new Map<Hex, { log: Log; singleton: Hex | null }>()
    for (const log of receipt.logs) {
      const named = namedBy(log)
      if (!named) continue
      const { safeAddress, threshold, singleton } = named
      if (threshold !== null) isSetUp.add(safeAddress)
      else if (!factories.has(safeAddress) && (await isFactory(log.address, 'latest')))
        factories.set(safeAddress, { log, singleton })
    }
    return { creator: receipt.from, isSetUp, factories }
  }

  return { findSafes, readCreations }
}

/** A Safe that a node's strange answer hides now would never be found again. */
function parseHex(answer: unknown): Hex {
  if (isHex(answer)) return answer
  throw fail('RPC_ERROR', { reason: 'hex', value: String(answer).slice(0, 80) })
}

/** The contract that a log says was created, or set up. The threshold is null when the log is a factory's. */
function namedBy(log: Log): { safeAddress: Hex; threshold: number | null; singleton: Hex | null } | null {
  if (!log.topics[0] || !topics.includes(log.topics[0])) return null
  const event = decodeSafeEvent(log)
  if (event?.name === 'SafeSetup')
    return {
      safeAddress: log.address,
      threshold: event.threshold <= BigInt(event.owners.length) ? Number(event.threshold) : 0,
      singleton: null,
    }
  if (
    event?.name === 'ProxyCreation' ||
    event?.name === 'ProxyCreationL2' ||
    event?.name === 'ChainSpecificProxyCreationL2'
  )
    return {
      safeAddress: lowerCase(event.proxy),
      threshold: null,
      singleton: event.singleton && lowerCase(event.singleton),
    }
  return null
}
