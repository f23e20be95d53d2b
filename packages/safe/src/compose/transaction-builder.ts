import { type Address, getAddress, type Hex, isAddress, keccak256, stringToHex } from 'viem'
import type { AbiType } from '../abi/abi-type.ts'
import { isBytes, showValue, uintWord } from '../abi/abi-word.ts'
import { parseGivenAbi } from '../calls/given-abi.ts'
import { fail } from '../error-sentences.ts'
import { isRecord } from '../json.ts'
import { encodeTypedCall, type TypedValue } from './call-values.ts'
import type { CallIntent } from './intent.ts'

/** Characters of a file: more than any block holds. */
const MAX_FILE = 4_000_000
/** Entries of a file. */
const MAX_ENTRIES = 5_000

/** A file of the Transaction Builder: its calls, its chain, and whether its checksum fits; null when it has none. */
export type TransactionBuilderFile = {
  chainId: number | null
  name: string | null
  calls: CallIntent[]
  isChecksumRight: boolean | null
}

/**
 * Writes calls as a file that the Transaction Builder of Safe reads, with its checksum.
 *
 * @param createdAt - ms since 1970
 * @example
 * download(writeTransactionBuilderFile({ chainId: 1, safeAddress, name: 'Suppliers', createdAt: 0, calls }))
 */
export function writeTransactionBuilderFile({
  chainId,
  safeAddress,
  name,
  createdAt,
  calls,
}: {
  chainId: number
  safeAddress: Address
  name: string
  createdAt: number
  calls: readonly Omit<CallIntent, 'kind'>[]
}): string {
  const meta = {
    name,
    description: '',
    txBuilderVersion: '1.18.2',
    createdFromSafeAddress: safeAddress,
    createdFromOwnerAddress: '',
  }
  const transactions = calls.map(({ to, value, data }) => ({
    to,
    value: value.toString(),
    data,
    contractMethod: null,
    contractInputsValues: null,
  }))
  const file = { version: '1.0', chainId: String(chainId), createdAt, meta, transactions }
  return `${JSON.stringify({ ...file, meta: { ...meta, checksum: checksumOf(file) } }, null, 2)}\n`
}

/**
 * Reads a file of the Transaction Builder. Calls that it gives by function and values are encoded here.
 *
 * @throws CountersignError `FIELD_MALFORMED` naming the entry and the field that cannot be read
 * @example
 * const { calls, isChecksumRight } = parseTransactionBuilderFile(pasted)
 */
export function parseTransactionBuilderFile(text: string): TransactionBuilderFile {
  try {
    return readFile(text)
  } catch (error) {
    // Values that are nested without end, where the file needs none that are.
    if (!(error instanceof RangeError)) throw error
    throw fail('FIELD_MALFORMED', { reason: 'file-not-json', value: showValue(text, 40) }, error)
  }
}

function readFile(text: string): TransactionBuilderFile {
  if (text.length > MAX_FILE)
    throw fail('FIELD_MALFORMED', { reason: 'file-length', length: text.length, limit: MAX_FILE })
  const file = parseJson(text)
  const { transactions, chainId, meta } = isRecord(file) ? file : {}
  if (!isRecord(file) || !Array.isArray(transactions) || transactions.length === 0)
    throw fail('FIELD_MALFORMED', { reason: 'file-not-json', value: showValue(text, 40) })
  if (transactions.length > MAX_ENTRIES)
    throw fail('FIELD_MALFORMED', { reason: 'file-length', length: transactions.length, limit: MAX_ENTRIES })
  const { checksum, ...rest } = isRecord(meta) ? meta : {}
  const hasChecksum = typeof checksum === 'string' && checksum !== ''
  const name = isRecord(meta) && typeof meta.name === 'string' && meta.name !== '' ? meta.name : null
  const calls = transactions.map(readEntry)
  return {
    chainId: chainId === undefined || chainId === '' ? null : Number(uint('chainId', chainId)),
    name,
    calls,
    isChecksumRight: hasChecksum ? checksumOf({ ...file, meta: rest }) === checksum.toLowerCase() : null,
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw fail('FIELD_MALFORMED', { reason: 'file-not-json', value: showValue(text, 40) }, cause)
  }
}

function readEntry(entry: unknown, index: number): CallIntent {
  const field = (name: string) => `transactions[${index}].${name}`
  if (!isRecord(entry)) throw fail('FIELD_MALFORMED', { reason: 'file-not-json', value: showValue(entry, 40) })
  const { to, value, data, contractMethod, contractInputsValues } = entry
  if (typeof to !== 'string' || !isAddress(to, { strict: to !== to.toLowerCase() }))
    throw fail('FIELD_MALFORMED', { reason: 'address', field: field('to'), value: showValue(to, 80) })
  // A file of a Safe App may order a delegatecall: a batch of calls cannot carry it out, and must not change it.
  if (entry.operation !== undefined && Number(entry.operation) !== 0)
    throw fail('FIELD_MALFORMED', {
      reason: 'operation',
      field: field('operation'),
      value: showValue(entry.operation, 20),
    })
  const call = { kind: 'call' as const, to: getAddress(to), value: uint(field('value'), value ?? '0') }
  if (typeof data === 'string' && data !== '') {
    if (!isBytes(data))
      throw fail('FIELD_MALFORMED', { reason: 'bytes', field: field('data'), value: showValue(data, 80) })
    return { ...call, data: data.toLowerCase() as Hex }
  }
  if (!isRecord(contractMethod)) return { ...call, data: '0x' }
  return { ...call, data: encodeMethod(contractMethod, contractInputsValues, field('contractInputsValues')) }
}

/** The data of a call that a file gives by its function, and each value by the name of its parameter. */
function encodeMethod(method: Record<string, unknown>, given: unknown, field: string): Hex {
  // By these names the builder means plain coin.
  if (method.name === 'fallback' || method.name === 'receive') return '0x'
  const [called] = parseGivenAbi([{ type: 'function', ...method }])
  if (called === undefined) throw fail('FIELD_MALFORMED', { reason: 'missing', field, method: 'contractMethod' })
  const values = isRecord(given) ? given : {}
  const typed = called.inputs.map(({ name, type }, index) => {
    const at = [name, String(index)].find((key) => Object.hasOwn(values, key))
    // A text or bytes that a file does not have would be taken for empty ones.
    if (at === undefined)
      throw fail('FIELD_MALFORMED', { reason: 'missing', field: `${field}.${name || index}`, method: called.signature })
    return withBrackets(type, toTyped(values[at]))
  })
  const encoded = encodeTypedCall(called, typed)
  if (encoded.ok) return encoded.data
  const [problem] = encoded.problems
  const name = called.inputs[problem?.path[0] ?? 0]?.name ?? ''
  throw fail('FIELD_MALFORMED', {
    reason: 'value',
    field: `${field}.${name}`,
    value: problem?.typed ?? '',
    type: problem?.type ?? '',
  })
}

function toTyped(value: unknown): TypedValue {
  return typeof value === 'string' ? value : Array.isArray(value) ? value.map(toTyped) : JSON.stringify(value)
}

/**
 * Adds the brackets to a list of plain values that a file writes as `1,2,3`. Strings stay unchanged, because they may contain
 * commas.
 */
function withBrackets(type: AbiType, typed: TypedValue): TypedValue {
  const isPlain = type.kind === 'list' && !['list', 'tuple', 'string'].includes(type.element.kind)
  return isPlain && typeof typed === 'string' && /^\s*[^\s[]/.test(typed) ? `[${typed}]` : typed
}

function uint(field: string, value: unknown): bigint {
  const written = Number.isSafeInteger(value) ? String(value) : value
  if (typeof written !== 'string' || !/^[0-9]{1,78}$/.test(written))
    throw fail('FIELD_MALFORMED', { reason: 'number', field, value: showValue(value, 80), bits: 256 })
  uintWord(field, BigInt(written))
  return BigInt(written)
}

/**
 * The checksum of the Transaction Builder: keccak256 of the file without it and without its name, each object as its sorted
 * keys in JSON and then its values, each with a comma behind.
 */
function checksumOf(file: Record<string, unknown>): Hex {
  const meta = isRecord(file.meta) ? file.meta : {}
  return keccak256(stringToHex(serialize({ ...file, meta: { ...meta, name: null } })))
}

function serialize(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(serialize).join(',')}]`
  if (!isRecord(value)) return JSON.stringify(value ?? null)
  const keys = Object.keys(value).sort()
  return `{${JSON.stringify(keys)}${keys.map((key) => `${serialize(value[key])},`).join('')}}`
}
