import { type Hex, toFunctionSelector } from 'viem'
import { type DecodedParameters, decodeParameters } from '../abi/abi-decode.ts'
import { type AbiParameter, type AbiSignature, parseAbiSignature, writeAbiSignature } from '../abi/abi-type.ts'
import { CountersignError } from '../error.ts'
import { knownFunctions } from './known-functions.ts'
import { protocolFunctions } from './protocol-functions.ts'

const functionLists = { ...knownFunctions, ...protocolFunctions }

/** Purpose of a function, as its name suggests. */
export type FunctionFamily = keyof typeof functionLists

/** Source of a function's name: Countersign's own list, the ERC-7730 registry of the release, or a given ABI. */
export type FunctionSource = 'built-in' | 'registry' | 'given'

/** A function that calldata can be read by. One that is not on Countersign's own list belongs to no family. */
export type KnownFunction = {
  source: FunctionSource
  family: FunctionFamily | null
  name: string
  inputs: readonly AbiParameter[]
  /** As its selector is made: `transfer(address,uint256)`. */
  signature: string
  selector: Hex
}

/** A function that is not on Countersign's own list, by its signature. */
export function toGivenFunction(signature: AbiSignature, source: 'given' | 'registry' = 'given'): KnownFunction {
  const written = writeAbiSignature(signature)
  return { ...signature, source, family: null, signature: written, selector: toFunctionSelector(written) }
}

/** Entry of the list under a selector. It stays text until somebody asks for it. */
type Listed = { family: FunctionFamily; text: string; known?: KnownFunction }

let bySelector: Map<string, Listed[]> | null = null

/** Built when it is first needed, and nothing in it is parsed before: opening the page costs nothing. */
function functionsBySelector(): Map<string, Listed[]> {
  if (bySelector !== null) return bySelector
  const index = new Map<string, Listed[]>()
  for (const [family, lines] of Object.entries(functionLists)) {
    if (!isFamily(family)) continue
    for (const line of lines) {
      const selector = line.slice(0, 8)
      const listed = { family, text: line.slice(9) }
      const others = index.get(selector)
      if (others === undefined) index.set(selector, [listed])
      else others.push(listed)
    }
  }
  bySelector = index
  return index
}

/**
 * The functions of Countersign's own list that have a selector, given without 0x.
 *
 * @example
 * listedFunctions('a9059cbb')[0]?.signature // 'transfer(address,uint256)'
 */
export function listedFunctions(selector: string): KnownFunction[] {
  return (functionsBySelector().get(selector) ?? []).map((listed) => {
    listed.known ??= read(listed, `0x${selector}`)
    return listed.known
  })
}

function read({ family, text }: Listed, selector: Hex): KnownFunction {
  const signature = parseAbiSignature(text)
  return { ...signature, source: 'built-in', family, signature: writeAbiSignature(signature), selector }
}

function isFamily(name: string): name is FunctionFamily {
  return name in functionLists
}

function selectorOf(data: Hex): string | null {
  return data.length < 10 ? null : data.slice(2, 10).toLowerCase()
}

/**
 * The function that calldata calls by Countersign's own list. What follows the selector is not looked at.
 *
 * @example
 * knownFunction('0xa9059cbb') // transfer(address,uint256)
 */
export function knownFunction(data: Hex): KnownFunction | null {
  const selector = selectorOf(data)
  return selector === null ? null : (listedFunctions(selector)[0] ?? null)
}

/** Another function with the same selector. `isExact`: the calldata is the canonical encoding of its arguments too. */
export type Alternative = { signature: string; source: FunctionSource; isExact: boolean }

/** Calldata, read. Without `called`, no function that is known for the selector can be read from it. */
export type DecodedCalldata =
  | { called: KnownFunction; decoded: DecodedParameters; alternatives: Alternative[] }
  | { called: null; failure: { id: string; start: number }; alternatives: Alternative[] }

type Candidate = { called: KnownFunction; decoded: DecodedParameters }

/** Partners of exchanges put bytes behind the arguments. What the registry describes is read with them, and they are told. */
function isTagged({ source }: KnownFunction, { problems }: DecodedParameters): boolean {
  return source === 'registry' && problems.every(({ id }) => id === 'trailing-bytes')
}

/**
 * Reads calldata by every function that has its selector. The first of Countersign's own that fits exactly wins, then
 * any of them that can be read. The registry or a given ABI, in the order in which they come, reads only selectors that the list does not have, and only what it encodes to
 * the same bytes: names for a known selector are found within minutes, and contracts take calls that the strict reading
 * refuses.
 *
 * @returns null when nobody knows the selector
 * @throws whatever the reading of a fitting function throws
 * @example
 * decodeCalldata('0xa9059cbb…')
 */
export function decodeCalldata(data: Hex, given: readonly KnownFunction[] = []): DecodedCalldata | null {
  const selector = selectorOf(data)
  if (selector === null) return null
  const listed = listedFunctions(selector)
  const candidates = [...listed, ...given.filter((candidate) => candidate.selector === `0x${selector}`)]
  if (candidates.length === 0) return null
  let failure: { id: string; start: number } | null = null
  const read: Candidate[] = []
  for (const called of candidates) {
    try {
      const decoded = decodeParameters(called.inputs, data, 4)
      if (called.source === 'built-in' || decoded.isExact || isTagged(called, decoded)) read.push({ called, decoded })
      else failure ??= decoded.problems[0] ?? null
    } catch (error) {
      if (!(error instanceof CountersignError)) throw error
      failure ??= { id: String(error.data.reason), start: Number(error.data.start) }
    }
  }
  const own = read.filter(({ called }) => called.source === 'built-in')
  const best = own.find(({ decoded }) => decoded.isExact) ?? own[0] ?? (listed.length === 0 ? read[0] : undefined)
  const alternatives = candidates
    .filter((candidate) => candidate.signature !== best?.called.signature)
    .map(({ signature, source }) => ({
      signature,
      source,
      isExact: read.some(({ called, decoded }) => called.signature === signature && decoded.isExact),
    }))
  if (best === undefined) return { called: null, failure: failure ?? { id: 'too-short', start: 4 }, alternatives }
  return { ...best, alternatives }
}
