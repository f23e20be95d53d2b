import {
  concatHex,
  encodeAbiParameters,
  getTypesForEIP712Domain,
  type Hex,
  keccak256,
  size,
  stringToHex,
  validateTypedData,
} from 'viem'

/** Typed data that may be unchecked. Hashing throws if a value does not fit its type. */
type TypedData = {
  domain: Record<string, unknown>
  types: Record<string, readonly { name: string; type: string }[]>
  primaryType: string
  message: Record<string, unknown>
}

/** Interruptible work. It yields the cost of each step before the step, in blocks of keccak-256. */
export type Steps<Result> = Generator<number, Result, void>

/**
 * Runs all steps without interruption.
 *
 * @example
 * const content = runSteps(parseMessageContentInSteps(json))
 */
export function runSteps<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** Block size of keccak-256 in bytes, the unit of hashing costs. */
export const HASH_BLOCK_BYTES = 136

/**
 * Hashes EIP-712 typed data like viem's `hashTypedData`, in steps between which other work can run. It hashes each type once,
 * however many values have the type.
 *
 * @throws what viem throws for typed data that cannot be hashed
 * @example
 * runSteps(hashTypedDataInSteps(typedData)) === hashTypedData(typedData)
 */
export function* hashTypedDataInSteps({ domain, message, primaryType, ...given }: TypedData): Steps<Hex> {
  const types: TypedData['types'] = { EIP712Domain: getTypesForEIP712Domain({ domain }), ...given.types }
  // Hashing alone would accept a number outside the range of its type.
  validateTypedData({ domain, message, primaryType, types })
  const typeHashes = new Map<string, Hex>()

  function* hash(bytes: Hex): Steps<Hex> {
    yield 1 + Math.floor(size(bytes) / HASH_BLOCK_BYTES)
    return keccak256(bytes)
  }

  function* hashType(type: string): Steps<Hex> {
    const known = typeHashes.get(type)
    if (known) return known
    const made = yield* hash(stringToHex(encodeType(types, type)))
    typeHashes.set(type, made)
    return made
  }

  function* hashStruct(type: string, value: Record<string, unknown>): Steps<Hex> {
    const words = [yield* hashType(type)]
    for (const field of types[type] ?? []) words.push(yield* encodeField(field.type, value[field.name]))
    return yield* hash(concatHex(words))
  }

  function* encodeField(type: string, value: unknown): Steps<Hex> {
    // viem's `validateTypedData` does not check lists. A value that does not fit throws below.
    if (Object.hasOwn(types, type)) return yield* hashStruct(type, value as Record<string, unknown>)
    if (type === 'bytes') return yield* hash(value as Hex)
    if (type === 'string') return yield* hash(stringToHex(value as string))
    if (!type.endsWith(']')) return encodeAbiParameters([{ type }], [value])
    const inner = type.slice(0, type.lastIndexOf('['))
    if (!Array.isArray(value)) throw new Error(`The value of \`${type}\` is no list.`)
    const words: Hex[] = []
    for (const item of value) {
      yield 1
      words.push(yield* encodeField(inner, item))
    }
    return yield* hash(concatHex(words))
  }

  const parts: Hex[] = ['0x1901', yield* hashStruct('EIP712Domain', domain)]
  if (primaryType !== 'EIP712Domain') parts.push(yield* hashStruct(primaryType, message))
  return keccak256(concatHex(parts))
}

/**
 * Encodes a type as EIP-712 hashes it, followed by the types it refers to, sorted by name. Only names without spaces, commas and
 * brackets, which `parseMessageContent` requires, are encoded unambiguously.
 *
 * @example
 * encodeType(types, 'Mail') // 'Mail(Person from,string contents)Person(string name)'
 */
export function encodeType(types: TypedData['types'], type: string): string {
  const needed = new Set<string>()
  const collect = (one: string) => {
    const name = one.replace(/(\[[0-9]*\])+$/, '')
    if (needed.has(name) || !Object.hasOwn(types, name)) return
    needed.add(name)
    for (const field of types[name] ?? []) collect(field.type)
  }
  collect(type)
  needed.delete(type)
  return [type, ...[...needed].sort()]
    .map((name) => `${name}(${(types[name] ?? []).map((field) => `${field.type} ${field.name}`).join()})`)
    .join('')
}
