import {
  decodeSafeEvent,
  hashSafeTx,
  isVersionBefore,
  type RpcRequest,
  type SafeTx,
  safeEventTopics,
} from '@countersign/safe'
import { decodeExecTransaction } from '@countersign/safe/calls'
import { type Address, type Hex, isHex, zeroAddress } from 'viem'
import { type Period, type PlacedLog, readLogsOfPeriod } from './period-logs.ts'

/** A transaction or a call of a module that a Safe executed. `payment`: the refund, in base units of the gas token. */
export type Executed = { safeTx: Omit<SafeTx, 'nonce'>; isSuccessful: boolean; payment: bigint }

/** A Safe whose executions are read. */
export type ExecutingSafe = { chainId: number; safeAddress: Address; version: string; nonce: bigint }

const topics = [
  safeEventTopics(
    'ExecutionSuccess',
    'ExecutionFailure',
    'SafeMultiSigTransaction',
    'ExecutionFromModuleSuccess',
    'SafeModuleTransaction',
  ),
]
const SELECTOR = '6a761202'
/** Places in one calldata where an `execTransaction` may begin. */
const MAX_CANDIDATES = 50
/** Executions that happened after the Safe was read. */
const LATER = 3n
/** Nonces that are tried for one hash. */
const MAX_NONCES = 300n

/**
 * Reads what a Safe executed within the last seconds: the hashes by its own logs, the fields by its events or by the calldata.
 * Each hash is computed here with its nonce, and the nonces lead to that of the Safe without a gap: an execution
 * that the node leaves out is noticed, unless it is older than all that it names.
 *
 * @throws Error when the node does not say all of it, or when nobody can tell what was executed
 * @example
 * const executed = await readExecutionsOfPeriod(request, { chainId, safeAddress, version: '1.4.1', nonce: 7n }, period)
 */
export async function readExecutionsOfPeriod(
  request: RpcRequest,
  safe: ExecutingSafe,
  period: Period,
): Promise<Executed[]> {
  if (isVersionBefore(safe.version, 1, 1)) throw new Error(`A Safe ${safe.version} logs no success.`)
  const logs = await readLogsOfPeriod(request, { address: safe.safeAddress, topics }, period)
  const inputs = new Map<Hex, Promise<Hex>>()
  const inputOf = (hash: Hex) => {
    const known = inputs.get(hash) ?? readInput(request, hash)
    inputs.set(hash, known)
    return known
  }
  const nonces: bigint[] = []
  const executed = await Promise.all(
    logs.map(async (log, at): Promise<Executed[]> => {
      const event = decodeSafeEvent(log)
      if (event?.name === 'ExecutionFromModuleSuccess') return [moduleCall(logs, at)]
      if (event?.name !== 'ExecutionSuccess' && event?.name !== 'ExecutionFailure') return []
      const ofEvents = detailOf(logs, at)
      const found =
        matching(ofEvents, event.safeTxHash, safe) ??
        matching(candidatesIn(await inputOf(log.transactionHash)), event.safeTxHash, safe)
      if (found === null) throw new Error(`Nobody can tell what ${event.safeTxHash} was.`)
      nonces.push(found.nonce)
      return [{ safeTx: found.safeTx, isSuccessful: event.name === 'ExecutionSuccess', payment: event.payment }]
    }),
  )
  assertNoGap(nonces, safe.nonce)
  return executed.flat()
}

/** Every execution uses the next nonce up, and the last of them the one before the Safe's. */
function assertNoGap(nonces: readonly bigint[], next: bigint): void {
  const sorted = nonces.toSorted((one, other) => (one < other ? -1 : 1))
  const last = sorted.at(-1)
  const hasGap = sorted.some((nonce, at) => at > 0 && nonce !== (sorted[at - 1] ?? 0n) + 1n)
  if (last !== undefined && (hasGap || last < next - 1n)) throw new Error('The node leaves out an execution.')
}

type Fields = Omit<SafeTx, 'nonce'>

/** An L2 singleton tells the fields right before it executes them; inside, other executions may stand. */
function detailOf(logs: readonly PlacedLog[], at: number): Fields[] {
  const { transactionHash } = logs[at] as PlacedLog
  return logs.slice(0, at).flatMap((log) => {
    const event = log.transactionHash === transactionHash ? decodeSafeEvent(log) : null
    if (event?.name !== 'SafeMultiSigTransaction' || (event.operation !== 0 && event.operation !== 1)) return []
    const { to, value, data, operation, safeTxGas, baseGas, gasPrice, gasToken, refundReceiver } = event
    return [{ to, value, data, operation, safeTxGas, baseGas, gasPrice, gasToken, refundReceiver }]
  })
}

/** Reads what a module did, which an L2 singleton alone tells. */
function moduleCall(logs: readonly PlacedLog[], at: number): Executed {
  const log = logs[at - 1]
  const event = log && log.transactionHash === logs[at]?.transactionHash ? decodeSafeEvent(log) : null
  if (event?.name !== 'SafeModuleTransaction' || (event.operation !== 0 && event.operation !== 1))
    throw new Error('Nobody can tell what a module did.')
  const { to, value, data, operation } = event
  return { safeTx: { to, value, data, operation, ...noRefund }, isSuccessful: true, payment: 0n }
}

const noRefund = { safeTxGas: 0n, baseGas: 0n, gasPrice: 0n, gasToken: zeroAddress, refundReceiver: zeroAddress }

/** Finds the fields, and the nonce of the Safe, that have a hash. */
function matching(
  candidates: readonly Fields[],
  safeTxHash: Hex,
  safe: ExecutingSafe,
): { safeTx: Fields; nonce: bigint } | null {
  const { chainId, safeAddress, version } = safe
  const highest = safe.nonce + LATER
  for (const safeTx of candidates)
    for (let nonce = highest; nonce >= 0n && highest - nonce < MAX_NONCES; nonce--)
      if (hashSafeTx({ chainId, safeAddress, version, safeTx: { ...safeTx, nonce } }).safeTxHash === safeTxHash)
        return { safeTx, nonce }
  return null
}

/** Wherever in the calldata an `execTransaction` may begin: relayers and other Safes wrap it. */
function candidatesIn(input: Hex): Fields[] {
  const found: Fields[] = []
  for (
    let at = input.indexOf(SELECTOR);
    at >= 0 && found.length < MAX_CANDIDATES;
    at = input.indexOf(SELECTOR, at + 1)
  ) {
    const decoded = at % 2 === 0 ? decodeExecTransaction(`0x${input.slice(at)}`) : null
    if (decoded) found.push(decoded.safeTx)
  }
  return found
}

async function readInput(request: RpcRequest, transactionHash: Hex): Promise<Hex> {
  const answer = await request({ method: 'eth_getTransactionByHash', params: [transactionHash] })
  if (typeof answer === 'object' && answer !== null && 'input' in answer && isHex(answer.input)) return answer.input
  throw new Error(`The node did not say what ${transactionHash} is.`)
}
