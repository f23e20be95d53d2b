import { fail } from '../error-sentences.ts'

/**
 * A type of the ABI, taken apart. `name` is its canonical name, `headSize` the bytes it takes where it stands. `enumName`: the
 * number stands for a member of this enum, as the JSON of an ABI claims; how the members are called no ABI says.
 */
export type AbiType = { name: string; isDynamic: boolean; headSize: number } & (
  | { kind: 'uint'; bits: number; enumName?: string }
  | { kind: 'int'; bits: number }
  | { kind: 'fixed-bytes'; size: number }
  | { kind: 'address' | 'bool' | 'bytes' | 'string' }
  | { kind: 'list'; element: AbiType; length: number | null }
  | { kind: 'tuple'; members: readonly AbiParameter[] }
)

/** A parameter of a function, or a member of a tuple. */
export type AbiParameter = { name: string; type: AbiType }

/** Beyond these a type is refused: no function has them, and an ABI can come from anybody. */
const TYPE_LIMITS = { depth: 16, parameters: 256, headSize: 131_072, nameLength: 128, suffixLength: 256 } as const

function malformed(what: string) {
  return fail('ABI_MALFORMED', { reason: 'name', at: what.length > 100 ? `${what.slice(0, 100)}…` : what })
}

/** `name`, when it is a name that a compiler would take; empty names are fine for parameters. */
export function parseAbiName(name: string): string {
  if (name.length > TYPE_LIMITS.nameLength || !/^[A-Za-z_$][\w$]*$|^$/.test(name)) throw malformed(name)
  return name
}

const simpleTypes: Record<string, AbiType> = {
  address: { kind: 'address', name: 'address', isDynamic: false, headSize: 32 },
  bool: { kind: 'bool', name: 'bool', isDynamic: false, headSize: 32 },
  bytes: { kind: 'bytes', name: 'bytes', isDynamic: true, headSize: 32 },
  string: { kind: 'string', name: 'string', isDynamic: true, headSize: 32 },
  // An address and a selector, as one value.
  function: { kind: 'fixed-bytes', size: 24, name: 'function', isDynamic: false, headSize: 32 },
}

const cache = new Map(Object.entries(simpleTypes))

/** A type without list or tuple: `address`, `uint96`, `bytes4`. */
function elementaryType(name: string): AbiType {
  const found = cache.get(name)
  if (found !== undefined) return found
  const match = /^(uint|int|bytes)([1-9][0-9]{0,2})?$/.exec(name)
  if (match === null) throw malformed(name)
  const [, kind, digits] = match
  const count = digits === undefined ? 256 : Number(digits)
  let type: AbiType
  if (kind === 'bytes') {
    if (count > 32) throw malformed(name)
    type = { kind: 'fixed-bytes', size: count, name, isDynamic: false, headSize: 32 }
  } else {
    if (count > 256 || count % 8 !== 0) throw malformed(name)
    type = {
      kind: kind === 'int' ? 'int' : 'uint',
      bits: count,
      name: `${kind}${count}`,
      isDynamic: false,
      headSize: 32,
    }
  }
  cache.set(name, type)
  return type
}

/** The type of several values one after the other. */
export function tupleType(members: readonly AbiParameter[]): AbiType {
  if (members.length === 0 || members.length > TYPE_LIMITS.parameters) throw malformed('()')
  const isDynamic = members.some(({ type }) => type.isDynamic)
  const inline = members.reduce((sum, { type }) => sum + type.headSize, 0)
  if (inline > TYPE_LIMITS.headSize) throw malformed('(…)')
  const name = `(${members.map(({ type }) => type.name).join(',')})`
  return { kind: 'tuple', members, name, isDynamic, headSize: isDynamic ? 32 : inline }
}

function listType(element: AbiType, length: number | null): AbiType {
  const isDynamic = length === null || element.isDynamic
  const inline = element.headSize * (length ?? 1)
  if (inline > TYPE_LIMITS.headSize) throw malformed(`${element.name}[${length}]`)
  const name = `${element.name}[${length ?? ''}]`
  return { kind: 'list', element, length, name, isDynamic, headSize: isDynamic ? 32 : inline }
}

/** Wraps a type in lists, as the suffix says: `[]`, `[3][]`. Lists of nothing would never end. */
export function withSuffix(type: AbiType, suffix: string, depth = 0): AbiType {
  // Before the expression looks at it, which keeps each list on the stack.
  if (suffix.length > TYPE_LIMITS.suffixLength || !/^(\[([1-9][0-9]{0,5})?\])*$/.test(suffix))
    throw malformed(`${type.name}${suffix}`)
  const lengths = [...suffix.matchAll(/\[([0-9]*)\]/g)]
  if (depth + lengths.length > TYPE_LIMITS.depth) throw malformed(`${type.name}${suffix}`)
  return lengths.reduce((inner, [, length]) => listType(inner, length ? Number(length) : null), type)
}

/** The type of an elementary name with its suffix: `uint256[2][]`. */
export function parseAbiType(text: string, depth = 0): AbiType {
  const at = text.indexOf('[')
  return at < 0 ? elementaryType(text) : withSuffix(elementaryType(text.slice(0, at)), text.slice(at), depth)
}

/** The type of the values of an enum, or of lists of them; any other as it is. */
export function asEnum(type: AbiType, enumName: string): AbiType {
  if (type.kind === 'list') return { ...type, element: asEnum(type.element, enumName) }
  return type.kind === 'uint' ? { ...type, enumName } : type
}

/**
 * The enum that a type, or what a list holds, is a member of.
 *
 * @example
 * enumNameOf(parseGivenAbiJson(json)[0].inputs[0].type) // 'Exchange.Side', for `internalType` enum Exchange.Side[]
 */
export function enumNameOf(type: AbiType): string | null {
  if (type.kind === 'list') return enumNameOf(type.element)
  return type.kind === 'uint' ? (type.enumName ?? null) : null
}

/** A function as it is written: `aggregate((address target, bytes callData)[] calls)`. */
export type AbiSignature = { name: string; inputs: readonly AbiParameter[] }

/**
 * Reads a function as people write it, with or without the names of its parameters.
 *
 * @throws CountersignError `ABI_MALFORMED`
 * @example
 * parseAbiSignature('transfer(address to, uint256 amount)').inputs[1]?.type.name // 'uint256'
 */
export function parseAbiSignature(text: string): AbiSignature {
  const open = text.indexOf('(')
  if (open < 1 || text.length > 10_000) throw malformed(text)
  const [inputs, end] = parseParameters(text, open, 0)
  if (end !== text.length) throw malformed(text.slice(end))
  return { name: parseAbiName(text.slice(0, open).trim()), inputs }
}

/** The parameters from the bracket at `open` on, and where they end. */
function parseParameters(text: string, open: number, depth: number): [AbiParameter[], number] {
  if (depth > TYPE_LIMITS.depth) throw malformed(text)
  const first = skipSpaces(text, open + 1)
  if (text[first] === ')') return [[], first + 1]
  const parameters: AbiParameter[] = []
  for (let at = first; ; ) {
    const [parameter, end] = parseParameter(text, at, depth)
    parameters.push(parameter)
    if (parameters.length > TYPE_LIMITS.parameters) throw malformed(text)
    if (text[end] === ')') return [parameters, end + 1]
    at = skipSpaces(text, end + 1)
  }
}

function skipSpaces(text: string, from: number): number {
  let at = from
  while (text[at] === ' ') at += 1
  return at
}

/** One parameter, and where the comma or bracket behind it stands. */
function parseParameter(text: string, start: number, depth: number): [AbiParameter, number] {
  const [members, from] = text[start] === '(' ? parseParameters(text, start, depth + 1) : [null, start]
  const tuple = members === null ? null : tupleType(members)
  const length = text.slice(from).search(/[,)]/)
  if (length < 0) throw malformed(text.slice(from))
  const end = from + length
  const [first = '', second = '', ...more] = text.slice(from, end).trim().split(/ +/)
  if (more.length > 0) throw malformed(text.slice(from, end))
  if (tuple === null) return [{ name: parseAbiName(second), type: parseAbiType(first, depth) }, end]
  // Behind a tuple comes its suffix as a list, its name, or both.
  const [suffix, name, rest] = first === '' || first.startsWith('[') ? [first, second, ''] : ['', first, second]
  if (rest !== '') throw malformed(text.slice(from, end))
  return [{ name: parseAbiName(name), type: withSuffix(tuple, suffix, depth) }, end]
}

/**
 * Writes a function as its selector is made of: without the names of its parameters.
 *
 * @example
 * writeAbiSignature(parseAbiSignature('transfer(address to, uint256 amount)')) // 'transfer(address,uint256)'
 */
export function writeAbiSignature({ name, inputs }: AbiSignature): string {
  return `${name}(${inputs.map(({ type }) => type.name).join(',')})`
}

/**
 * A function with the types and names of its parameters, as `parseAbiSignature` takes it.
 *
 * @example
 * parseGivenAbiJson('[{"type":"function","name":"burn","inputs":[{"type":"uint256","name":"id"}]}]').map(writeAbiDeclaration)
 * // ['burn(uint256 id)']
 */
export function writeAbiDeclaration({ name, inputs }: AbiSignature): string {
  return `${name}(${writeParameters(inputs)})`
}

function writeParameters(parameters: readonly AbiParameter[]): string {
  return parameters.map(({ name, type }) => `${writeType(type)} ${name}`.trim()).join(', ')
}

function writeType(type: AbiType): string {
  if (type.kind === 'tuple') return `(${writeParameters(type.members)})`
  return type.kind === 'list' ? `${writeType(type.element)}[${type.length ?? ''}]` : type.name
}
