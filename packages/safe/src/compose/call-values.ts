import { type Address, concatHex, encodeAbiParameters, getAddress, type Hex, isAddress } from 'viem'
import type { AbiType } from '../abi/abi-type.ts'
import { isBytes } from '../abi/abi-word.ts'
import type { KnownFunction } from '../calls/functions.ts'
import { toJson } from '../calls/given-abi.ts'
import { isRecord } from '../json.ts'

/** A value as it is typed: a text, or one for each part of a list or tuple. */
export type TypedValue = string | readonly TypedValue[]

/** Why a typed value is none of its type. */
export type ValueProblemReason =
  | 'not-an-address'
  | 'bad-checksum'
  | 'not-a-number'
  | 'out-of-range'
  | 'not-bytes'
  | 'wrong-size'
  | 'not-a-bool'
  | 'not-a-list'
  | 'wrong-length'
  | 'half-character'

/** One fault of the values of a call: where it is, by position in the parameters and below, and what the type is. */
export type ValueProblem = { path: readonly number[]; reason: ValueProblemReason; type: string; typed: string }

/** The calldata of a call, or all that is wrong with its values. */
export type EncodedCall = { ok: true; data: Hex } | { ok: false; problems: ValueProblem[] }

type Value = bigint | boolean | string | readonly Value[]

/**
 * Encodes a call of a function from values as people type them: numbers in decimal or hex, or with
 * a unit (`1.5 ether`, `20 gwei`, and `1.5e6` for a token with 6 decimals), addresses with their checksum or
 * all in small letters, bytes in hex, `true` or `false`, lists and tuples part by part or as JSON.
 *
 * @example
 * encodeTypedCall(parseGivenAbiJson(json)[0], ['0x0000000000000000000000000000000000000001', '5'])
 */
export function encodeTypedCall(called: KnownFunction, values: readonly TypedValue[]): EncodedCall {
  const problems: ValueProblem[] = []
  const parsed = called.inputs.map(({ type }, index) => parseValue(type, values[index] ?? '', [index], problems))
  if (problems.length > 0) return { ok: false, problems }
  const encoded = encodeAbiParameters(called.inputs.map(toJson), parsed)
  return { ok: true, data: concatHex([called.selector, encoded]) }
}

type Wrong = (reason: ValueProblemReason) => Value

function parseValue(type: AbiType, typed: TypedValue, path: readonly number[], problems: ValueProblem[]): Value {
  const wrong: Wrong = (reason) => {
    problems.push({ path, reason, type: type.name, typed: typeof typed === 'string' ? typed.slice(0, 100) : '' })
    return ''
  }
  if (type.kind === 'list' || type.kind === 'tuple') {
    const names = type.kind === 'tuple' ? type.members.map(({ name }) => name) : []
    const parts = partsOf(typed, names)
    if (parts === null) return wrong('not-a-list')
    const types = type.kind === 'tuple' ? type.members.map((member) => member.type) : elementTypes(type, parts.length)
    if (parts.length !== types.length) return wrong('wrong-length')
    return types.map((inner, index) => parseValue(inner, parts[index] ?? '', [...path, index], problems))
  }
  return typeof typed === 'string' ? parseWord(type, typed, wrong) : wrong('not-a-list')
}

/** The type of each element of a list: as many as its type says, or as were typed. */
function elementTypes({ element, length }: Extract<AbiType, { kind: 'list' }>, typed: number): AbiType[] {
  return Array.from({ length: length ?? typed }, () => element)
}

/** A value that is no list and no tuple. */
function parseWord(type: Exclude<AbiType, { kind: 'list' | 'tuple' }>, typed: string, wrong: Wrong): Value {
  const text = typed.trim()
  switch (type.kind) {
    case 'address':
      return parseAddressValue(text, wrong)
    case 'bool':
      return text === 'true' || text === 'false' ? text === 'true' : wrong('not-a-bool')
    case 'string':
      // A lone surrogate has no UTF-8: what is encoded would be another text.
      return /\p{Surrogate}/u.test(typed) ? wrong('half-character') : typed
    case 'bytes':
      return isBytes(text === '' ? '0x' : text) ? text.toLowerCase() || '0x' : wrong('not-bytes')
    case 'fixed-bytes':
      if (!isBytes(text)) return wrong('not-bytes')
      return text.length === 2 + 2 * type.size ? text.toLowerCase() : wrong('wrong-size')
    default:
      return parseNumber(type, text, wrong)
  }
}

function parseAddressValue(text: string, wrong: Wrong): Value {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return wrong('not-an-address')
  if (text !== text.toLowerCase() && !isAddress(text)) return wrong('bad-checksum')
  return getAddress(text.toLowerCase() as Address)
}

function parseNumber(type: { kind: 'uint' | 'int'; bits: number }, text: string, wrong: Wrong): Value {
  const match = /^(-?)(0x[0-9a-fA-F]{1,64}|[0-9]{1,78})$/.exec(withoutUnit(text))
  if (match?.[2] === undefined) return wrong('not-a-number')
  const value = match[1] === '-' ? -BigInt(match[2]) : BigInt(match[2])
  const [least, most] =
    type.kind === 'uint'
      ? [0n, (1n << BigInt(type.bits)) - 1n]
      : [-(1n << BigInt(type.bits - 1)), (1n << BigInt(type.bits - 1)) - 1n]
  return value < least || value > most ? wrong('out-of-range') : value
}

const unitDecimals: Readonly<Record<string, number>> = { wei: 0, gwei: 9, ether: 18 }

/** A number in the smallest unit, from one with a unit; as it is where it has none, or is no whole number of the smallest. */
function withoutUnit(text: string): string {
  const match = /^(-?)([0-9]{1,78})(?:\.([0-9]{1,77}))?(?: ?(wei|gwei|ether)|e([0-9]{1,2}))$/i.exec(text)
  if (match === null) return text
  const [, sign = '', whole = '', fraction = '', unit, exponent] = match
  const decimals = unit === undefined ? Number(exponent) : (unitDecimals[unit.toLowerCase()] ?? 0)
  const digits = fraction.replace(/0+$/, '')
  if (digits.length > decimals) return text
  return sign + (whole + digits.padEnd(decimals, '0')).replace(/^0+(?=[0-9])/, '')
}

/** The parts of a list or tuple: as they are, or from JSON, in which a tuple may be an object. Numbers keep their digits. */
function partsOf(typed: TypedValue, names: readonly string[]): readonly TypedValue[] | null {
  if (typeof typed !== 'string') return typed
  try {
    // Digits beyond 2^53 would be lost: a bare number becomes a text before it is read. A text without an end is looked
    // through once: from each of its quotation marks anew, it would take hours.
    const parsed: unknown = JSON.parse(typed.replace(/"(?:[^"\\]+|\\[\s\S]?)*"?|-?\b[0-9][\w.+-]*/g, quoteNumber))
    const listed = isRecord(parsed) ? membersOf(parsed, names) : parsed
    return Array.isArray(listed) && !listed.includes(null) ? listed.map(toTyped) : null
  } catch {
    // No JSON, or nested deeper than anything that can be read.
    return null
  }
}

/** The members of a tuple in their order; null where one is missing, or there is one that the tuple does not have. */
function membersOf(given: Record<string, unknown>, names: readonly string[]): unknown[] | null {
  const isWhole = names.length > 0 && names.every((name) => Object.hasOwn(given, name))
  return isWhole && Object.keys(given).length === names.length ? names.map((name) => given[name]) : null
}

function quoteNumber(token: string): string {
  return token.startsWith('"') ? token : `"${token}"`
}

function toTyped(value: unknown): TypedValue {
  if (Array.isArray(value)) return value.map(toTyped)
  if (typeof value === 'string') return value
  return isRecord(value) ? JSON.stringify(value) : String(value)
}
