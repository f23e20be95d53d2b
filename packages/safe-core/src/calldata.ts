import { type Address, getAddress, type Hex, isAddress, isAddressEqual, isHex, size, zeroAddress } from 'viem'
import { deploymentAt } from './deployments.ts'
import { CountersignError } from './error.ts'
import { decodeArguments, type KnownFunction, knownFunction } from './functions.ts'
import { decodeMultiSend, isMultiSend } from './multi-send.ts'

/** What a call does, as far as its own bytes say. A delegatecall is only ever `multi-send` or `unknown`. */
export type CallKind =
  | 'native-transfer'
  | 'erc20-transfer'
  | 'erc20-approve'
  | 'erc721-transfer'
  | 'erc1155-transfer'
  | 'multi-send'
  | 'safe-settings'
  | 'empty'
  | 'unknown'

/** One argument; `value` is decimal, hex, true/false, or JSON for lists. */
export type CallArgument = { name: string; type: string; value: string }

/** Why the bytes cannot be taken at face value. */
export type CallProblem = 'NONCANONICAL' | 'MULTISEND_MALFORMED' | 'BUDGET'

/** A call and everything inside it. */
export type Call = {
  /** Who makes the call: the Safe, or the contract in the middle. */
  from: Address
  to: Address
  /** wei; has no effect in a delegatecall */
  value: bigint
  data: Hex
  operation: 0 | 1
  kind: CallKind
  /** Function signature, by Countersign's own list of selectors. */
  name: string | null
  args: CallArgument[]
  calls?: Call[]
  /** Bytes that no argument accounts for. */
  undecodedBytes: number
  problem: CallProblem | null
  /** An entry of a MultiSend 1.5.0 batch said the zero address, which means the Safe itself. */
  isZeroTarget: boolean
  /** Position in the tree: [] the transaction, [2] its third inner call. */
  path: number[]
}

/** Beyond these the tree is cut off, and the review says so. */
export const DECODE_BUDGET = { depth: 8, calls: 500, bytes: 131_072 } as const

type Request = { from: Address; to: Address; value: bigint; data: Hex; operation: 0 | 1; path: number[] }
type Budget = { calls: number }

/**
 * Describes a call of a Safe from its bytes alone: no network, no signature database.
 *
 * @param request - `value` in wei; `version` of the Safe is reserved for version-dependent calls.
 */
export function describeCall(request: {
  to: Address
  value: bigint
  data: Hex
  operation: 0 | 1
  safeAddress: Address
  version?: string
}): Call {
  const { safeAddress, to, value, data, operation } = request
  return describe({ from: getAddress(safeAddress), to: getAddress(to), value, data, operation, path: [] }, { calls: 0 })
}

/** Every call of a tree, outermost first. */
export function flattenCalls(call: Call): Call[] {
  return [call, ...(call.calls ?? []).flatMap(flattenCalls)]
}

function describe(request: Request, budget: Budget): Call {
  budget.calls += 1
  const bytes = size(request.data)
  const plain: Call = {
    ...request,
    kind: 'unknown',
    name: null,
    args: [],
    undecodedBytes: bytes,
    problem: null,
    isZeroTarget: false,
  }
  if (request.path.length > DECODE_BUDGET.depth || budget.calls > DECODE_BUDGET.calls || bytes > DECODE_BUDGET.bytes) {
    return { ...plain, problem: 'BUDGET' }
  }
  if (request.operation !== 0) return describeDelegatecall(plain, budget)
  if (bytes === 0) return { ...plain, kind: request.value > 0n ? 'native-transfer' : 'empty' }

  const called = knownFunction(request.data)
  if (called === null) return plain
  const decoded = decodeArguments(called, request.data)
  if (decoded === null) return { ...plain, problem: 'NONCANONICAL' }
  const call: Call = {
    ...plain,
    kind: kindOf(called, request),
    name: called.signature,
    args: describeArguments(called, decoded.values),
    undecodedBytes: decoded.spareBytes,
    problem: decoded.isCanonical ? null : 'NONCANONICAL',
  }
  const inner = innerCalls(called, decoded.values, request)
  return inner.length === 0 ? call : { ...call, calls: describeAll(inner, request.path, budget) }
}

/**
 * What foreign code does with the arguments is its own affair, so a familiar selector says nothing here: only batches
 * are looked into, and the review decides whether the library is the real one.
 */
function describeDelegatecall(call: Call, budget: Budget): Call {
  if (isMultiSend(call.data)) return describeBatch(call, budget)
  const library = deploymentAt(call.to)
  const called = knownFunction(call.data)
  const isLibraryCall = called?.family === 'sign-message' || called?.family === 'migration'
  if (library === null || called === null || !isLibraryCall) return call
  const decoded = decodeArguments(called, call.data)
  if (decoded === null) return { ...call, problem: 'NONCANONICAL' }
  return {
    ...call,
    name: called.signature,
    args: describeArguments(called, decoded.values),
    undecodedBytes: decoded.spareBytes,
    problem: decoded.isCanonical ? null : 'NONCANONICAL',
  }
}

function describeBatch(call: Call, budget: Budget): Call {
  const batch: Call = { ...call, kind: 'multi-send', name: 'multiSend(bytes)' }
  try {
    const entries = decodeMultiSend(call.data)
    // From 1.5.0 the zero address means the Safe; before, it is an address like any other.
    const isZeroSelf = deploymentAt(call.to)?.version === '1.5.0'
    const inner = entries.map((entry) => {
      const isZeroTarget = isZeroSelf && isAddressEqual(entry.to, zeroAddress)
      return { ...entry, from: call.from, to: isZeroTarget ? call.from : entry.to, isZeroTarget }
    })
    return { ...batch, undecodedBytes: 0, calls: describeAll(inner, call.path, budget) }
  } catch (error) {
    if (!(error instanceof CountersignError)) throw error
    return { ...batch, problem: 'MULTISEND_MALFORMED' }
  }
}

type Inner = Omit<Request, 'path'> & { isZeroTarget?: boolean }

function describeAll(inner: readonly Inner[], path: readonly number[], budget: Budget): Call[] {
  const calls: Call[] = []
  for (const [index, { isZeroTarget = false, ...request }] of inner.entries()) {
    calls.push({ ...describe({ ...request, path: [...path, index] }, budget), isZeroTarget })
    // One entry over the budget is enough to say so; thousands more would only cost time.
    if (budget.calls > DECODE_BUDGET.calls) break
  }
  return calls
}

function kindOf(called: KnownFunction, request: Request): CallKind {
  switch (called.family) {
    case 'erc20-transfer':
    case 'erc20-approve':
    case 'erc721-transfer':
    case 'erc1155-transfer':
      return called.family
    case 'safe-settings':
      // The same function on another contract is that contract's business.
      return isAddressEqual(request.from, request.to) ? 'safe-settings' : 'unknown'
    default:
      return 'unknown'
  }
}

function describeArguments(called: KnownFunction, values: readonly unknown[]): CallArgument[] {
  return called.abi.inputs.map(({ name, type }, index) => ({
    name: name ?? '',
    type,
    value: writeValue(values[index]),
  }))
}

function writeValue(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'bigint' || typeof value === 'number' || typeof value === 'boolean') return String(value)
  return JSON.stringify(value, (_key, inner: unknown) => (typeof inner === 'bigint' ? inner.toString() : inner))
}

/** Calls inside the arguments: another Safe's transaction, or a multicall. They are made by the contract called. */
function innerCalls(called: KnownFunction, values: readonly unknown[], request: Request): Inner[] {
  const from = request.to
  if (called.family === 'nested-safe') {
    const [to, value, data, operation] = values
    const inner = readInner({ from, to, value, data, operation })
    return inner === null ? [] : [inner]
  }
  const list = called.family === 'multicall' ? values[0] : null
  if (!Array.isArray(list)) return []
  return list.flatMap((entry: { target?: unknown; value?: unknown; callData?: unknown }) => {
    const inner = readInner({ from, to: entry.target, value: entry.value ?? 0n, data: entry.callData, operation: 0 })
    return inner === null ? [] : [inner]
  })
}

function readInner(fields: {
  from: Address
  to: unknown
  value: unknown
  data: unknown
  operation: unknown
}): Inner | null {
  const { from, to, value, data, operation } = fields
  if (typeof to !== 'string' || !isAddress(to) || typeof value !== 'bigint' || !isHex(data)) return null
  if (operation !== 0 && operation !== 1) return null
  return { from, to, value, data, operation }
}
