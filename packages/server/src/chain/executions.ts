import {
  CountersignError,
  decodeExecTransaction,
  decodeSafeEvent,
  hashSafeTx,
  type RpcRequest,
  type SafeTx,
  type SignatureType,
  safeAbi,
  safeEventTopics,
} from '@countersign/safe-core'
import { type Address, encodeFunctionData, getAddress, type Hex, numberToHex } from 'viem'
import { isRefusal } from './errors.ts'
import type { EthereumTransaction, Log } from './logs.ts'
import { recoverConfirmationOwner } from './recover.ts'

const SELECTOR = '6a761202'
/** The words `to`, `value`, offset of `data`, `operation`. Decoding whatever follows each selector would take minutes. */
const HEAD = /^0{24}.{40}.{64}.{64}0{63}[01]$/
const topics = new Set(safeEventTopics('ExecutionSuccess', 'ExecutionFailure', 'ExecutionFailed'))
/** How far below the Safe's nonce an execution's nonce is looked for. Each try is one hash. */
const NONCE_TRIES = 1_000

/** What is kept of a Safe and matters to its executions. */
export type KnownSafe = {
  chainId: number
  address: Address
  /** Of the official singleton; null when it is none. */
  version: string | null
  domainVersion: string
  threshold: number
}

export type Execution = {
  log: Log
  safeTxHash: Hex
  isSuccessful: boolean
  /** Refunded for gas, in the gas token's smallest unit. */
  payment: bigint
  /** Who sent the Ethereum transaction. */
  executor: Hex
  /** Null when no fields in the calldata have this hash. */
  safeTx: SafeTx | null
  confirmations: { owner: Address; signature: Hex; signatureType: SignatureType }[]
  /** How many confirmations its execution needed; null when that is not known. */
  threshold: number | null
  /** False for a hash that only the log of an unofficial singleton names: it may be another Safe's. */
  isProven: boolean
}

export type Candidate = { safeTx: Omit<SafeTx, 'nonce'>; signatures: Hex; nonce?: bigint; threshold?: number }

export function isExecution(log: Log): boolean {
  return log.topics[0] !== undefined && topics.has(log.topics[0])
}

/**
 * What was executed: its ten fields from the singleton's own event (L2) or from the calldata, also when another
 * contract called. Nothing is believed that does not hash to the hash of the log.
 *
 * @returns null when the log is not what an official singleton writes.
 *
 * @param logs all logs of the Ethereum transaction that are about Safes known here
 */
export async function readExecution(
  request: RpcRequest,
  { log, logs, safe, call }: { log: Log; logs: readonly Log[]; safe: KnownSafe; call: EthereumTransaction },
): Promise<Execution | null> {
  const event = decodeSafeEvent(log)
  if (event?.name !== 'ExecutionSuccess' && event?.name !== 'ExecutionFailure' && event?.name !== 'ExecutionFailed')
    return null
  const { safeTxHash } = event
  const candidates = [...candidatesFromEvents(log, logs), ...candidatesFromCalldata(call.input)]
  const found = await match(request, { log, safe, safeTxHash, candidates })
  return {
    log,
    safeTxHash,
    isSuccessful: event.name === 'ExecutionSuccess',
    payment: event.name === 'ExecutionFailed' ? 0n : event.payment,
    executor: call.from,
    safeTx: found && { ...found.safeTx, nonce: found.nonce },
    confirmations: found ? await confirmationsOf(safeTxHash, found.signatures, found.threshold ?? safe.threshold) : [],
    threshold: found?.threshold ?? null,
    isProven: found !== null || safe.version !== null,
  }
}

function* candidatesFromEvents(log: Log, logs: readonly Log[]): Generator<Candidate> {
  for (const other of logs) {
    if (other.address !== log.address || other.logIndex >= log.logIndex) continue
    const event = decodeSafeEvent(other)
    if (event?.name !== 'SafeMultiSigTransaction') continue
    const { name, address, execution, signatures, operation, ...rest } = event
    if (execution === null || (operation !== 0 && operation !== 1)) continue
    yield {
      safeTx: { ...rest, operation },
      signatures,
      nonce: execution.nonce,
      threshold: Number(execution.threshold),
    }
  }
}

/** Wherever in the calldata an `execTransaction` may begin: relayers and other Safes wrap it. */
export function* candidatesFromCalldata(input: Hex): Generator<Candidate> {
  for (let at = input.indexOf(SELECTOR); at >= 0; at = input.indexOf(SELECTOR, at + 1)) {
    if (at % 2 !== 0 || !HEAD.test(input.slice(at + 8, at + 8 + 256))) continue
    const decoded = decodeExecTransaction(`0x${input.slice(at)}`)
    if (decoded) yield decoded
  }
}

async function match(
  request: RpcRequest,
  { log, safe, safeTxHash, candidates }: { log: Log; safe: KnownSafe; safeTxHash: Hex; candidates: Candidate[] },
): Promise<(Candidate & { nonce: bigint }) | null> {
  // The Safe may have been another version then; only the border at 1.3.0 matters to the hash.
  const versions = [...new Set([safe.domainVersion, '1.4.1', '1.1.1'])]
  const { chainId, address: safeAddress } = safe
  const hasHash = (candidate: Candidate, nonce: bigint) =>
    versions.some(
      (version) =>
        hashSafeTx({ chainId, safeAddress, version, safeTx: { ...candidate.safeTx, nonce } }).safeTxHash === safeTxHash,
    )
  for (const candidate of candidates)
    if (candidate.nonce !== undefined && hasHash(candidate, candidate.nonce))
      return { ...candidate, nonce: candidate.nonce }
  if (candidates.length === 0) return null
  const highest = await nonceAt(request, safeAddress, log.blockNumber)
  for (let nonce = highest; nonce >= 0n && highest - nonce < NONCE_TRIES; nonce -= 1n)
    for (const candidate of candidates) if (hasHash(candidate, nonce)) return { ...candidate, nonce }
  return null
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
  throw new CountersignError('RPC_ERROR', `The node answered \`${String(answer).slice(0, 80)}\` as a nonce.`)
}

/** The contract checks as many as the threshold says; whatever follows is nobody's word. */
export async function confirmationsOf(
  safeTxHash: Hex,
  signatures: Hex,
  threshold: number,
): Promise<Execution['confirmations']> {
  const found: Execution['confirmations'] = []
  for (let at = 0; at < threshold; at += 1) {
    const part = signatures.slice(2 + at * 130, 2 + (at + 1) * 130)
    if (part.length < 130) break
    const signature: Hex = `0x${part}`
    if (part.endsWith('01'))
      found.push({ owner: getAddress(`0x${part.slice(24, 64)}`), signature, signatureType: 'APPROVED_HASH' })
    else if (!part.endsWith('00'))
      await recoverConfirmationOwner(safeTxHash, signature).then(
        (confirmation) => found.push(confirmation),
        () => {},
      )
  }
  return found
}
