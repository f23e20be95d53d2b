import { decodeSafeEvent, fail, isSameAddress } from '@countersign/safe'
import { type Address, getAddress, type Hex, isAddress, isHex } from 'viem'
import { logsOf } from '../findings/simulation/transfers.ts'
import type { FinishedSimulation, SimulatedLog, SimulationOutcome } from '../simulation/simulation-result.ts'

/** A Safe transaction that was executed, and the transaction of the chain in which it was. */
export type Execution = { safeAddress: Address; safeTxHash: Hex; transactionHash: Hex }

/** The chain's own record of an execution, as a node tells it. */
export type ExecutionReceipt = {
  blockNumber: bigint
  blockHash: Hex
  /** Place in the block: others before it may have changed what it met. */
  index: number
  /** The account that paid for it. */
  from: Address
  /** Whether it called the Safe itself. Otherwise a contract did, and the logs are those of all that it called. */
  isDirect: boolean
  /** wei per unit of gas; null where the node does not say */
  gasPrice: bigint | null
  /** By the Safe's own event for this hash. Null where it has none. */
  outcome: SimulationOutcome['kind'] | null
  logs: readonly SimulatedLog[]
}

/** More of them are not read. */
const MAX_LOGS = 10_000
/** Chains write logs of their own from the first addresses: for each coin that moves, or each fee (Polygon). */
const LAST_LOW_ADDRESS = 0xffffn

/**
 * Reads the receipt of an execution.
 *
 * @returns null where the node has none
 * @throws CountersignError `RPC_ERROR` for another's, and for what is none
 * @example
 * const receipt = parseExecutionReceipt(await request({ method: 'eth_getTransactionReceipt', params: [hash] }), execution)
 */
export function parseExecutionReceipt(
  answer: unknown,
  { safeAddress, safeTxHash, transactionHash }: Execution,
): ExecutionReceipt | null {
  if (answer === null) return null
  const said = fieldsOf(answer)
  const isIts = isWord(said.transactionHash) && said.transactionHash.toLowerCase() === transactionHash.toLowerCase()
  if (!isIts || !isWord(said.blockHash) || !isSaidAddress(said.from) || !Array.isArray(said.logs)) throw noReceipt()
  const logs = said.logs.slice(0, MAX_LOGS).map(readLog)
  const isDirect = isSaidAddress(said.to) && isSameAddress(said.to, safeAddress)
  const isReverted = readQuantity(said.status) === 0n
  return {
    blockNumber: readQuantity(said.blockNumber),
    blockHash: said.blockHash.toLowerCase() as Hex,
    index: Number(readQuantity(said.transactionIndex)),
    from: getAddress(said.from),
    isDirect,
    gasPrice: said.effectiveGasPrice === undefined ? null : readQuantity(said.effectiveGasPrice),
    outcome: isReverted
      ? 'reverted'
      : (executionOutcome(logs, { safeAddress, safeTxHash }) ?? (isDirect ? 'success' : null)),
    logs,
  }
}

/**
 * Returns the result of an execution according to the Safe's event. Null without an event. Releases before 1.1.1 emit one only for
 * failures.
 *
 * @example
 * executionOutcome(receipt.logs, { safeAddress, safeTxHash }) // 'success'
 */
export function executionOutcome(
  logs: readonly SimulatedLog[],
  { safeAddress, safeTxHash }: Pick<Execution, 'safeAddress' | 'safeTxHash'>,
): 'success' | 'inner-failure' | null {
  for (const log of logs) {
    const event = isSameAddress(log.address, safeAddress) ? decodeSafeEvent(log) : null
    if (event === null || !('safeTxHash' in event) || event.safeTxHash.toLowerCase() !== safeTxHash.toLowerCase())
      continue
    return event.name === 'ExecutionSuccess' ? 'success' : 'inner-failure'
  }
  return null
}

/** A point in which the chain did something else than a run. */
export type ReceiptDifference =
  | { part: 'outcome'; run: SimulationOutcome['kind']; receipt: SimulationOutcome['kind'] }
  /** Logs that one of both has, and the other has not. */
  | { part: 'only-in-receipt' | 'only-in-run'; logs: readonly SimulatedLog[] }

/**
 * Compares a run with what the chain wrote down: the outcome, and every log. The Safe's own log of how it was signed is left
 * out, as a run takes the approvals for granted.
 *
 * @example
 * compareWithReceipt(run, receipt, safeAddress) // [] where both did the same
 */
export function compareWithReceipt(
  run: FinishedSimulation,
  receipt: ExecutionReceipt,
  safeAddress: Address,
): ReceiptDifference[] {
  const differences: ReceiptDifference[] = []
  if (receipt.outcome !== null && receipt.outcome !== run.outcome.kind)
    differences.push({ part: 'outcome', run: run.outcome.kind, receipt: receipt.outcome })
  const isCompared = (log: SimulatedLog) =>
    BigInt(log.address) > LAST_LOW_ADDRESS &&
    !(isSameAddress(log.address, safeAddress) && decodeSafeEvent(log)?.name === 'SafeMultiSigTransaction')
  const [ofChain, ofRun] = [receipt.logs.filter(isCompared), logsOf(run.call).filter(isCompared)]
  const onlyInReceipt = receipt.isDirect ? without(ofChain, ofRun) : []
  const onlyInRun = without(ofRun, ofChain)
  if (onlyInReceipt.length > 0) differences.push({ part: 'only-in-receipt', logs: onlyInReceipt })
  if (onlyInRun.length > 0) differences.push({ part: 'only-in-run', logs: onlyInRun })
  return differences
}

/** Logs of the one list that are not in the other, each as often as it is there. */
function without(logs: readonly SimulatedLog[], others: readonly SimulatedLog[]): SimulatedLog[] {
  const counts = new Map<string, number>()
  for (const log of others) counts.set(lineOf(log), (counts.get(lineOf(log)) ?? 0) + 1)
  return logs.filter((log) => {
    const count = counts.get(lineOf(log)) ?? 0
    counts.set(lineOf(log), count - 1)
    return count <= 0
  })
}

function lineOf({ address, topics, data }: SimulatedLog): string {
  return [address, ...topics, data].join(' ').toLowerCase()
}

function readLog(log: unknown): SimulatedLog {
  const { address, topics, data } = fieldsOf(log)
  if (!isSaidAddress(address) || !Array.isArray(topics) || !topics.every(isWord) || !isHex(data)) throw noReceipt()
  return { address: getAddress(address), topics, data }
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function isSaidAddress(value: unknown): value is Address {
  return typeof value === 'string' && isAddress(value, { strict: false })
}

function isWord(value: unknown): value is Hex {
  return isHex(value) && value.length === 66
}

function readQuantity(value: unknown): bigint {
  if (!isHex(value) || value.length < 3 || value.length > 66) throw noReceipt()
  return BigInt(value)
}

function noReceipt() {
  return fail('RPC_ERROR', { reason: 'other', wanted: 'a receipt' })
}
