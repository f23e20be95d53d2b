import { type Address, encodeFunctionData, getAddress, type Hex, size } from 'viem'
import { multiSendAbi } from '../abi/abi.ts'
import { type ByteRange, decodeParameters } from '../abi/abi-decode.ts'
import { parseAbiSignature } from '../abi/abi-type.ts'
import { addressWord, assertBytes, uintWord } from '../abi/abi-word.ts'
import { CountersignError } from '../error.ts'
import { fail } from '../error-sentences.ts'

/** One entry of a batch. `value` is in wei. */
export type BatchedCall = { to: Address; value: bigint; data: Hex; operation: 0 | 1 }

/** Why a batch cannot be read exactly. */
export type BatchProblemId =
  | 'batch-encoding'
  | 'batch-head'
  | 'batch-leftover'
  | 'batch-operation'
  | 'batch-overrun'
  | 'batch-two-layouts'

/** How the entries stand: packed since 1.1.0; before, every field in a word of its own. */
export type BatchLayout = 'packed' | 'words'

/** A fault of a batch, and its place in the calldata. */
export type BatchProblem = {
  id: BatchProblemId
  /** Which call it is about, from 1. */
  position: number
  /** The operation of that call, where it is neither 0 nor 1. */
  operation?: number
} & ByteRange

/** The entries up to the first thing that is wrong. `range` is where an entry's data stands in the calldata. */
export type Batch = {
  layout: BatchLayout
  entries: (BatchedCall & { range: ByteRange })[]
  problems: BatchProblem[]
  undecoded: ByteRange[]
}

/** op(1) to(20) value(32) length(32) */
const HEAD_SIZE = 85
/** op(32) to(32) value(32) offset of the data(32) length(32), then the data in whole words */
const WORDS_HEAD_SIZE = 160

/** The contract's loop ends 32 bytes early: that many at the end are never looked at. */
const IGNORED_SIZE = 32

const { inputs } = parseAbiSignature('multiSend(bytes transactions)')

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
 *
 * @param layout - `packed` for a library known to be of 1.1.0 or later; `any` for code that nobody knows.
 */
export function decodeBatch(data: Hex, layout: 'packed' | 'any' = 'packed'): Batch {
  const whole = { start: 4, end: size(data) }
  let decoded: ReturnType<typeof decodeParameters>
  try {
    decoded = decodeParameters(inputs, data, 4)
  } catch (error) {
    if (!(error instanceof CountersignError)) throw error
    const problem: BatchProblem = { id: 'batch-encoding', position: 1, ...whole }
    return { layout: 'packed', entries: [], problems: [problem], undecoded: whole.end > whole.start ? [whole] : [] }
  }
  const [transactions] = decoded.values
  const start = (transactions?.ranges.at(-1)?.start ?? 0) + 32
  const end = start + (transactions?.kind === 'bytes' ? (transactions.value.length - 2) / 2 : 0)
  const problems: BatchProblem[] = decoded.problems.map(({ id: _id, ...range }) => ({
    id: 'batch-encoding',
    position: 1,
    ...range,
  }))
  const { entries, problem, ...read } = decodeEntries(data.slice(2).toLowerCase(), start, end, layout)
  const undecoded = [...decoded.undecoded, ...(problem === null ? [] : [{ start: problem.start, end: problem.end }])]
  undecoded.sort((one, other) => one.start - other.start)
  return { layout: read.layout, entries, problems: problem === null ? problems : [...problems, problem], undecoded }
}

type Entries = { layout: BatchLayout; entries: Batch['entries']; problem: BatchProblem | null }

/** Works on the text: slicing bytes anew for each entry would take quadratic time. */
function decodeEntries(digits: string, start: number, end: number, layout: 'packed' | 'any'): Entries {
  const packed = decodePacked(digits, start, end)
  if (layout === 'packed' || start === end) return packed
  const words = decodeWords(digits, start, end)
  if (words === null) return packed
  if (packed.problem !== null) return { layout: 'words', entries: words, problem: null }
  return { ...packed, entries: [], problem: { id: 'batch-two-layouts', position: 1, start, end } }
}

function decodePacked(digits: string, start: number, end: number): Entries {
  const entries: Batch['entries'] = []
  const at = (from: number, to: number): Hex => `0x${digits.slice(from * 2, to * 2)}`
  let head = start
  const wrong = (id: BatchProblemId, found: { operation?: number } = {}): Entries => ({
    layout: 'packed',
    entries,
    problem: { id, position: entries.length + 1, ...found, start: head, end },
  })
  while (head < end) {
    const left = end - head
    if (left <= IGNORED_SIZE) return wrong('batch-leftover')
    if (left < HEAD_SIZE) return wrong('batch-head')
    const operation = Number(at(head, head + 1))
    if (operation !== 0 && operation !== 1) return wrong('batch-operation', { operation })
    const from = head + HEAD_SIZE
    const length = BigInt(at(head + 53, from))
    if (length > BigInt(end - from)) return wrong('batch-overrun')
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
  return { layout: 'packed', entries, problem: null }
}

/** The entries as MultiSend 0.1.0 and 1.0.0 read them; null when they are not exactly that. */
function decodeWords(digits: string, start: number, end: number): Batch['entries'] | null {
  const entries: Batch['entries'] = []
  let head = start
  while (head < end) {
    const from = head + WORDS_HEAD_SIZE
    if (from > end) return null
    const [operation = 0n, target = 0n, value = 0n, offset, length = 0n] = Array.from({ length: 5 }, (_, index) =>
      BigInt(`0x${digits.slice((head + index * 32) * 2, (head + index * 32 + 32) * 2)}`),
    )
    if (operation > 1n || target >> 160n !== 0n || offset !== 128n || length > BigInt(end - from)) return null
    const to = from + Number(length)
    const next = from + Math.ceil(Number(length) / 32) * 32
    if (next > end || /[^0]/.test(digits.slice(to * 2, next * 2))) return null
    entries.push({
      operation: operation === 1n ? 1 : 0,
      to: getAddress(`0x${target.toString(16).padStart(40, '0')}`),
      value,
      data: `0x${digits.slice(from * 2, to * 2)}`,
      range: { start: from, end: to },
    })
    head = next
  }
  return entries
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
  if (!isMultiSend(data)) throw fail('MULTISEND_MALFORMED', { reason: 'not-multi-send' })
  const { entries, problems } = decodeBatch(data)
  const [problem] = problems
  if (problem !== undefined) {
    const { id: reason, operation = 0, ...place } = problem
    throw fail('MULTISEND_MALFORMED', { reason, operation, ...place })
  }
  return entries.map(({ range: _range, ...entry }) => entry)
}

/**
 * Whether calldata starts with the selector of `multiSend(bytes)`.
 *
 * @example
 * isMultiSend(safeTx.data)
 */
export function isMultiSend(data: Hex): boolean {
  return data.slice(0, 10).toLowerCase() === '0x8d80ff0a'
}
