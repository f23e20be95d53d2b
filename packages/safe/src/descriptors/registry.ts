import { type Address, type Hex, toFunctionSelector } from 'viem'
import { type AbiParameter, type AbiSignature, parseAbiSignature, writeAbiSignature } from '../abi/abi-type.ts'
import { CountersignError } from '../error.ts'
import { isRecord } from '../json.ts'

/** A descriptor of ERC-7730 as its file has it, parsed. Nothing in it is checked. */
export type Descriptor = { readonly [key: string]: unknown }

/** A signed word for a descriptor, as the registry has it. Nothing in it is checked. */
export type SignedAttestation = {
  attester: Address
  /** Names that the registry gives the attester. */
  name: string
  organization: string
  /** Seconds since 1970, by the attester. */
  time: number
  salt: Hex
  signature: Hex
}

/** The ERC-7730 registry of this release: descriptors by path, and where each of them is found. */
export type DescriptorRegistry = {
  commit: string
  /** The day of that commit, as `2026-08-20`. */
  date: string
  descriptors: Readonly<Record<string, Descriptor>>
  /** Words of attesters for some of them, by path. `verifiedAttestations` checks them. */
  attestations: Readonly<Record<string, readonly SignedAttestation[]>>
  /** Paths of descriptors by `eip155:{chainId}:{lower-case address}`. */
  calldata: Readonly<Record<string, string>>
  /** Descriptors of typed data, by primary type. */
  typedData: Readonly<Record<string, Readonly<Record<string, readonly { path: string; encodeTypeHashes: string[] }[]>>>>
}

/** A function of a contract as the registry describes it. */
export type DescribedFunction = {
  /** With names and types of its parameters. */
  declaration: string
  /** For what it is called, in a few English words of whoever described it. */
  intent: string
  /** Author of the description, and the author's name for the contract. */
  owner: string
  contractName: string
  /** Path of the descriptor in the registry. */
  path: string
  /** The day of the registry. */
  date: string
}

/** Names for the values of one parameter: where it is, by position in the parameters and in tuples below; null in lists. */
export type NamedValues = { path: readonly (number | null)[]; names: ReadonlyMap<string, string> }

/** A function that can be called by a form, with the names of those values that have some. */
export type FormFunction = { declaration: string; intent: string; named: readonly NamedValues[] }

/** Further than this no descriptor of the registry includes others. */
const MAX_INCLUDES = 8

let loaded: Promise<DescriptorRegistry> | null = null

/**
 * Loads the registry, which is a part of the release: no network, but too large to come with the first page.
 *
 * @throws whatever the import throws when that part of the page cannot be loaded
 * @example
 * const registry = await loadDescriptorRegistry()
 */
export function loadDescriptorRegistry(): Promise<DescriptorRegistry> {
  loaded ??= import('./descriptors.data.ts').then(
    ({ registryText, registryCommit, registryDate }) => ({
      ...(JSON.parse(registryText) as Pick<
        DescriptorRegistry,
        'descriptors' | 'attestations' | 'calldata' | 'typedData'
      >),
      commit: registryCommit,
      date: registryDate,
    }),
    (error: unknown) => {
      // A page that could not load it can try again.
      loaded = null
      throw error
    },
  )
  return loaded
}

/**
 * Finds the function with a selector as the registry describes it for exactly this chain and address. Functions that pass
 * other calls on are left out: what is inside them would be read by nobody.
 *
 * @example
 * describedFunction(await loadDescriptorRegistry(), 1, '0xae7ab96520DE3A18E5e111B5EaAb095312D7fE84', '0xa1903eab')?.intent // 'Stake ETH'
 */
export function describedFunction(
  registry: DescriptorRegistry,
  chainId: number,
  address: Address,
  selector: Hex,
): DescribedFunction | null {
  const key = `eip155:${chainId}:${address.toLowerCase()}`
  const path = Object.hasOwn(registry.calldata, key) ? registry.calldata[key] : undefined
  if (path === undefined) return null
  const chain = withIncludes(registry, path)
  for (const descriptor of chain) {
    for (const [declaration, format] of Object.entries(member(descriptor, 'display', 'formats') ?? {})) {
      const signature = signatureOf(declaration)
      if (signature === null || toFunctionSelector(writeAbiSignature(signature)) !== selector) continue
      if (passesCallsOn(format)) return null
      const said = (...keys: string[]) =>
        chain.map((descriptor) => textAt(descriptor, ...keys)).find((text) => text !== null) ?? ''
      return {
        declaration,
        intent: intentOf(format) ?? '',
        owner: said('metadata', 'owner'),
        contractName: said('metadata', 'contractName') || said('context', '$id'),
        path,
        date: registry.date,
      }
    }
  }
  return null
}

/**
 * All functions of a contract that the registry describes for exactly this chain and address, for a form: those too that pass
 * other calls on, since what is composed by a form is read by the review.
 *
 * @example
 * describedFunctions(await loadDescriptorRegistry(), 1, '0x87870Bca3F3fD6335C3F4ce8392D69350B4fA4E2').length // 12
 */
export function describedFunctions(registry: DescriptorRegistry, chainId: number, address: Address): FormFunction[] {
  const key = `eip155:${chainId}:${address.toLowerCase()}`
  const path = Object.hasOwn(registry.calldata, key) ? registry.calldata[key] : undefined
  if (path === undefined) return []
  const chain = withIncludes(registry, path)
  const found = new Map<string, FormFunction>()
  for (const descriptor of chain) {
    for (const [declaration, format] of Object.entries(member(descriptor, 'display', 'formats') ?? {})) {
      const signature = signatureOf(declaration)
      if (signature === null || found.has(writeAbiSignature(signature))) continue
      const named = namedValues(format, signature, chain)
      found.set(writeAbiSignature(signature), { declaration, intent: intentOf(format) ?? '', named })
    }
  }
  return [...found.values()]
}

/**
 * The names of the values at one place of a function.
 *
 * @returns null where they are numbers alone
 * @example
 * namesAt(borrow.named, [2])?.get('2') // 'variable'
 */
export function namesAt(named: readonly NamedValues[], path: readonly number[]): NamedValues['names'] | null {
  const found = named.find(
    (one) => one.path.length === path.length && one.path.every((part, index) => part === null || part === path[index]),
  )
  return found?.names ?? null
}

/** Values of a function that the descriptor gives names, by the `enum` format of its fields. */
function namedValues(format: unknown, { inputs }: AbiSignature, chain: readonly Descriptor[]): NamedValues[] {
  const fields = isRecord(format) && Array.isArray(format.fields) ? format.fields : []
  return fields.flatMap((field: unknown): NamedValues[] => {
    if (!isRecord(field) || field.format !== 'enum' || typeof field.path !== 'string' || !isRecord(field.params))
      return []
    const place = placeOf(field.path, inputs)
    const { $ref: reference } = field.params
    if (place === null || typeof reference !== 'string' || !reference.startsWith('$.')) return []
    const keys = reference.slice(2).split('.')
    const names = chain.map((descriptor) => member(descriptor, ...keys)).find((values) => values !== null)
    const told = Object.entries(names ?? {}).flatMap(([value, name]) =>
      /^[0-9]{1,78}$/.test(value) && typeof name === 'string' ? [[value, name] as const] : [],
    )
    return told.length === 0 ? [] : [{ path: place, names: new Map(told) }]
  })
}

/** The position of a parameter, by its path such as `#.quote.coverAssetId`; null where it is a part of a value. */
function placeOf(path: string, inputs: readonly AbiParameter[]): (number | null)[] | null {
  const place: (number | null)[] = []
  let members = inputs
  let type: AbiParameter['type'] | null = null
  for (const part of path.replace(/^#\./, '').split('.')) {
    if (part === '[]') {
      if (type?.kind !== 'list') return null
      place.push(null)
      type = type.element
    } else {
      const at = members.findIndex(({ name }) => name === part)
      const found = members[at]
      if (found === undefined) return null
      place.push(at)
      type = found.type
    }
    members = type.kind === 'tuple' ? type.members : []
  }
  return type?.kind === 'uint' || type?.kind === 'int' ? place : null
}

/** A descriptor, then those that it includes: what it says itself comes first. */
function withIncludes({ descriptors }: DescriptorRegistry, path: string): Descriptor[] {
  const chain: Descriptor[] = []
  const seen = new Set<string>()
  let next: string | null = path
  while (next !== null && !seen.has(next) && chain.length < MAX_INCLUDES) {
    seen.add(next)
    const descriptor: Descriptor | undefined = Object.hasOwn(descriptors, next) ? descriptors[next] : undefined
    if (descriptor === undefined) break
    chain.push(descriptor)
    const included: unknown = descriptor.includes
    next = typeof included === 'string' ? resolvePath(next, included) : null
  }
  return chain
}

function resolvePath(from: string, to: string): string {
  const parts = from.split('/').slice(0, -1)
  for (const part of to.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '.') parts.push(part)
  }
  return parts.join('/')
}

function signatureOf(declaration: string): AbiSignature | null {
  try {
    return parseAbiSignature(declaration)
  } catch (error) {
    if (error instanceof CountersignError) return null
    throw error
  }
}

function member(descriptor: Descriptor, ...keys: string[]): Record<string, unknown> | null {
  let value: unknown = descriptor
  for (const key of keys) value = isRecord(value) && Object.hasOwn(value, key) ? value[key] : null
  return isRecord(value) ? value : null
}

function textAt(descriptor: Descriptor, ...keys: string[]): string | null {
  const name = keys.at(-1) ?? ''
  const value = member(descriptor, ...keys.slice(0, -1))?.[name]
  return typeof value === 'string' ? value : null
}

function intentOf(format: unknown): string | null {
  const intent = isRecord(format) ? format.intent : null
  if (typeof intent === 'string') return intent
  return isRecord(intent)
    ? Object.values(intent)
        .filter((part) => typeof part === 'string')
        .join(' ')
    : null
}

/** Whether a field of the function is the calldata of another call. */
function passesCallsOn(format: unknown): boolean {
  const waiting: unknown[] = isRecord(format) && Array.isArray(format.fields) ? [...format.fields] : []
  for (let field = waiting.pop(); field !== undefined; field = waiting.pop()) {
    if (!isRecord(field)) continue
    if (field.format === 'calldata') return true
    if (Array.isArray(field.fields)) waiting.push(...field.fields)
  }
  return false
}
