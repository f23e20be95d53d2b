import { fail } from '@countersign/contract'
import {
  decodeSafeEvent,
  type RpcRequest,
  type SafeTx,
  safeAbi,
  safeEventTopics,
  safeTxHasher,
} from '@countersign/safe'
import { decodeExecTransaction } from '@countersign/safe/calls'
import { type Address, encodeFunctionData, type Hex, numberToHex } from 'viem'
import { isRefusal } from '../../rpc/errors.ts'
import type { Cost, EthereumTransaction, FeeCaps, Log } from '../../rpc/logs.ts'
import { yieldToEventLoop } from '../../rpc/yield-to-event-loop.ts'
import { confirmationsOf, type Owners, readOwnersAround, type Signed } from './signers.ts'

const SELECTOR = '6a761202'
/** The words `to`, `value`, offset of `data`, `operation`. Decoding whatever follows each selector would take minutes. */
const HEAD = /^0{24}.{40}.{64}.{64}0{63}[01]$/
const topics = new Set(safeEventTopics('ExecutionSuccess', 'ExecutionFailure', 'ExecutionFailed'))
const [detailTopic] = safeEventTopics('SafeMultiSigTransaction')
const [setupTopic] = safeEventTopics('SafeSetup')
const [thresholdTopic] = safeEventTopics('ChangedThreshold')
const moduleTopics = new Set<Hex>(safeEventTopics('ExecutionFromModuleSuccess', 'ExecutionFromModuleFailure'))
/** How far below the Safe's nonce an execution's nonce is looked for. Each try is one hash. */
const NONCE_TRIES = 1_000
/** Hashes computed altogether for one Ethereum transaction, about a quarter of a second of work. */
const HASH_TRIES = 16_000
/** Calldata that holds more is none that anybody needs read. */
const MAX_CANDIDATES = 256
const MAX_REPEATED = 8
/** Largest integer of the database. */
export const MAX_THRESHOLD = 2_147_483_647n

/** Stored facts of a Safe that matter to its executions. */
export type KnownSafe = {
  chainId: number
  address: Address
  /** Version of the official singleton; null for any other. */
  version: string | null
  domainVersion: string
  threshold: number
}

export type Execution = {
  log: Log
  safeTxHash: Hex
  isSuccessful: boolean
  /** Refunded for gas, in the gas token's smallest unit; null where no log tells. */
  payment: bigint | null
  /** Sender of the Ethereum transaction. */
  executor: Hex
  /** Null when no fields in the calldata have this hash. */
  safeTx: SafeTx | null
  confirmations: Signed[]
  /** Signatures that it carried; null when they are not known. */
  signatures: Hex | null
  /** Cost of the Ethereum transaction; null where it was not read. */
  cost: Cost | null
  /** Fee caps of its sender; null where they were not read, or its type has none. */
  feeCaps: FeeCaps | null
  /** How many confirmations its execution needed; null when that is not known. */
  threshold: number | null
  /** False for a hash that only the log of an unofficial singleton names: it may be another Safe's. */
  isProven: boolean
}

export type Candidate = { safeTx: Omit<SafeTx, 'nonce'>; signatures: Hex; nonce?: bigint; threshold?: number }

type Executed = {
  logs: readonly Log[]
  safe: KnownSafe
  call: EthereumTransaction
  /** Calls of the Safe inside the transaction, where the node traces. */
  readInner?: () => Promise<Hex[]>
  /** The threshold when an execution began, by its log and the last log of the Safe in the same Ethereum transaction before it. */
  readThreshold?: (log: Log, after: number) => Promise<number | null>
}

/** Events that L2 singletons log before they execute: read together with the execution. */
export function isDetail(log: Log): boolean {
  return log.topics[0] === detailTopic
}

export function isExecution(log: Log): boolean {
  return log.topics[0] !== undefined && topics.has(log.topics[0])
}

/**
 * Reads the executions of a Safe in one Ethereum transaction: the ten fields from the singleton's own event (L2) or
 * from the calldata, also when another contract called, or from a trace. Nothing is believed that does not hash to
 * the hash of the log.
 *
 * @param logs all that the Safe emitted in that transaction, in the order of the chain. Any contract may say that it is
 * a Safe, and emit thousands: what they have in common is worked out once.
 */
export async function readExecutions(
  request: RpcRequest,
  {
    logs,
    safe,
    call,
    cost = null,
    readInner = async () => [],
    readThreshold = async () => null,
  }: Executed & { cost?: Cost | null },
): Promise<Map<Log, Execution>> {
  const found = new Map<Log, Execution>()
  const find = createSearch(request, { logs, safe, call, readInner })
  /** All logs are of one block. */
  let owners: Owners | undefined
  for (const log of logs) {
    if (!isExecution(log)) continue
    await yieldToEventLoop()
    const event = decodeSafeEvent(log)
    if (event?.name !== 'ExecutionSuccess' && event?.name !== 'ExecutionFailure' && event?.name !== 'ExecutionFailed')
      continue
    const { safeTxHash } = event
    const chosen = await choose(log, safeTxHash)
    const match = chosen?.match
    found.set(log, {
      log,
      safeTxHash,
      isSuccessful: event.name === 'ExecutionSuccess',
      payment: event.name === 'ExecutionFailed' ? null : event.payment,
      executor: call.from,
      safeTx: match ? { ...match.safeTx, nonce: match.nonce } : null,
      confirmations: chosen?.confirmations ?? [],
      signatures: chosen?.signatures ?? null,
      cost,
      feeCaps: call,
      threshold: chosen?.threshold ?? null,
      isProven: match !== undefined || safe.version !== null,
    })
  }
  return found

  /**
   * The fields that have a hash, with the signatures that owners made of it. Who sends an execution may write the same
   * fields beside it, signed by others; and what is executed twice differs by the nonce alone, which calldata does not say.
   */
  async function choose(log: Log, safeTxHash: Hex): Promise<Chosen | null> {
    let best: (Chosen & { byOwners: number }) | null = null
    let threshold: number | null | undefined
    for await (const match of find(safeTxHash)) {
      if (threshold === undefined) threshold = match.threshold ?? (await thresholdOf(log, match.nonce))
      const signed = await confirmationsOf(safeTxHash, match.signatures, threshold ?? safe.threshold)
      const chosen = { match, threshold, confirmations: signed, signatures: match.signatures }
      // The Safe itself says so, or nobody knows what this code makes of signatures.
      if (match.isTold || safe.version === null) return chosen
      if (signed.length > 0) owners ??= await readOwnersAround(request, safe.address, log.blockNumber)
      const byOwners = signed.filter(({ owner }) => owners?.addresses.has(owner))
      if (signed.length > 0 && byOwners.length === signed.length) return chosen
      if (best && best.byOwners >= byOwners.length) continue
      best = { ...chosen, byOwners: byOwners.length }
      if (!owners || owners.isOfBlock)
        best = { ...best, confirmations: byOwners, signatures: byOwners.length > 0 ? match.signatures : null }
    }
    return best
  }

  async function thresholdOf(log: Log, nonce: bigint): Promise<number | null> {
    const after = beginOf(log, nonce, logs, found)
    return after === null ? null : readThreshold(log, after)
  }
}

/**
 * The place after which an execution began, in its Ethereum transaction: what ended before it with a lower nonce was over,
 * with a higher one was inside. Null where a module changed the threshold in between: before it or inside, nobody can tell.
 */
function beginOf(
  { logIndex }: Log,
  nonce: bigint,
  logs: readonly Log[],
  executions: ReadonlyMap<Log, Execution>,
): number | null {
  let begin = -1
  let isChanged = false
  for (const log of logs) {
    if (log.logIndex >= logIndex) break
    const [topic] = log.topics
    const ended = executions.get(log)?.safeTx
    if (topic === setupTopic || (ended && ended.nonce < nonce)) {
      begin = log.logIndex
      isChanged = false
    } else if (topic === thresholdTopic) isChanged = true
    else if (isChanged && topic && moduleTopics.has(topic)) return null
  }
  return begin
}

async function* candidatesFromEvents(logs: readonly Log[]): AsyncGenerator<Candidate & { nonce: bigint }> {
  for (const log of logs) {
    if (!isDetail(log)) continue
    await yieldToEventLoop()
    const event = decodeSafeEvent(log)
    if (event?.name !== 'SafeMultiSigTransaction') continue
    const { name, address, execution, signatures, operation, ...rest } = event
    if (execution === null || (operation !== 0 && operation !== 1)) continue
    const { nonce, threshold } = execution
    // A real threshold is no more than there are owners.
    const known = threshold <= MAX_THRESHOLD ? { threshold: Number(threshold) } : {}
    yield { safeTx: { ...rest, operation }, signatures, nonce, ...known }
  }
}

/** Wherever in the calldata an `execTransaction` may begin: relayers and other Safes wrap it. */
export async function* candidatesFromCalldata(input: Hex): AsyncGenerator<Candidate> {
  let tries = 0
  // Nested in one another a few times they say the same bytes again; made up ones could say them a thousand times.
  let left = MAX_REPEATED * input.length
  for (let at = input.indexOf(SELECTOR); at >= 0 && tries < MAX_CANDIDATES; at = input.indexOf(SELECTOR, at + 1)) {
    if (at % 2 !== 0 || !HEAD.test(input.slice(at + 8, at + 8 + 256))) continue
    tries += 1
    await yieldToEventLoop()
    const decoded = decodeExecTransaction(`0x${input.slice(at)}`)
    if (!decoded) continue
    left -= decoded.safeTx.data.length + decoded.signatures.length
    if (left < 0) return
    yield decoded
  }
}

/** `isTold`: by an event of the Safe, with the nonce and the signatures that it checked. */
type Match = Candidate & { nonce: bigint; isTold?: true }
type Chosen = Pick<Execution, 'threshold' | 'confirmations' | 'signatures'> & { match: Match }

/** Looks for the fields that have a hash, in each place where they are. What one search computed the next one knows. */
function createSearch(
  request: RpcRequest,
  { logs, safe, call, readInner }: Required<Omit<Executed, 'readThreshold'>>,
): (safeTxHash: Hex) => AsyncGenerator<Match> {
  const known = new Map<Hex, Match[]>()

  /**
   * Hashes of the events, which say the nonce, then of the calldata, then of calls that a contract made up on the
   * way. Lazily: for most executions the first hash matches.
   */
  async function* hashes(): AsyncGenerator<[Hex, Match]> {
    for (const version of versionsOf(safe))
      for await (const candidate of candidatesFromEvents(logs))
        yield [hasherOf(safe, candidate, version)(candidate.nonce), { ...candidate, isTold: true }]
    yield* hashesOf([call.input])
    // Mere imitations of a Safe are not traced.
    if (safe.version !== null) yield* hashesOf(await readInner())
  }

  /** By nonce, from the highest possible down. */
  async function* hashesOf(inputs: readonly Hex[]): AsyncGenerator<[Hex, Match]> {
    const hashers: [Candidate, (nonce: bigint) => Hex][] = []
    for (const input of inputs.slice(0, MAX_CANDIDATES))
      for await (const candidate of candidatesFromCalldata(input))
        for (const hashAt of hashersOf(safe, candidate)) hashers.push([candidate, hashAt])
    const blockNumber = logs[0]?.blockNumber
    if (hashers.length === 0 || blockNumber === undefined) return
    const highest = await nonceAt(request, safe.address, blockNumber)
    const tries = BigInt(Math.min(NONCE_TRIES, Math.ceil(HASH_TRIES / hashers.length)))
    for (let nonce = highest; nonce >= 0n && highest - nonce < tries; nonce -= 1n)
      for (const [candidate, hashAt] of hashers) {
        await yieldToEventLoop()
        yield [hashAt(nonce), { ...candidate, nonce }]
      }
  }
  const rest = hashes()
  return async function* (safeTxHash) {
    for (let at = 0; ; at += 1) {
      while (!known.get(safeTxHash)?.[at]) {
        const next = await rest.next()
        if (next.done) return
        const [hash, match] = next.value
        const same = known.get(hash)
        if (same) same.push(match)
        else known.set(hash, [match])
      }
      const match = known.get(safeTxHash)?.[at]
      if (match) yield match
    }
  }
}

/** The Safe may have been another version then; only the border at 1.3.0 matters to the hash. */
function versionsOf({ domainVersion }: KnownSafe): string[] {
  return [...new Set([domainVersion, '1.4.1', '1.1.1'])]
}

function hasherOf({ chainId, address: safeAddress }: KnownSafe, { safeTx }: Candidate, version: string) {
  return safeTxHasher({ chainId, safeAddress, version, safeTx })
}

/** Each hash once. */
function hashersOf(safe: KnownSafe, candidate: Candidate) {
  const all = versionsOf(safe).map((version) => hasherOf(safe, candidate, version))
  const first = all.map((hashAt) => hashAt(0n))
  return all.filter((_, at) => first.indexOf(first[at] ?? '0x') === at)
}

/** Nodes without old state refuse; then the newest nonce is where the search begins. */
async function nonceAt(request: RpcRequest, address: Address, blockNumber: number): Promise<bigint> {
  const data = encodeFunctionData({ abi: safeAbi, functionName: 'nonce' })
  const ask = (block: string) => request({ method: 'eth_call', params: [{ to: address, data }, block] })
  const answer = await ask(numberToHex(blockNumber)).catch((error: unknown) => {
    if (isRefusal(error)) return ask('latest')
    throw error
  })
  if (typeof answer === 'string' && answer.length === 66) return BigInt(answer)
  throw fail('RPC_ERROR', { reason: 'nonce', value: String(answer).slice(0, 80) })
}
