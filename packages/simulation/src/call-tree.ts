import type { CallFailure, CallPath, SimulatedCall, SimulatedLog } from '@countersign/review'
import { explainRevert, isSameAddress } from '@countersign/safe'
import type { EVMResult, Log, Message } from '@ethereumjs/evm'
import { type Address, bytesToHex, getAddress, type Hex } from 'viem'
import type { SeenByCode } from './other-conditions.ts'
import { Unfinished } from './unfinished.ts'

/** Bytes kept of one input or output. `inputSize` and `outputSize` have the true size. */
const MAX_KEPT_BYTES = 65_536
/** Bytes kept of all inputs and outputs of a run. */
const MAX_KEPT_BYTES_OF_RUN = 4_194_304

/** Selector of a guard's `checkTransaction`. It gets the sender as an argument. */
const CHECK_TRANSACTION: Hex = '0x75f0bb52'

/** Depth of `execTransaction` itself: the Safe's proxy, and the singleton that it delegates to. Deeper calls run other code. */
const OWN_DEPTH = 2

type OpenCall = Omit<SimulatedCall, 'calls'> & { calls: OpenCall[] }

/** Records every call of a run as a tree. */
export class CallTree {
  readonly #maxCalls: number
  readonly #executor: Address | null
  readonly #open: OpenCall[] = []
  readonly #seenLogs = new Set<Log>()
  #count = 0
  #bytes = 0
  #isCut = false
  root: SimulatedCall | null = null
  /** Calls below `execTransaction` that read a value which the run assumes. */
  readonly assumedReads: CallPath[] = []
  readonly seen: SeenByCode = {
    sender: false,
    told: false,
    price: false,
    gas: false,
    block: false,
    rules: false,
  }

  /**
   * @param maxCalls the `calls` limit of the run (`ordinaryLimits`). A run with more calls has no result
   * @param executor the sender of the transaction. Null if there is none
   */
  constructor(maxCalls: number, executor: Address | null = null) {
    this.#maxCalls = maxCalls
    this.#executor = executor
  }

  /** Whether the bytes of some calls were cut. */
  get isCut(): boolean {
    return this.#isCut
  }

  enter(message: Message): void {
    this.#count += 1
    if (this.#count > this.#maxCalls) throw new Unfinished({ kind: 'limit', limit: 'calls' })
    const parent = this.#open.at(-1)
    const from = addressOf(message.caller.bytes)
    const context = message.to ? addressOf(message.to.bytes) : from
    const call: OpenCall = {
      path: parent ? [...parent.path, parent.calls.length] : [],
      operation: operationOf(message),
      context,
      // A delegatecall keeps the sender of the call around it; the account that makes it is its context.
      from: message.delegatecall ? context : from,
      to: message.to ? addressOf(message.codeAddress.bytes) : context,
      value: message.value,
      gas: message.gasLimit,
      gasUsed: 0n,
      input: this.#keep(message.data),
      inputSize: message.data.length,
      output: '0x',
      outputSize: 0,
      failure: null,
      part: null,
      logs: [],
      calls: [],
    }
    parent?.calls.push(call)
    this.#open.push(call)
    if (call.input.startsWith(CHECK_TRANSACTION) && this.#open.length === OWN_DEPTH + 1) this.noteSeen('told')
  }

  /** Notes that the innermost call reads what the run only assumes. */
  noteAssumed(): void {
    const reading = this.#open.at(-1)
    if (reading && this.#open.length > OWN_DEPTH) this.assumedReads.push(reading.path)
  }

  /** Notes that the innermost call looks at a condition of the run. */
  noteSeen(what: keyof SeenByCode): void {
    if (this.#open.length > OWN_DEPTH) this.seen[what] = true
  }

  /** Notes that the innermost call reads its own balance. The executor's balance shows the gas price: it has already paid. */
  noteOwnBalance(): void {
    const context = this.#open.at(-1)?.context
    if (context !== undefined && this.#executor !== null && isSameAddress(context, this.#executor))
      this.noteSeen('price')
  }

  leave({ execResult, createdAddress }: EVMResult): void {
    const call = this.#open.pop()
    if (!call) return
    const { exceptionError, executionGasUsed, returnValue, logs = [] } = execResult
    call.gasUsed = executionGasUsed
    call.output = this.#keep(returnValue)
    call.outputSize = returnValue.length
    if (createdAddress) {
      call.to = addressOf(createdAddress.bytes)
      call.context = call.to
    }
    if (exceptionError) call.failure = failureOf(exceptionError.error, returnValue)
    // The call is no longer among the open ones. Its caller can see that it ran out of gas.
    if (exceptionError?.error === 'out of gas' && this.#open.length >= OWN_DEPTH) this.seen.gas = true
    // The list holds the logs of the calls inside as well, which were seen before.
    call.logs = logs.filter((log) => !this.#seenLogs.has(log)).map(readLog)
    for (const log of logs) this.#seenLogs.add(log)
    if (this.#open.length === 0) this.root = call
  }

  #keep(bytes: Uint8Array): Hex {
    const room = Math.min(MAX_KEPT_BYTES, MAX_KEPT_BYTES_OF_RUN - this.#bytes)
    if (bytes.length > room) this.#isCut = true
    const kept = bytes.subarray(0, room)
    this.#bytes += kept.length
    return bytesToHex(kept)
  }
}

/** Every call of the tree, the outer before those inside. */
export function flattenTree(call: SimulatedCall): SimulatedCall[] {
  const all: SimulatedCall[] = []
  const waiting = [call]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    all.push(next)
    waiting.push(...next.calls.toReversed())
  }
  return all
}

/** Returns the logs that were not reverted: those of successful calls within successful calls. */
export function effectiveLogs(call: SimulatedCall): SimulatedLog[] {
  if (call.failure) return []
  return [...call.logs, ...call.calls.flatMap(effectiveLogs)]
}

/** Finds the innermost call that made this one fail. */
export function whereFailed(call: SimulatedCall): SimulatedCall {
  const last = call.calls.findLast(({ failure }) => failure !== null)
  if (last === undefined || call.failure === null) return call
  // A failure that the caller caught is not the cause. The cause's revert data comes out unchanged, or it was the last call.
  const isPassedOn = call.failure.kind === 'revert' && (call.output === last.output || last === call.calls.at(-1))
  return isPassedOn ? whereFailed(last) : call
}

function failureOf(error: string, data: Uint8Array): CallFailure {
  if (error !== 'revert') return { kind: 'halt', reason: error }
  const hex = bytesToHex(data.subarray(0, MAX_KEPT_BYTES))
  return { kind: 'revert', data: hex, explanation: explainRevert(hex) }
}

function operationOf(message: Message): SimulatedCall['operation'] {
  if (!message.to) return message.salt ? 'create2' : 'create'
  if (message.delegatecall) return 'delegatecall'
  if (message._codeAddress && !message.delegatecall) return 'callcode'
  return message.isStatic ? 'staticcall' : 'call'
}

function readLog([address, topics, data]: Log): SimulatedLog {
  return { address: addressOf(address), topics: topics.map((topic) => bytesToHex(topic)), data: bytesToHex(data) }
}

function addressOf(bytes: Uint8Array) {
  return getAddress(bytesToHex(bytes))
}
