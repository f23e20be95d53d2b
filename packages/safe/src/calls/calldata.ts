import { type Address, getAddress, type Hex, keccak256, size } from 'viem'
import type { AbiFailureId, AbiProblemId, ByteRange } from '../abi/abi-decode.ts'
import { parseAbiSignature } from '../abi/abi-type.ts'
import { addressWord, assertBytes } from '../abi/abi-word.ts'
import { deploymentAt } from '../deployments/deployments.ts'
import type { DescribedFunction } from '../descriptors/registry.ts'
import { isSameAddress } from '../same-address.ts'
import { type CallArgument, describeArgument } from './call-argument.ts'
import { type Command, commandsOf } from './commands.ts'
import {
  type Alternative,
  type DecodedCalldata,
  decodeCalldata,
  type FunctionFamily,
  type FunctionSource,
  type KnownFunction,
  toGivenFunction,
} from './functions.ts'
import { type BareCall, type InnerCall, innerCallsOf, innerCallsOfBatch } from './inner-calls.ts'
import { type BatchProblemId, isMultiSend } from './multi-send.ts'

/** Effect of a call according to its own bytes. A delegatecall is only ever `multi-send` or `unknown`. */
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

/** Why the bytes cannot be taken at face value. */
export type CallProblem = 'NONCANONICAL' | 'MULTISEND_MALFORMED' | 'BUDGET'

/** Weight of each kind of issue. `TEXT` and `REVERTS` are worth a warning, but every byte is read. */
export const callIssueKinds = {
  'offset-gap': 'NONCANONICAL',
  'offset-backwards': 'NONCANONICAL',
  'dirty-bits': 'NONCANONICAL',
  'dirty-padding': 'NONCANONICAL',
  'missing-padding': 'NONCANONICAL',
  'sign-extension': 'NONCANONICAL',
  'trailing-bytes': 'NONCANONICAL',
  'too-short': 'NONCANONICAL',
  'offset-out-of-bounds': 'NONCANONICAL',
  'length-out-of-bounds': 'NONCANONICAL',
  'inner-call-invalid': 'NONCANONICAL',
  'batch-encoding': 'MULTISEND_MALFORMED',
  'batch-head': 'MULTISEND_MALFORMED',
  'batch-leftover': 'MULTISEND_MALFORMED',
  'batch-operation': 'MULTISEND_MALFORMED',
  'batch-overrun': 'MULTISEND_MALFORMED',
  'batch-two-layouts': 'MULTISEND_MALFORMED',
  'budget-depth': 'BUDGET',
  'budget-calls': 'BUDGET',
  'budget-bytes': 'BUDGET',
  'budget-values': 'BUDGET',
  'text-control': 'TEXT',
  'text-not-utf8': 'TEXT',
  'batch-delegatecall-refused': 'REVERTS',
} as const satisfies Record<AbiProblemId | AbiFailureId | BatchProblemId | string, CallProblem | 'TEXT' | 'REVERTS'>

/** Name of one thing that is wrong with the bytes of a call. */
export type CallIssueId = keyof typeof callIssueKinds

/** One thing that is wrong with the bytes of a call, and where in its `data`. */
export type CallIssue = { id: CallIssueId } & ByteRange

/** A call and everything inside it. */
export type Call = BareCall & {
  kind: CallKind
  /** Function signature, by the source named in `source`; null when nothing is known that reads the data. */
  name: string | null
  /** Source of the name: Countersign's own list of functions, the registry, or a given ABI. Null without a name. */
  source: FunctionSource | null
  /** Purpose of the function, by Countersign's own list; null for a given one. */
  family: FunctionFamily | null
  /** Other known functions with the same selector. */
  alternatives: Alternative[]
  args: CallArgument[]
  calls?: Call[]
  /** Steps that the contract is told to take, where it takes its orders as coded bytes. */
  commands?: Command[]
  /** The contract whose ABI reads the call, where the one that is called is a proxy of it. */
  implementation?: ProxyCode
  /** Words of the registry about the function, where it reads the call. */
  described?: DescribedCall
  /** Bytes that no argument accounts for. */
  undecodedBytes: number
  /** Which ones, in order. */
  undecoded: ByteRange[]
  /** The worst of the issues. */
  problem: CallProblem | null
  /** Everything that is wrong with the bytes. */
  issues: CallIssue[]
  /** An entry of a batch said the zero address: the Safe itself for MultiSend 1.5.0, nobody for every other. */
  isZeroTarget: boolean
  /** Position in the tree: [] the transaction, [2] its third inner call. */
  path: number[]
  /** Where `data` stands in the data of the call around it; null for the transaction itself. */
  range: ByteRange | null
}

/** Functions by which the calldata of one contract may be read, from `parseGivenAbi`. */
export type GivenAbi = { address: Address; functions: readonly KnownFunction[] }

/**
 * Where a proxy has its code. Of `minimal` ones and Safes the code of the proxy itself shows that it runs there and nowhere
 * else; the others keep an address in a slot, and nothing here shows what they do with it.
 */
export type ProxyCode = {
  address: Address
  codeHash: Hex
  kind: 'minimal' | 'delegation' | 'safe' | 'eip1967' | 'eip1822' | 'beacon' | 'zeppelin'
  /** It names other code, too, in further slots: nothing here shows which of them runs. */
  isMixed?: true | undefined
}

/** Facts about the contracts of a tree of calls, each by lower-case address. */
export type CalledContracts = {
  /** Null where a contract is no proxy; undefined where nobody was asked. */
  implementations?: Readonly<Record<string, ProxyCode | null | undefined>> | undefined
  /** Functions as the ERC-7730 registry describes them. */
  descriptions?: Readonly<Record<string, readonly DescribedCall[] | undefined>> | undefined
}

/**
 * A function of the registry. `implementation`: it is described there, for the code of this minimal proxy. `replaced`: the
 * code that the proxy ran on the registry's day; it runs another one today, which nobody has described.
 */
export type DescribedCall = DescribedFunction & {
  selector: Hex
  implementation: Address | null
  replaced?: Address | undefined
}

/** Beyond these the tree is cut off, and the call says so. `bytes` is for one call, `allBytes` for the whole tree. */
export const DECODE_BUDGET = { depth: 8, calls: 500, bytes: 131_072, allBytes: 1_048_576 } as const

type Request = Pick<Call, 'from' | 'to' | 'value' | 'data' | 'operation' | 'path' | 'range' | 'isZeroTarget'>
type Walk = { calls: number; bytes: number; abis: Map<string, readonly KnownFunction[]> } & CalledContracts

/**
 * Describes a call of a Safe, and every call inside it, from its bytes alone: no network, no signature database. It
 * throws for no bytes: what cannot be read is `undecoded`, and what is wrong is among the `issues`.
 *
 * @param request - `value` in wei; `abis` are consulted for functions that Countersign does not know itself, and only
 * for calls of their own address, or of a proxy that has its code there.
 * @throws CountersignError `FIELD_MALFORMED` when `to` or `safeAddress` is no address, or `data` is not hex of whole bytes.
 * @example
 * const call = describeCall({ to: token, value: 0n, data, operation: 0, safeAddress })
 * call.name // 'transfer(address,uint256)'
 * call.args[1] // { name: 'amount', type: 'uint256', value: '1250000000', decoded: { …, ranges: [{ start: 36, end: 68 }] } }
 */
export function describeCall(
  request: {
    to: Address
    value: bigint
    data: Hex
    operation: 0 | 1
    safeAddress: Address
    abis?: readonly GivenAbi[]
  } & CalledContracts,
): Call {
  const { safeAddress, to, value, data, operation, abis = [], implementations, descriptions } = request
  const walk: Walk = {
    calls: 0,
    bytes: 0,
    abis: new Map(abis.map((abi) => [abi.address.toLowerCase(), abi.functions])),
    implementations,
    descriptions,
  }
  addressWord('safeAddress', safeAddress)
  addressWord('to', to)
  assertBytes('data', data)
  const place = { path: [], range: null, isZeroTarget: false }
  return describe({ from: getAddress(safeAddress), to: getAddress(to), value, data, operation, ...place }, walk)
}

/**
 * Every call of a tree, outermost first.
 *
 * @example
 * flattenCalls(call).some(({ operation }) => operation === 1) // whether anything runs as the Safe
 */
export function flattenCalls(call: Call): Call[] {
  const calls = [call]
  for (const inner of call.calls ?? []) calls.push(...flattenCalls(inner))
  return calls
}

function describe(request: Request, walk: Walk): Call {
  const bytes = size(request.data)
  // The transaction itself is none of the calls inside it.
  if (request.path.length > 0) walk.calls += 1
  walk.bytes += bytes
  const plain: Call = {
    ...request,
    kind: 'unknown',
    name: null,
    source: null,
    family: null,
    alternatives: [],
    args: [],
    undecodedBytes: bytes,
    undecoded: bytes === 0 ? [] : [{ start: 0, end: bytes }],
    problem: null,
    issues: [],
  }
  const exceeded = exceededBudget(plain, bytes, walk)
  if (exceeded !== null) return withIssues(plain, [{ id: exceeded, start: 0, end: bytes }])
  if (bytes === 0 && request.operation === 0)
    return { ...plain, kind: request.value > 0n ? 'native-transfer' : 'empty' }
  if (isMultiSend(request.data)) return describeBatch(plain, walk)

  const { read, ...sources } = decodeRequest(request, walk)
  if (read === null || !isMeaningful(plain, read)) return plain
  if (read.called !== null) return describeFunction(plain, { ...read, ...sources }, walk)
  const { alternatives, failure } = read
  return withIssues({ ...plain, alternatives }, [{ id: toIssueId(failure.id), start: failure.start, end: bytes }])
}

type DecodedFunction = Extract<DecodedCalldata, { called: KnownFunction }> & Omit<DecodedRequest, 'read'>

/** Describes a call whose function is known, and the calls inside it. */
function describeFunction(plain: Call, decodedFunction: DecodedFunction, walk: Walk): Call {
  const { called, decoded, alternatives, implementation, described } = decodedFunction
  const { values } = decoded
  const commands = commandsOf(called, values)
  // Coded orders of which one is not known are no order that anybody has read.
  if (commands !== null && !commands.isWhole) return { ...plain, alternatives, commands: commands.commands }
  const inner = innerCallsOf(plain, called, values)
  const invalid = inner.invalid.map((range) => ({ id: 'inner-call-invalid', ...range }) as const)
  const call = withIssues(
    {
      ...plain,
      kind: kindOf(called, plain),
      name: called.signature,
      source: called.source,
      family: called.family,
      alternatives,
      args: values.map(describeArgument),
      ...(commands === null ? {} : { commands: commands.commands }),
      ...(implementation === null ? {} : { implementation }),
      ...(called.source === 'registry' && described !== undefined ? { described } : {}),
    },
    [...decoded.problems, ...invalid],
    decoded.undecoded,
  )
  return inner.calls.length === 0 ? call : { ...call, calls: describeAll(inner.calls, plain.path, walk) }
}

const NO_CODE = keccak256('0x')

type DecodedRequest = {
  read: DecodedCalldata | null
  implementation: ProxyCode | null
  described: DescribedCall | undefined
}

/**
 * Reads by the list, the registry, and the ABI of the contract itself; by the ABI of the code behind a proxy only where these
 * know nothing.
 */
function decodeRequest({ data, to }: Request, { abis, implementations, descriptions }: Walk): DecodedRequest {
  const address = to.toLowerCase()
  const described = descriptions?.[address]?.find(
    ({ selector, replaced }) => replaced === undefined && data.toLowerCase().startsWith(selector),
  )
  const ofRegistry = described === undefined ? [] : [functionOf(described)]
  const read = decodeCalldata(data, [...ofRegistry, ...(abis.get(address) ?? [])])
  const implementation = implementations?.[address] ?? null
  const behind = implementation === null ? undefined : abis.get(implementation.address.toLowerCase())
  if (read !== null || implementation === null || behind === undefined || implementation.codeHash === NO_CODE)
    return { read, implementation: null, described }
  return { read: decodeCalldata(data, behind), implementation, described }
}

const functions = new Map<string, KnownFunction>()

function functionOf({ declaration }: DescribedFunction): KnownFunction {
  const known = functions.get(declaration) ?? toGivenFunction(parseAbiSignature(declaration), 'registry')
  functions.set(declaration, known)
  return known
}

function exceededBudget(call: Call, bytes: number, walk: Walk): CallIssueId | null {
  if (call.path.length > DECODE_BUDGET.depth) return 'budget-depth'
  if (walk.calls > DECODE_BUDGET.calls) return 'budget-calls'
  return bytes > DECODE_BUDGET.bytes || walk.bytes > DECODE_BUDGET.allBytes ? 'budget-bytes' : null
}

/**
 * Unknown code may do anything with the arguments, so a familiar selector says nothing in a delegatecall: only
 * multicalls, functions of released libraries and given ABIs are decoded, and the review decides about the code.
 */
function isMeaningful(call: Call, read: DecodedCalldata): boolean {
  if (call.operation === 0 || read.called?.source === 'given') return true
  switch (read.called?.family) {
    case 'multicall':
      return true
    case 'sign-message':
    case 'migration':
    case 'create-call':
    case 'safe-creation':
      return deploymentAt(call.to) !== null
    default:
      return false
  }
}

function isIssueId(id: string): id is CallIssueId {
  return id in callIssueKinds
}

function toIssueId(id: string): CallIssueId {
  return isIssueId(id) ? id : 'too-short'
}

const worst: readonly CallProblem[] = ['BUDGET', 'MULTISEND_MALFORMED', 'NONCANONICAL']

function withIssues(call: Call, issues: CallIssue[], undecoded: ByteRange[] = call.undecoded): Call {
  const kinds = new Set<string>(issues.map(({ id }) => callIssueKinds[id]))
  return {
    ...call,
    issues,
    problem: worst.find((kind) => kinds.has(kind)) ?? null,
    undecoded,
    undecodedBytes: undecoded.reduce((sum, { start, end }) => sum + end - start, 0),
  }
}

function describeBatch(call: Call, walk: Walk): Call {
  const { calls, batch } = innerCallsOfBatch(call)
  const issues: CallIssue[] = batch.problems.map(({ id, start, end }) => ({ id, start, end }))
  if (deploymentAt(call.to)?.kind === 'multi-send-call-only') {
    for (const { operation, range } of calls) {
      if (operation === 1 && range !== null)
        issues.push({ id: 'batch-delegatecall-refused', start: range.start - 85, end: range.end })
    }
  }
  const described: Call = {
    ...call,
    kind: 'multi-send',
    name: 'multiSend(bytes)',
    source: 'built-in',
    family: 'multi-send',
    calls: describeAll(calls, call.path, walk),
  }
  return withIssues(described, issues, batch.undecoded)
}

function describeAll(inner: readonly InnerCall[], path: readonly number[], walk: Walk): Call[] {
  const calls: Call[] = []
  for (const [index, { isZeroTarget = false, ...request }] of inner.entries()) {
    calls.push(describe({ ...request, isZeroTarget, path: [...path, index] }, walk))
    // One entry over the budget is enough to say so; thousands more would only cost time.
    if (walk.calls > DECODE_BUDGET.calls || walk.bytes > DECODE_BUDGET.allBytes) break
  }
  return calls
}

function kindOf(called: KnownFunction, request: Request): CallKind {
  if (request.operation !== 0) return 'unknown'
  switch (called.family) {
    case 'erc20-transfer':
    case 'erc20-approve':
    case 'erc721-transfer':
    case 'erc1155-transfer':
      return called.family
    case 'safe-settings':
      // A function of this name on another contract means whatever that contract makes of it.
      return isSameAddress(request.from, request.to) ? 'safe-settings' : 'unknown'
    default:
      return 'unknown'
  }
}
