import { type Address, getTypesForEIP712Domain } from 'viem'
import { showValue } from '../abi/abi-word.ts'
import { fail } from '../error-sentences.ts'
import { HIDDEN_CHARACTER } from '../hidden-characters.ts'
import { findAmbiguity } from './json-ambiguity.ts'
import { encodeOnce, type MessageContent, type MessageTypedData } from './safe-message.ts'
import { HASH_BLOCK_BYTES, runSteps, type Steps } from './typed-data-hash.ts'

/** Limits of one message. More than any application asks for, and little enough to hash and to show. */
export const messageLimits = {
  /** Limit of a text's length, or of the JSON length of typed data. */
  characters: 65_536,
  /** Limit of a text's JSON length, which includes quotation marks and escapes. */
  json: 6 * 65_536 + 2,
  /** Objects and lists inside each other. */
  depth: 32,
  types: 100,
  /** Limit of values in typed data. Each is hashed and shown. The largest exchange orders have about 2,000. */
  values: 4_096,
  /** Objects times the length of all types: each object is hashed together with the types that it needs. */
  work: 1_048_576,
} as const

/** One value of typed data, as EIP-712 reads it: in the order of its types, whatever the order of its keys. */
export type TypedDataField = {
  /** `domain` or `message`, then names and places: `message.order.items[2].token` */
  path: string
  name: string
  type: string
  /** How far inside, from 0. */
  depth: number
  /** Null for what only holds others. */
  value: string | null
}

/** Typed data as it is to be read by who signs it. */
export type TypedDataReading = {
  fields: TypedDataField[]
  /** Paths of what is in the JSON and in no type: the signature does not cover it. */
  unsigned: string[]
}

/**
 * Reads a message as applications hand it over and as it is kept: JSON, a string for a text (EIP-191), an object for
 * typed data (EIP-712). What two readers could hash differently is refused: numbers that are not whole, or beyond 2^53 and
 * not written as strings, bytes that are not hex, names that could be taken for two, keys that stand twice in one object.
 * Typed data whose hash covers no part of the message is also refused. The result contains no undeclared fields, and has the type
 * of its domain.
 *
 * @param json - as it came; it is never written anew, so that the order of its keys stays.
 * @throws CountersignError `FIELD_MALFORMED` when it is neither, cannot be hashed, or goes beyond {@link messageLimits}.
 * @example
 * const content = parseMessageContent('"hello world"')
 * hashSafeMessage({ chainId: 1, safeAddress, version: '1.4.1', content }).safeMessageHash
 */
export function parseMessageContent(json: string): MessageContent {
  return runSteps(parseMessageContentInSteps(json))
}

/**
 * Parses a message like {@link parseMessageContent}, in steps between which other work can run.
 *
 * @throws CountersignError `FIELD_MALFORMED` as {@link parseMessageContent} does, at the step that finds it.
 * @example
 * for (const step of parseMessageContentInSteps(json)) await pauseAfter(step)
 */
export function* parseMessageContentInSteps(json: string): Steps<MessageContent> {
  const isText = /^\s*"/.test(json)
  checkLength(json.length, isText ? messageLimits.json : messageLimits.characters)
  const content = yield* toContent(parse(json), json)
  if (content.encoding === 'EIP191_TEXT') checkLength(content.text.length, messageLimits.characters)
  yield* encodeOnce(content)
  return content
}

function checkLength(length: number, limit: number): void {
  if (length > limit) throw fail('FIELD_MALFORMED', { reason: 'content-length', field: 'content', length, limit })
}

/**
 * Returns an upper bound of the cost of parsing and hashing a message, in blocks of keccak-256. It scans the JSON once and counts
 * commas and brackets, because each value follows one.
 *
 * @example
 * boundMessageWork('"hello world"') // blocks
 */
export function boundMessageWork(json: string): number {
  const { length } = json
  let [commas, opened] = [0, 0]
  for (let at = 0; at < length; at += 1) {
    const character = json[at]
    if (character === ',') commas += 1
    else if (character === '[' || character === '{') opened += 1
  }
  // Each type is hashed once, together with the types it refers to.
  const ofTypes = Math.min(Math.min(opened, messageLimits.types) * length, messageLimits.work)
  const values = Math.min(commas + opened, 2 * messageLimits.values)
  return 1 + 3 * values + Math.ceil((length + ofTypes) / HASH_BLOCK_BYTES)
}

/**
 * Writes a message as JSON with the Safe and the chain, for who looks at it or signs it elsewhere.
 *
 * @param json of the content, as it came: `parseMessageContent` has read it
 * @example
 * save(writeMessageFile({ chainId, safeAddress, version: '1.4.1', json: '"hello world"' }))
 */
export function writeMessageFile({
  chainId,
  safeAddress,
  version,
  json,
}: {
  chainId: number
  safeAddress: Address
  version: string | null
  json: string
}): string {
  const head = JSON.stringify({ chainId, safe: safeAddress, version: version ?? undefined })
  return `${head.slice(0, -1)},"message":${json}}\n`
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch (cause) {
    throw fail(
      'FIELD_MALFORMED',
      { reason: 'content-not-json', field: 'content', answer: cause instanceof Error ? cause.message : '' },
      cause,
    )
  }
}

function* toContent(value: unknown, json: string): Steps<MessageContent> {
  if (typeof value === 'string') return { encoding: 'EIP191_TEXT', text: value }
  if (!isObject(value)) throw fail('FIELD_MALFORMED', { reason: 'content-kind', field: 'content' })
  const typedData = parseTypedData(value)
  const { key, number } = findAmbiguity(json, (path) => isSigned(path, typedData))
  if (key !== undefined)
    throw fail('FIELD_MALFORMED', { reason: 'content-key-twice', field: 'content', key: showValue(key) })
  if (number !== undefined)
    throw fail('FIELD_MALFORMED', { reason: 'content-number-form', field: 'content', number: showValue(number) })
  yield* describeFields(typedData)
  return { encoding: 'EIP712', typedData: withoutUnsigned(typedData) }
}

/** Whether the hash covers the value at these keys. A number that the hash does not cover is not checked. */
function isSigned([part, ...keys]: string[], { types, primaryType }: MessageTypedData): boolean {
  let type = part === 'domain' ? 'EIP712Domain' : primaryType
  if (part !== 'domain' && part !== 'message') return false
  for (const key of keys) {
    const fields = structOf(types, type.replace(/\[.*$/, ''))
    // An object or list where a plain value belongs is refused later, as a value of its type.
    if (!fields) return true
    const field = fields.find(({ name }) => name === key)
    if (!field) return false
    type = field.type
  }
  return true
}

function parseTypedData(value: Record<string, unknown>): MessageTypedData {
  const { domain, types, primaryType, message } = value
  if (!isObject(domain)) throw fail('FIELD_MALFORMED', { reason: 'content-part', field: 'content', part: 'domain' })
  if (typeof primaryType !== 'string')
    throw fail('FIELD_MALFORMED', { reason: 'content-part', field: 'content', part: 'primaryType' })
  if (!isObject(message)) throw fail('FIELD_MALFORMED', { reason: 'content-part', field: 'content', part: 'message' })
  const read = parseTypes(types)
  const odd = findTypeHashedDifferently(read, primaryType)
  if (odd !== undefined)
    throw fail('FIELD_MALFORMED', { reason: 'content-type-name', field: 'content', type: showValue(odd) })
  // viem and ethers accept typed data without this type, and derive it from the fields of the domain.
  const EIP712Domain = Object.hasOwn(read, 'EIP712Domain') ? read.EIP712Domain : getTypesForEIP712Domain({ domain })
  return { domain, types: { EIP712Domain: EIP712Domain ?? [], ...read }, primaryType, message }
}

/**
 * MetaMask ends the name of a type at the first character that is no letter, digit or underscore; viem and ethers do not. They
 * hash such a name alike only if it is the primary type and needs no other type. A name that contains other types, such as
 * `PermitWitnessTransferFrom(…)W`, would have the hash of the type that it imitates. Undefined if there is none.
 */
function findTypeHashedDifferently(types: MessageTypedData['types'], primaryType: string): string | undefined {
  return Object.keys(types).find((name) => {
    if (/[\s,()[\]]/.test(name)) return true
    const [word = ''] = /^\w*/.exec(name) ?? []
    const needsOther = types[name]?.some(({ type }) => structOf(types, type.replace(/\[.*$/, '')) !== null)
    return word !== name && (name !== primaryType || needsOther || structOf(types, word) !== null)
  })
}

function parseTypes(types: unknown): MessageTypedData['types'] {
  if (!isObject(types)) throw fail('FIELD_MALFORMED', { reason: 'content-part', field: 'content', part: 'types' })
  const entries = Object.entries(types)
  if (entries.length > messageLimits.types)
    throw fail('FIELD_MALFORMED', {
      reason: 'content-type-count',
      field: 'content',
      count: entries.length,
      limit: messageLimits.types,
    })
  return Object.fromEntries(
    entries.map(([type, fields]) => {
      if (!Array.isArray(fields))
        throw fail('FIELD_MALFORMED', { reason: 'content-type', field: 'content', type: showValue(type) })
      const read = fields.map((field: unknown) => parseTypeField(type, field))
      if (new Set(read.map(({ name }) => name)).size < read.length)
        throw fail('FIELD_MALFORMED', { reason: 'content-field-twice', field: 'content', type: showValue(type) })
      return [type, read]
    }),
  )
}

/**
 * Parses a field of a type. The hash joins names with spaces, commas and brackets, so names must not contain these. Names must also
 * not imitate each other, for example with a letter of another alphabet among Latin letters.
 */
function parseTypeField(of: string, field: unknown): { name: string; type: string } {
  const { name, type } = isObject(field) ? field : {}
  if (typeof name !== 'string' || !/^[^\s,()[\]]{1,200}$/.test(name) || /\p{Surrogate}/u.test(name))
    throw fail('FIELD_MALFORMED', { reason: 'content-field-name', field: 'content', type: showValue(of) })
  if (isDisguised(name))
    throw fail('FIELD_MALFORMED', { reason: 'content-field-letters', field: 'content', type: showValue(of) })
  if (typeof type !== 'string' || !/^[^\s,()[\]]{1,200}(?:\[(?:[1-9][0-9]{0,5})?\]){0,8}$/.test(type))
    throw fail('FIELD_MALFORMED', { reason: 'content-field-type', field: 'content', type: showValue(of) })
  return { name, type }
}

/** Whether programs or readers can take a name for another name. */
function isDisguised(name: string): boolean {
  const isMixed = /[a-z]/i.test(name) && /[^\0-\x7f]/.test(name)
  return isMixed || HIDDEN_CHARACTER.test(name) || name.normalize('NFKC') !== name || name === '__proto__'
}

/**
 * Everything that a signature on typed data covers, field by field, and the names of what it does not cover.
 *
 * @throws CountersignError `FIELD_MALFORMED` when a value is missing, does not fit its type or could be read in two
 * ways, or when it goes beyond {@link messageLimits}.
 * @example
 * describeTypedData(typedData).fields.map(({ path, value }) => `${path}: ${value}`)
 */
export function describeTypedData(typedData: MessageTypedData): TypedDataReading {
  return runSteps(describeFields(parseTypedData(typedData)))
}

function* describeFields({ domain, types, primaryType, message }: MessageTypedData): Steps<TypedDataReading> {
  const reading: TypedDataReading = { fields: [], unsigned: [] }
  const weight = JSON.stringify(types).length
  let work = 0

  function* describeStruct(type: string, value: unknown, path: string, depth: number): Steps<void> {
    const declared = structOf(types, type)
    if (!isObject(value)) throw fail('FIELD_MALFORMED', { reason: 'content-object', field: 'content', path, type })
    work += weight
    if (work > messageLimits.work) throw fail('FIELD_MALFORMED', { reason: 'content-work', field: 'content' })
    for (const field of declared ?? [])
      yield* describeValue(field.type, ownValue(value, field.name), {
        name: field.name,
        path: `${path}.${field.name}`,
        depth,
      })
    for (const key of Object.keys(value))
      if (!declared?.some(({ name }) => name === key)) reading.unsigned.push(`${path}.${key}`)
  }

  function* describeValue(
    type: string,
    value: unknown,
    { name, path, depth }: Pick<TypedDataField, 'name' | 'path' | 'depth'>,
  ): Steps<void> {
    yield 1
    if (reading.fields.length >= messageLimits.values)
      throw fail('FIELD_MALFORMED', { reason: 'content-values', field: 'content', limit: messageLimits.values })
    if (depth > messageLimits.depth)
      throw fail('FIELD_MALFORMED', { reason: 'content-depth', field: 'content', path, limit: messageLimits.depth })
    const list = /^(.*)\[([0-9]*)\]$/.exec(type)
    const isStruct = structOf(types, type) !== null
    reading.fields.push({ name, path, depth, type, value: list || isStruct ? null : describeLeaf(type, value, path) })
    if (isStruct) yield* describeStruct(type, value, path, depth + 1)
    if (!list) return
    const [, inner = '', length = ''] = list
    if (!Array.isArray(value) || (length !== '' && value.length !== Number(length)))
      throw fail('FIELD_MALFORMED', { reason: 'content-list', field: 'content', path, type })
    for (const [index, item] of value.entries())
      yield* describeValue(inner, item, { name: String(index), path: `${path}[${index}]`, depth: depth + 1 })
  }

  yield* describeStruct('EIP712Domain', domain, 'domain', 0)
  const ofDomain = reading.fields.length
  if (!structOf(types, primaryType))
    throw fail('FIELD_MALFORMED', { reason: 'content-primary-type', field: 'content', type: primaryType })
  // The hash of the domain's own type does not contain the message.
  if (primaryType !== 'EIP712Domain') yield* describeStruct(primaryType, message, 'message', 0)
  const isCovered = reading.fields.slice(ofDomain).some(({ type, value }) => value !== null || type.endsWith(']'))
  if (!isCovered) throw fail('FIELD_MALFORMED', { reason: 'content-not-covered', field: 'content', type: primaryType })
  return reading
}

/** Removes everything that the hash does not cover, so that no unsigned value is shown or counted as signed. */
function withoutUnsigned({ domain, types, primaryType, message }: MessageTypedData): MessageTypedData {
  const signedValue = (type: string, value: unknown): unknown => {
    const inner = /^(.*)\[[0-9]*\]$/.exec(type)?.[1]
    if (inner !== undefined && Array.isArray(value)) return value.map((item: unknown) => signedValue(inner, item))
    return isObject(value) ? signedFields(type, value) : value
  }
  const signedFields = (type: string, value: Record<string, unknown>): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(value).flatMap(([key, held]) => {
        const field = structOf(types, type)?.find(({ name }) => name === key)
        return field ? [[key, signedValue(field.type, held)]] : []
      }),
    )
  return {
    types,
    primaryType,
    domain: signedFields('EIP712Domain', domain),
    message: signedFields(primaryType, message),
  }
}

/**
 * Lists the paths in the JSON of typed data that no signature covers, such as `message.note` or `domain.version`.
 *
 * @param json a message that `parseMessageContent` accepted
 * @throws CountersignError `FIELD_MALFORMED`
 * @example
 * unsignedPaths('"hello world"') // []
 */
export function unsignedPaths(json: string): string[] {
  const value = parse(json)
  if (!isObject(value)) return []
  const beside = Object.keys(value).filter((key) => !typedDataParts.has(key))
  return [...beside, ...describeTypedData(parseTypedData(value)).unsigned]
}

const typedDataParts = new Set(['domain', 'types', 'primaryType', 'message'])

function describeLeaf(type: string, value: unknown, path: string): string {
  const refuse = () => fail('FIELD_MALFORMED', { reason: 'content-value', field: 'content', path, type })
  if (type === 'bool') {
    if (typeof value !== 'boolean') throw refuse()
    return String(value)
  }
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'number') {
    if (!/^u?int/.test(type)) throw refuse()
    if (!Number.isSafeInteger(value))
      throw fail('FIELD_MALFORMED', { reason: 'content-number', field: 'content', path, value })
    return String(value)
  }
  // Half a character has no bytes of its own: another text would have the same hash.
  if (typeof value !== 'string' || /\p{Surrogate}/u.test(value)) throw refuse()
  if (type.startsWith('bytes') && !/^0x(?:[0-9a-fA-F]{2})*$/.test(value)) throw refuse()
  if (/^u?int/.test(type) && !/^(?:-?[0-9]{1,78}|0x[0-9a-fA-F]{1,64})$/.test(value)) throw refuse()
  return /^u?int/.test(type) ? String(BigInt(value)) : value
}

function structOf(types: MessageTypedData['types'], type: string): MessageTypedData['types'][string] | null {
  return Object.hasOwn(types, type) ? (types[type] ?? null) : null
}

function ownValue(object: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
