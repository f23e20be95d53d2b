import { type Address, encodeFunctionData, getAddress, type Hex, size } from 'viem'
import { multiSendAbi } from './abi.ts'
import { type ByteRange, decodeParameters } from './abi-decode.ts'
import { readAbiSignature } from './abi-type.ts'
import { addressWord, assertBytes, uintWord } from './abi-word.ts'
import { CountersignError } from './error.ts'

/** One entry of a batch. `value` is in wei. */
export type BatchedCall = { to: Address; value: bigint; data: Hex; operation: 0 | 1 }

/** Why a batch cannot be read exactly. */
export type BatchProblemId = 'batch-encoding' | 'batch-head' | 'batch-leftover' | 'batch-operation' | 'batch-overrun'

/** What is wrong with a batch, and where in the calldata. */
export type BatchProblem = { id: BatchProblemId; sentence: string } & ByteRange

/** The entries up to the first thing that is wrong. `range` is where an entry's data stands in the calldata. */
export type Batch = {
  entries: (BatchedCall & { range: ByteRange })[]
  problems: BatchProblem[]
  undecoded: ByteRange[]
}

/** op(1) to(20) value(32) length(32) */
const HEAD_SIZE = 85

/** The contract's loop ends 32 bytes early: that many at the end are never looked at. */
const IGNORED_SIZE = 32

const { inputs } = readAbiSignature('multiSend(bytes transactions)')

/**
 * The calldata of `multiSend(bytes)` for MultiSend or MultiSendCallOnly; `operation` is 0 where it is left out, `value`
 * is in wei.
 *
 * @throws CountersignError `FIELD_MALFORMED` naming the field of an entry that no batch can hold.
 * @example
 * encodeMultiSend([{ to: token, value: 0n, data: transfer }, { to: friend, value: 10n ** 18n, data: '0x' }])
 */
export function encodeMultiSend(calls: readonly (Omit<BatchedCall, 'operation'> & { operation?: 0 | 1 })[]): Hex {
  const entries = calls.map(({ to, value, data, operation = 0 }) => {
    assertBytes('data', data)
    return [
      uintWord('operation', operation, 8).slice(-2),
      addressWord('to', to).slice(-40),
      uintWord('value', value).slice(2),
      uintWord('length', size(data)).slice(2),
      data.slice(2).toLowerCase(),
    ].join('')
  })
  return encodeFunctionData({ abi: multiSendAbi, functionName: 'multiSend', args: [`0x${entries.join('')}`] })
}

/**
 * Takes the calldata of `multiSend(bytes)` apart, as far as it can be read. The contract is less strict: it reads beyond
 * the end for a length that goes there, and never looks at the last 32 bytes if an entry does not reach them.
 */
export function readMultiSend(data: Hex): Batch {
  const whole = { start: 4, end: size(data) }
  let decoded: ReturnType<typeof decodeParameters>
  try {
    decoded = decodeParameters(inputs, data, 4)
  } catch (error) {
    if (!(error instanceof CountersignError)) throw error
    const undecoded = whole.end > whole.start ? [whole] : []
    return { entries: [], problems: [{ id: 'batch-encoding', sentence: error.message, ...whole }], undecoded }
  }
  const [transactions] = decoded.values
  const start = (transactions?.ranges.at(-1)?.start ?? 0) + 32
  const length = transactions?.kind === 'bytes' ? size(transactions.value) : 0
  const problems: BatchProblem[] = decoded.problems.map(({ id, ...range }) => ({
    id: 'batch-encoding',
    sentence: `its ABI encoding is not the canonical one (${id}, bytes ${range.start} to ${range.end})`,
    ...range,
  }))
  const { entries, problem } = readEntries(data.slice(2).toLowerCase(), start, start + length)
  const undecoded = [...decoded.undecoded, ...(problem === null ? [] : [{ start: problem.start, end: start + length }])]
  undecoded.sort((one, other) => one.start - other.start)
  return { entries, problems: problem === null ? problems : [...problems, problem], undecoded }
}

/** The entries between two bytes of the calldata. Works on the text: slicing bytes anew each time is quadratic. */
function readEntries(
  digits: string,
  start: number,
  end: number,
): { entries: Batch['entries']; problem: BatchProblem | null } {
  const entries: Batch['entries'] = []
  const at = (from: number, to: number): Hex => `0x${digits.slice(from * 2, to * 2)}`
  let head = start
  const wrong = (id: BatchProblemId, sentence: string, to = end) => ({
    entries,
    problem: { id, sentence, start: head, end: to },
  })
  while (head < end) {
    const left = end - head
    if (left <= IGNORED_SIZE) return wrong('batch-leftover', `${left} bytes are left over, which the contract ignores`)
    if (left < HEAD_SIZE) return wrong('batch-head', `${left} bytes are left over, too few for an entry`)
    const operation = Number(at(head, head + 1))
    const nth = entries.length + 1
    if (operation !== 0 && operation !== 1) return wrong('batch-operation', `entry ${nth} has operation ${operation}`)
    const from = head + HEAD_SIZE
    const length = BigInt(at(head + 53, from))
    if (length > BigInt(end - from)) return wrong('batch-overrun', `entry ${nth} is longer than the batch`)
    const to = from + Number(length)
    entries.push({
      operation,
      to: getAddress(at(head + 1, head + 21)),
      value: BigInt(at(head + 21, head + 53)),
      data: at(from, to),
      range: { start: from, end: to },
    })
    head = to
  }
  return { entries, problem: null }
}

/**
 * Takes the calldata of `multiSend(bytes)` apart. Strict, unlike the contract: every byte must belong to an entry.
 *
 * @throws CountersignError `MULTISEND_MALFORMED` on leftover bytes, lengths beyond the end, an operation above 1, another
 * function, or an encoding that is not the canonical one.
 * @example
 * decodeMultiSend(encodeMultiSend([{ to, value: 1n, data: '0x' }])) // [{ operation: 0, to, value: 1n, data: '0x' }]
 */
export function decodeMultiSend(data: Hex): BatchedCall[] {
  const { entries, problems } = isMultiSend(data)
    ? readMultiSend(data)
    : { entries: [], problems: [{ sentence: 'it is not calldata of `multiSend(bytes)`' }] }
  const [problem] = problems
  if (problem !== undefined) {
    throw new CountersignError('MULTISEND_MALFORMED', `The batch cannot be read exactly: ${problem.sentence}.`, {
      data: { reason: problem.sentence },
    })
  }
  return entries.map(({ range: _range, ...entry }) => entry)
}

/** Whether calldata starts with the selector of `multiSend(bytes)`. */
export function isMultiSend(data: Hex): boolean {
  return data.slice(0, 10).toLowerCase() === '0x8d80ff0a'
}
