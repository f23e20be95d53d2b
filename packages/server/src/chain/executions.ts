import {
  CountersignError,
  decodeExecTransaction,
  decodeSafeEvent,
  domainVersion,
  hashSafeTx,
  type RpcRequest,
  type SafeEvent,
  type SafeState,
  type SafeTx,
  type SignatureType,
  safeAbi,
} from '@countersign/safe-core'
import { type Address, encodeFunctionData, getAddress, type Hex, numberToHex } from 'viem'
import type { EthereumTransaction, SafeLog } from './logs.ts'
import { recoverConfirmationOwner } from './recover.ts'

const SELECTOR = '6a761202'
/** How far below the Safe's nonce an execution's nonce is looked for. Each try is one hash. */
const NONCE_TRIES = 1_000

export type Execution = {
  log: SafeLog
  safeTxHash: Hex
  isSuccessful: boolean
  /** Null when no fields in the calldata have this hash. */
  safeTx: SafeTx | null
  confirmations: { owner: Address; signature: Hex; signatureType: SignatureType }[]
  /** How many confirmations its execution needed; null when that is not known. */
  threshold: number | null
}

type Candidate = { safeTx: Omit<SafeTx, 'nonce'>; signatures: Hex; nonce?: bigint; threshold?: number }

type Outcome = Extract<SafeEvent, { name: 'ExecutionSuccess' | 'ExecutionFailure' | 'ExecutionFailed' }>

function readOutcome(log: SafeLog): Outcome | null {
  const event = decodeSafeEvent(log)
  switch (event?.name) {
    case 'ExecutionSuccess':
    case 'ExecutionFailure':
    case 'ExecutionFailed':
      return event
    default:
      return null
  }
}

export function isExecution(log: SafeLog): boolean {
  return readOutcome(log) !== null
}

/**
 * What was executed: its ten fields from the singleton's own event (L2) or from the calldata, also when another
 * contract called. Nothing is believed that does not hash to the hash of the log.
 */
export async function readExecution(
  request: RpcRequest,
  {
    log,
    logs,
    state,
    call,
  }: { log: SafeLog; logs: readonly SafeLog[]; state: SafeState; call: EthereumTransaction | null },
): Promise<Execution> {
  const outcome = readOutcome(log)
  if (!outcome) throw new CountersignError('INTERNAL', 'This log is not of an execution.')
  const { safeTxHash } = outcome
  const candidates = [...candidatesFromEvents(log, logs), ...candidatesFromCalldata(call?.input ?? '0x')]
  const found = await match(request, { log, state, safeTxHash, candidates })
  return {
    log,
    safeTxHash,
    isSuccessful: outcome.name === 'ExecutionSuccess',
    safeTx: found && { ...found.safeTx, nonce: found.nonce },
    confirmations: found ? await confirmationsOf(safeTxHash, found.signatures, found.threshold ?? state.threshold) : [],
    threshold: found?.threshold ?? null,
  }
}

function* candidatesFromEvents(log: SafeLog, logs: readonly SafeLog[]): Generator<Candidate> {
  for (const other of logs) {
    if (other.address !== log.address) continue
    if (other.transactionHash !== log.transactionHash || other.logIndex >= log.logIndex) continue
    const event = decodeSafeEvent(other)
    if (event?.name !== 'SafeMultiSigTransaction' || event.execution === null) continue
    const { address: _, name: __, signatures, operation, execution, ...rest } = event
    if (operation !== 0 && operation !== 1) continue
    const { nonce, threshold } = execution
    yield { safeTx: { ...rest, operation }, signatures, nonce, threshold: Number(threshold) }
  }
}

/** Wherever in the calldata an `execTransaction` may begin: relayers and other Safes wrap it. */
function* candidatesFromCalldata(input: Hex): Generator<Candidate> {
  for (let at = input.indexOf(SELECTOR); at >= 0; at = input.indexOf(SELECTOR, at + 1)) {
    const decoded = at % 2 === 0 ? decodeExecTransaction(`0x${input.slice(at)}`) : null
    if (decoded) yield decoded
  }
}

async function match(
  request: RpcRequest,
  { log, state, safeTxHash, candidates }: { log: SafeLog; state: SafeState; safeTxHash: Hex; candidates: Candidate[] },
): Promise<(Candidate & { nonce: bigint }) | null> {
  // The Safe may have been another version then; only the border at 1.3.0 matters to the hash.
  const versions = [...new Set([domainVersion(state), '1.4.1', '1.1.1'])]
  const hasHash = (candidate: Candidate, nonce: bigint) =>
    versions.some(
      (version) =>
        hashSafeTx({
          chainId: state.chainId,
          safeAddress: state.address,
          version,
          safeTx: { ...candidate.safeTx, nonce },
        }).safeTxHash === safeTxHash,
    )
  for (const candidate of candidates)
    if (candidate.nonce !== undefined && hasHash(candidate, candidate.nonce))
      return { ...candidate, nonce: candidate.nonce }
  if (candidates.length === 0) return null
  const highest = (await nonceAt(request, state.address, log.blockNumber)) ?? state.nonce
  for (let nonce = highest; nonce >= 0n && highest - nonce < NONCE_TRIES; nonce -= 1n)
    for (const candidate of candidates) if (hasHash(candidate, nonce)) return { ...candidate, nonce }
  return null
}

/** Nodes without old state do not answer; then the present nonce is where the search begins. */
async function nonceAt(request: RpcRequest, address: Address, blockNumber: number): Promise<bigint | null> {
  try {
    const data = encodeFunctionData({ abi: safeAbi, functionName: 'nonce' })
    const answer = await request({ method: 'eth_call', params: [{ to: address, data }, numberToHex(blockNumber)] })
    return typeof answer === 'string' && answer.length === 66 ? BigInt(answer) : null
  } catch {
    return null
  }
}

/** The contract checks as many as the threshold says; whatever follows is nobody's word. */
async function confirmationsOf(
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
