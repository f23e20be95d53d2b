import {
  type AbiParameter,
  type AbiSignature,
  type AbiType,
  asEnum,
  enumNameOf,
  parseAbiName,
  parseAbiSignature,
  parseAbiType,
  tupleType,
  withSuffix,
  writeAbiSignature,
} from '../abi/abi-type.ts'
import { fail } from '../error-sentences.ts'
import { isRecord } from '../json.ts'
import { type KnownFunction, toGivenFunction } from './functions.ts'

/** More than any contract has. */
const MAX_FUNCTIONS = 2_000
const MAX_DEPTH = 16
const MAX_MEMBERS = 20_000
/** Characters of one function as somebody wrote it, with whatever they put around it. */
const MAX_WRITTEN = 100_000

/**
 * Reads a JSON ABI that somebody gave: from a block explorer, a compiler, a file. Functions are taken, everything else is
 * passed over.
 *
 * @param abi - the parsed JSON: a list of entries, or an artifact with one under `abi`
 * @throws CountersignError `ABI_MALFORMED` naming the entry
 * @example
 * parseGivenAbi([{ type: 'function', name: 'poke', inputs: [{ name: 'id', type: 'uint256' }] }])[0]?.signature // 'poke(uint256)'
 */
export function parseGivenAbi(abi: unknown): KnownFunction[] {
  const entries = isRecord(abi) ? abi.abi : abi
  if (!Array.isArray(entries)) throw fail('ABI_MALFORMED', { reason: 'list' })
  const functions = new Map<string, KnownFunction>()
  const budget = { members: 0 }
  for (const [index, entry] of entries.entries()) {
    if (!isRecord(entry)) throw fail('ABI_MALFORMED', { reason: 'entry', position: index })
    if (entry.type !== 'function') continue
    if (functions.size >= MAX_FUNCTIONS) throw fail('ABI_MALFORMED', { reason: 'functions', limit: MAX_FUNCTIONS })
    if (typeof entry.name !== 'string' || entry.name === '')
      throw fail('ABI_MALFORMED', { reason: 'nameless', position: index })
    const signature = { name: parseAbiName(entry.name), inputs: parseInputs(entry.inputs ?? [], 0, budget) }
    const written = writeAbiSignature(signature)
    if (written.length > 10_000) throw fail('ABI_MALFORMED', { reason: 'long', position: index })
    if (!functions.has(written)) functions.set(written, toGivenFunction(signature))
  }
  return [...functions.values()]
}

/**
 * Parses the text of an ABI's JSON.
 *
 * @throws CountersignError `ABI_MALFORMED`
 * @example
 * parseGivenAbiJson('[]') // []
 */
export function parseGivenAbiJson(json: string): KnownFunction[] {
  let abi: unknown
  try {
    abi = JSON.parse(json)
  } catch (cause) {
    throw fail('ABI_MALFORMED', { reason: 'json' }, cause)
  }
  return parseGivenAbi(abi)
}

/**
 * Parses functions as somebody gives them: the JSON of an ABI, or one function as it is written in Solidity.
 *
 * @throws CountersignError `ABI_MALFORMED`
 * @example
 * parseGivenFunctions('function burn(uint256 id) external')[0]?.signature // 'burn(uint256)'
 */
export function parseGivenFunctions(text: string): KnownFunction[] {
  const trimmed = text.trim()
  if (/^[[{]/.test(trimmed)) return parseGivenAbiJson(trimmed)
  if (trimmed.length > MAX_WRITTEN) throw fail('ABI_MALFORMED', { reason: 'name', at: `${trimmed.slice(0, 100)}…` })
  const written = trimmed.replace(/^function\s+/, '').replace(/\s+/g, ' ')
  const places = /\b(?:memory|calldata|storage|payable)\b ?/g
  const end = closingBracket(written)
  return [
    toGivenFunction(
      parseAbiSignature(
        written
          .slice(0, end + 1)
          .replace(places, '')
          .replace(/ +([,)])/g, '$1'),
      ),
    ),
  ]
}

/** Where the parameters end: what stands behind them says nothing about the call. */
function closingBracket(text: string): number {
  let depth = 0
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1
    if (text[at] === ')' && --depth === 0) return at
  }
  return text.length
}

function parseInputs(inputs: unknown, depth: number, budget: { members: number }): AbiParameter[] {
  if (!Array.isArray(inputs)) throw fail('ABI_MALFORMED', { reason: 'parameters' })
  if (depth > MAX_DEPTH) throw fail('ABI_MALFORMED', { reason: 'depth' })
  return inputs.map((input: unknown) => {
    budget.members += 1
    if (budget.members > MAX_MEMBERS) throw fail('ABI_MALFORMED', { reason: 'parameter-count' })
    if (!isRecord(input) || typeof input.type !== 'string') throw fail('ABI_MALFORMED', { reason: 'parameter' })
    const name = parseAbiName(typeof input.name === 'string' ? input.name : '')
    const { type } = input
    if (!type.startsWith('tuple')) return { name, type: ofInternal(parseAbiType(type, depth), input.internalType) }
    return { name, type: withSuffix(tupleType(parseInputs(input.components, depth + 1, budget)), type.slice(5), depth) }
  })
}

/** The enum by what the compiler noted beside a type: `enum Exchange.Side[]`. Anything else that stands there says nothing. */
const internalEnum = /^enum ([A-Za-z_$][\w$]{0,127}(?:\.[A-Za-z_$][\w$]{0,127})?)(?:\[\d*\])*$/

function ofInternal(type: AbiType, internalType: unknown): AbiType {
  const enumName = typeof internalType === 'string' ? internalEnum.exec(internalType)?.[1] : undefined
  return enumName === undefined ? type : asEnum(type, enumName)
}

/**
 * Writes functions as the JSON of an ABI, as `parseGivenAbiJson` reads it.
 *
 * @example
 * writeAbiJson([{ name: 'burn', inputs: [] }]) // '[{"type":"function","name":"burn","inputs":[]}]'
 */
export function writeAbiJson(functions: readonly AbiSignature[]): string {
  return JSON.stringify(functions.map(({ name, inputs }) => ({ type: 'function', name, inputs: inputs.map(toJson) })))
}

/** A parameter in the form of JSON ABIs, in which tuples name their members apart. */
export function toJson({ name, type }: AbiParameter): {
  name: string
  type: string
  internalType?: string
  components?: unknown[]
} {
  const suffix = /(?:\[\d*\])*$/.exec(type.name)?.[0] ?? ''
  let inner = type
  while (inner.kind === 'list') inner = inner.element
  const enumName = enumNameOf(inner)
  if (enumName !== null) return { name, type: type.name, internalType: `enum ${enumName}${suffix}` }
  if (inner.kind !== 'tuple') return { name, type: type.name }
  return { name, type: `tuple${suffix}`, components: inner.members.map(toJson) }
}
