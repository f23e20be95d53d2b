import { type Address, getAddress, type Hex } from 'viem'
import { fail } from '../error-sentences.ts'
import { HIDDEN_CHARACTER } from '../hidden-characters.ts'
import type { AbiParameter, AbiType } from './abi-type.ts'
import { assertBytes } from './abi-word.ts'

/** Bytes `start` up to, but not including, `end`. */
export type ByteRange = { start: number; end: number }

/**
 * A value, where it stands, and its type. `ranges` are the bytes of its head and, when it is dynamic, of its tail. A
 * text that is not UTF-8 is null; its bytes are kept either way. `enumName` is the enum that a number is a member of, as its
 * ABI claims.
 */
export type DecodedValue = { name: string; type: string; ranges: readonly ByteRange[] } & (
  | { kind: 'number'; value: bigint; enumName?: string }
  | { kind: 'bool'; value: boolean }
  | { kind: 'address'; value: Address }
  | { kind: 'bytes'; value: Hex }
  | { kind: 'text'; value: string | null; raw: Hex }
  | { kind: 'list' | 'tuple'; value: readonly DecodedValue[] }
)

/** Ways in which bytes differ from a compiler's encoding of the same values. The contract accepts them all. */
export type AbiProblemId =
  | 'offset-gap'
  | 'offset-backwards'
  | 'dirty-bits'
  | 'dirty-padding'
  | 'missing-padding'
  | 'sign-extension'
  | 'trailing-bytes'
  | 'text-not-utf8'
  | 'text-control'

/** Why bytes cannot be read as these types at all. */
export type AbiFailureId =
  | 'too-short'
  | 'offset-out-of-bounds'
  | 'length-out-of-bounds'
  | 'budget-values'
  | 'budget-bytes'

/** Something about the bytes that the values do not say, and where. */
export type AbiProblem = { id: AbiProblemId } & ByteRange

/** Values and everything about the bytes that the values do not say. */
export type DecodedParameters = {
  values: DecodedValue[]
  problems: AbiProblem[]
  /** Bytes that no value accounts for, in order, never touching. */
  undecoded: ByteRange[]
  /** Whether the values encode to exactly these bytes. */
  isExact: boolean
}

/** Values in one decoding: more than 128 KiB of calldata can hold without saying something twice. */
export const MAX_ABI_VALUES = 16_384

type Reader = {
  /** Hexadecimal digits, without 0x; byte n is at 2n. */
  digits: string
  size: number
  problems: AbiProblem[]
  /** Start and end of what has been read, in pairs. */
  read: number[]
  values: number
  /** Bytes read, counting twice what is read twice. */
  bytes: number
}

const ZEROS = '0'.repeat(64)

/**
 * Decodes ABI-encoded values and accounts for every byte. It takes whatever a contract would take, and lists what is
 * not the canonical encoding: `isExact` is true if, and only if, encoding the values again gives the same bytes.
 *
 * @param data - calldata, or bare values
 * @param start - the byte at which the values begin: 4 in calldata
 * @throws CountersignError `CALLDATA_MALFORMED` when the bytes cannot be read as these types; `data.reason` says why.
 * `FIELD_MALFORMED` when `data` is not hex of whole bytes.
 * @example
 * const { values } = decodeParameters(parseAbiSignature('f(uint256 amount)').inputs, `0x${'00'.repeat(31)}2a`)
 * values[0] // { name: 'amount', type: 'uint256', kind: 'number', value: 42n, ranges: [{ start: 0, end: 32 }] }
 */
export function decodeParameters(parameters: readonly AbiParameter[], data: Hex, start = 0): DecodedParameters {
  assertBytes('data', data)
  const digits = data.slice(2).toLowerCase()
  const size = digits.length / 2
  const reader: Reader = { digits, size, problems: [], read: [], values: 0, bytes: 0 }
  const { values, end } = decodeMembers(reader, parameters, start)
  const undecoded = unread(reader, start)
  // Gaps inside the values are reported where an offset skips them.
  if (end < size && undecoded.at(-1)?.end === size) {
    reader.problems.push({ id: 'trailing-bytes', start: Math.max(end, undecoded.at(-1)?.start ?? end), end: size })
  }
  const isExact = reader.problems.every(({ id }) => id === 'text-control' || id === 'text-not-utf8')
  return { values, problems: reader.problems, undecoded, isExact }
}

/** Lists the gaps between the pieces that were read, from `start` to the end. */
function unread({ read, size }: Reader, start: number): ByteRange[] {
  const pieces: ByteRange[] = []
  for (let index = 0; index < read.length; index += 2) {
    pieces.push({ start: read[index] ?? 0, end: read[index + 1] ?? 0 })
  }
  pieces.sort((one, other) => one.start - other.start)
  const gaps: ByteRange[] = []
  let at = start
  for (const piece of pieces) {
    if (piece.start > at) gaps.push({ start: at, end: piece.start })
    at = Math.max(at, piece.end)
  }
  if (at < size) gaps.push({ start: at, end: size })
  return gaps
}

/** Takes note of bytes read, or refuses when they are not there. */
function take(reader: Reader, start: number, end: number): void {
  if (end > reader.size) {
    throw fail('CALLDATA_MALFORMED', { reason: 'too-short', start, size: reader.size, needed: end })
  }
  reader.bytes += end - start
  // Values that are written once cannot be longer than the calldata: these are read over and over.
  if (reader.bytes > 2 * reader.size) {
    throw fail('CALLDATA_MALFORMED', { reason: 'budget-bytes', start })
  }
  const { read } = reader
  if (read.at(-1) === start) read[read.length - 1] = end
  else if (end > start) read.push(start, end)
}

function digitsAt({ digits }: Reader, start: number, end: number): string {
  return digits.slice(start * 2, end * 2)
}

function isZero({ digits }: Reader, start: number, end: number): boolean {
  return digits.startsWith(ZEROS.slice(0, (end - start) * 2), start * 2)
}

/** An offset or a length: null when it is larger than any calldata. */
function decodeCount(reader: Reader, at: number): number | null {
  take(reader, at, at + 32)
  if (!isZero(reader, at, at + 26)) return null
  return Number.parseInt(digitsAt(reader, at + 26, at + 32), 16)
}

/** The values of a tuple that begins at `base`, and where the last of their tails ends. */
function decodeMembers(reader: Reader, members: readonly AbiParameter[], base: number) {
  const values: DecodedValue[] = []
  let head = base
  let tail = base + members.reduce((sum, { type }) => sum + type.headSize, 0)
  let end = tail
  if (tail > reader.size) {
    throw fail('CALLDATA_MALFORMED', { reason: 'too-short', start: base, size: reader.size, needed: tail })
  }
  for (const { name, type } of members) {
    const member = decodeMember(reader, name, type, head, base, tail)
    values.push(member.value)
    head += type.headSize
    tail = member.tail
    end = Math.max(end, tail)
  }
  return { values, end }
}

/** One value: in place, or where its offset points. `tail` is where the next tail belongs. */
function decodeMember(reader: Reader, name: string, type: AbiType, head: number, base: number, tail: number) {
  if (!type.isDynamic) return { value: decodeStatic(reader, name, type, head), tail }
  const offset = decodeCount(reader, head)
  if (offset === null || base + offset > reader.size) {
    throw fail('CALLDATA_MALFORMED', { reason: 'offset-out-of-bounds', start: head })
  }
  const target = base + offset
  if (target > tail) reader.problems.push({ id: 'offset-gap', start: tail, end: target })
  if (target < tail) reader.problems.push({ id: 'offset-backwards', start: head, end: head + 32 })
  const value = decodeDynamic(reader, name, type, target, { start: head, end: head + 32 })
  return { value, tail: value.ranges.at(-1)?.end ?? target }
}

function count(reader: Reader): void {
  reader.values += 1
  if (reader.values > MAX_ABI_VALUES) {
    throw fail('CALLDATA_MALFORMED', { reason: 'budget-values', start: 0, limit: MAX_ABI_VALUES })
  }
}

function decodeDynamic(reader: Reader, name: string, type: AbiType, start: number, head: ByteRange): DecodedValue {
  count(reader)
  const range = (end: number): ByteRange[] => [head, { start, end }]
  if (type.kind === 'tuple') {
    const { values, end } = decodeMembers(reader, type.members, start)
    return { name, type: type.name, kind: 'tuple', value: values, ranges: range(end) }
  }
  if (type.kind === 'list') {
    const length = type.length ?? decodeLength(reader, start, type.element.headSize)
    const base = type.length === null ? start + 32 : start
    const { values, end } = decodeMembers(reader, elementsOf(type.element, length), base)
    return { name, type: type.name, kind: 'list', value: values, ranges: range(end) }
  }
  const length = decodeLength(reader, start, 1)
  const end = decodePadded(reader, start + 32, length)
  const raw: Hex = `0x${digitsAt(reader, start + 32, start + 32 + length)}`
  if (type.kind === 'bytes') return { name, type: 'bytes', kind: 'bytes', value: raw, ranges: range(end) }
  const text = decodeUtf8(raw)
  const bytes = { start: start + 32, end: start + 32 + length }
  if (text === null) reader.problems.push({ id: 'text-not-utf8', ...bytes })
  else if (HIDDEN_CHARACTER.test(text)) reader.problems.push({ id: 'text-control', ...bytes })
  return { name, type: 'string', kind: 'text', value: text, raw, ranges: range(end) }
}

/** The text that bytes are, or null: nothing is replaced silently. */
function decodeUtf8(raw: Hex): string | null {
  try {
    return decodeURIComponent(raw.slice(2).replace(/../g, '%$&'))
  } catch {
    return null
  }
}

/** The length of a list or of bytes, when there is room for that many. */
function decodeLength(reader: Reader, at: number, unit: number): number {
  const length = decodeCount(reader, at)
  if (length === null || at + 32 + length * unit > reader.size) {
    throw fail('CALLDATA_MALFORMED', { reason: 'length-out-of-bounds', start: at })
  }
  return length
}

/** Takes bytes and the zeros after them; what is not zero there stays unread. */
function decodePadded(reader: Reader, start: number, length: number): number {
  const end = start + length
  take(reader, start, end)
  const padded = start + Math.ceil(length / 32) * 32
  // Solidity reads bytes whose padding is missing at the end of the calldata.
  const stop = Math.min(padded, reader.size)
  if (padded > reader.size) reader.problems.push({ id: 'missing-padding', start, end: reader.size })
  if (stop > end && !isZero(reader, end, stop)) reader.problems.push({ id: 'dirty-padding', start: end, end: stop })
  else if (stop > end) take(reader, end, stop)
  return padded
}

function decodeStatic(reader: Reader, name: string, type: AbiType, at: number): DecodedValue {
  count(reader)
  if (type.kind === 'list' || type.kind === 'tuple') {
    const members = type.kind === 'tuple' ? type.members : elementsOf(type.element, type.length ?? 0)
    const { values } = decodeMembers(reader, members, at)
    return { name, type: type.name, kind: type.kind, value: values, ranges: [{ start: at, end: at + type.headSize }] }
  }
  const end = at + 32
  const common = { name, type: type.name, ranges: [{ start: at, end }] }
  switch (type.kind) {
    case 'address': {
      takeClean(reader, 'dirty-bits', at + 12, end, at, at + 12)
      return { ...common, kind: 'address', value: getAddress(`0x${digitsAt(reader, at + 12, end)}`) }
    }
    case 'bool':
      return { ...common, kind: 'bool', value: decodeBool(reader, at, end) }
    case 'fixed-bytes': {
      takeClean(reader, 'dirty-padding', at, at + type.size, at + type.size, end)
      return { ...common, kind: 'bytes', value: `0x${digitsAt(reader, at, at + type.size)}` }
    }
    case 'uint': {
      const from = end - type.bits / 8
      takeClean(reader, 'dirty-bits', from, end, at, from)
      const value = BigInt(`0x${digitsAt(reader, from, end)}`)
      return { ...common, kind: 'number', value, ...(type.enumName === undefined ? {} : { enumName: type.enumName }) }
    }
    case 'int':
      return { ...common, kind: 'number', value: decodeSigned(reader, type.bits, at, end) }
    default:
      throw fail('CALLDATA_MALFORMED', { reason: 'too-short', start: at, size: reader.size, needed: at })
  }
}

/** The parameters that the elements of a list are read as. */
function elementsOf(type: AbiType, length: number): AbiParameter[] {
  return Array.from({ length }, (_, index) => ({ name: String(index), type }))
}

function decodeBool(reader: Reader, start: number, end: number): boolean {
  take(reader, start, end)
  const isFalse = isZero(reader, start, end)
  const isOne = isZero(reader, start, end - 1) && digitsAt(reader, end - 1, end) === '01'
  if (!isFalse && !isOne) reader.problems.push({ id: 'dirty-bits', start, end })
  return !isFalse
}

function decodeSigned(reader: Reader, bits: number, start: number, end: number): bigint {
  const from = end - bits / 8
  const value = BigInt.asIntN(bits, BigInt(`0x${digitsAt(reader, from, end)}`))
  const isExtended = digitsAt(reader, start, from) === (value < 0n ? 'f' : '0').repeat((from - start) * 2)
  take(reader, isExtended ? start : from, end)
  if (!isExtended) reader.problems.push({ id: 'sign-extension', start, end: from })
  return value
}

/** Takes a value and the zeros that fill its word; what should be zero and is not stays unread. */
function takeClean(reader: Reader, id: AbiProblemId, start: number, end: number, from: number, to: number): void {
  if (isZero(reader, from, to)) {
    take(reader, Math.min(start, from), Math.max(end, to))
    return
  }
  take(reader, start, end)
  reader.problems.push({ id, start: from, end: to })
}
