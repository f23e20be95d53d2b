import { type Address, concat, type Hex, keccak256, size, slice, zeroAddress } from 'viem'
import type { ByteRange, DecodedValue } from '../abi/abi-decode.ts'
import { deploymentAt } from '../deployments/deployments.ts'
import { isSameAddress } from '../same-address.ts'
import type { KnownFunction } from './functions.ts'
import { type Batch, decodeBatch } from './multi-send.ts'

/** A call as the chain sees it. */
export type BareCall = {
  /** Caller: the Safe, or the contract in the middle. */
  from: Address
  to: Address
  /** wei; has no effect in a delegatecall */
  value: bigint
  data: Hex
  operation: 0 | 1
}

/**
 * A call inside the arguments of another one. `range` is where its data stands in the data of the other; null where its
 * selector is written as a signature, apart from its arguments.
 */
export type InnerCall = BareCall & {
  range: ByteRange | null
  isZeroTarget?: boolean
}

/** Calls inside the arguments, and what cannot be read as a call. */
export type InnerCalls = { calls: InnerCall[]; invalid: ByteRange[] }

/** Multicall that passes every call on by delegatecall, so that all of them run as its caller. */
const DELEGATING_MULTICALL: Address = '0x93dc480940585D9961bfcEab58124fFD3d60f76a'

/** The entries of a batch as calls. Only MultiSend 1.5.0 takes the zero address for the Safe that runs it. */
export function innerCallsOfBatch(call: BareCall): { calls: InnerCall[]; batch: Batch } {
  const library = deploymentAt(call.to)
  // Every library on the list is of 1.1.1 or later.
  const batch = decodeBatch(call.data, library === null ? 'any' : 'packed')
  const isZeroSelf = library?.version === '1.5.0'
  // Code run by delegatecall acts as the caller; code that is called acts as itself.
  const from = call.operation === 1 ? call.from : call.to
  const calls = batch.entries.map((entry) => {
    const isZeroTarget = isSameAddress(entry.to, zeroAddress)
    return { ...entry, from, to: isZeroTarget && isZeroSelf ? from : entry.to, isZeroTarget }
  })
  return { calls, batch }
}

/** Calls inside the arguments: of another Safe, of a multicall, of a contract that passes calls on. */
export function innerCallsOf(call: BareCall, called: KnownFunction, values: readonly DecodedValue[]): InnerCalls {
  const none = { calls: [], invalid: [] }
  if (called.source === 'given') return { calls: innerCallsOfGiven(call, values), invalid: [] }
  switch (called.family) {
    case 'nested-safe':
    case 'forward':
    case 'proposal':
    case 'user-operation':
      return innerCallsOfForward(call, called, values)
    case 'multicall':
      return innerCallsOfMulticall(call, values)
    case 'upgrade': {
      const data = field(values, 'data')
      if (data?.kind !== 'bytes' || data.value === '0x' || called.name === 'diamondCut') return none
      const proxy = field(values, 'proxy')
      const [from, to] = proxy?.kind === 'address' ? [call.to, proxy.value] : [call.from, call.to]
      return { calls: [{ from, to, value: 0n, data: data.value, operation: 0, range: bytesRange(data) }], invalid: [] }
    }
    case 'naming':
      return called.name === 'register' ? innerCallsOfRegistration(call, values) : none
    default:
      return none
  }
}

/** The records of a new name: calls that the controller makes to its resolver. */
function innerCallsOfRegistration(call: BareCall, values: readonly DecodedValue[]): InnerCalls {
  const [first] = values
  const fields = first?.kind === 'tuple' ? first.value : values
  const [resolver, data] = [field(fields, 'resolver'), field(fields, 'data')]
  return { calls: list(data).flatMap((callData) => toInner(call.to, resolver, undefined, callData, 0)), invalid: [] }
}

function field(values: readonly DecodedValue[], ...names: string[]): DecodedValue | undefined {
  return values.find(({ name }) => names.includes(name))
}

function list(value: DecodedValue | undefined): readonly DecodedValue[] {
  return value?.kind === 'list' || value?.kind === 'tuple' ? value.value : []
}

/** Where the content of a `bytes` value stands: after its length, before its padding. */
function bytesRange(value: DecodedValue): ByteRange {
  const start = (value.ranges.at(-1)?.start ?? 0) + 32
  return { start, end: start + (value.kind === 'bytes' ? (value.value.length - 2) / 2 : 0) }
}

function toInner(
  from: Address,
  to: DecodedValue | undefined,
  value: DecodedValue | undefined,
  data: DecodedValue | undefined,
  operation: 0 | 1,
): InnerCall[] {
  if (to?.kind !== 'address' || data?.kind !== 'bytes') return []
  const wei = value?.kind === 'number' ? value.value : 0n
  return [{ from, to: to.value, value: wei, data: data.value, operation, range: bytesRange(data) }]
}

function innerCallsOfForward(call: BareCall, called: KnownFunction, values: readonly DecodedValue[]): InnerCalls {
  const targets = field(values, 'targets')
  if (targets !== undefined) return innerCallsOfArrays(call, values)
  // A proxy of this kind runs the target as itself: its code decides what becomes of the data.
  if (called.signature === 'execute(address,bytes)') return { calls: [], invalid: [] }
  const operation = field(values, 'operation')
  if (operation?.kind === 'number' && operation.value > 1n) return { calls: [], invalid: [...operation.ranges] }
  const kind = operation?.kind === 'number' && operation.value === 1n ? 1 : 0
  // A module that checks roles acts through the Safe it belongs to, most likely the one that calls it; that of ERC-4337
  // and Superfluid's host for their caller. It takes the last 20 bytes for the entry point, and anybody can write these.
  const isOfCaller =
    /^(?:execTransactionWithRole|callAgreement)/.test(called.name) || called.family === 'user-operation'
  const from = isOfCaller ? call.from : call.to
  const to = field(values, 'to', 'target')
  const inner = toInner(from, to, field(values, 'value'), field(values, 'data', 'payload'), kind)
  return withSignatures({ calls: inner, invalid: [] }, [field(values, 'signature')])
}

/** Governors and timelocks of Compound's kind take a function as text, and put its selector before the arguments. */
function withSignatures({ calls, invalid }: InnerCalls, texts: readonly (DecodedValue | undefined)[]): InnerCalls {
  const signed = calls.map((call, index) => {
    const text = texts[index]
    if (text?.kind !== 'text' || text.raw === '0x') return call
    return { ...call, data: concat([slice(keccak256(text.raw), 0, 4), call.data]), range: null }
  })
  return { calls: signed, invalid }
}

/** Calls as lists side by side: `executeBatch(targets, values, payloads)`, `propose(targets, values, calldatas, …)`. */
function innerCallsOfArrays(call: BareCall, values: readonly DecodedValue[]): InnerCalls {
  const targets = list(field(values, 'targets'))
  const payloads = list(field(values, 'payloads', 'calldatas'))
  const beside = [field(values, 'values'), field(values, 'signatures')]
  const isUneven = [payloads, ...beside.flatMap((argument) => (argument === undefined ? [] : [list(argument)]))].some(
    ({ length }) => length !== targets.length,
  )
  if (isUneven) return { calls: [], invalid: values.flatMap(({ ranges }) => ranges.slice(-1)) }
  const [amounts = [], texts = []] = beside.map(list)
  const calls = targets.flatMap((target, index) => toInner(call.to, target, amounts[index], payloads[index], 0))
  return withSignatures({ calls, invalid: [] }, texts)
}

/** Names by which contracts call what they pass calls on to, and the call itself. */
const targetNames = /^_?(?:targets?|callees?|contracts?|destinations?|to)_?$/i
const dataNames = /^_?(?:(?:call_?)?data|payloads?|call_?datas)_?$/i

/** Calls that a function of a given ABI seems to pass on, by the names of its arguments: one, or lists side by side. */
function innerCallsOfGiven(call: BareCall, values: readonly DecodedValue[]): InnerCall[] {
  const [to, data] = [targetNames, dataNames].map((names) => values.filter(({ name }) => names.test(name)))
  const value = values.find(({ name }) => /^_?values?_?$/i.test(name))
  const [target, payload] = [to?.[0], data?.[0]]
  const isOne = to?.length === 1 && data?.length === 1 && target?.kind === payload?.kind.replace('bytes', 'address')
  if (!isOne || target === undefined || payload === undefined) {
    // A list of calls: each element has them by the same names.
    const lists = values.flatMap((member) => (member.kind === 'list' ? member.value : []))
    return lists.flatMap((member) => (member.kind === 'tuple' ? innerCallsOfGiven(call, member.value) : []))
  }
  const from = call.operation === 1 ? call.from : call.to
  const isNamed = value !== undefined || !/^_?to_?$/i.test(target.name)
  const pairs =
    target.kind === 'list'
      ? list(target).map((one, index) => [one, list(value)[index], list(payload)[index]] as const)
      : [[target, value, payload] as const]
  return pairs.flatMap(([one, wei, bytes]) =>
    isNamed && bytes?.kind === 'bytes' && isCallLike(bytes.value) ? toInner(from, one, wei, bytes, 0) : [],
  )
}

/**
 * Whether bytes have the length of a call: a selector, and arguments in whole words.
 *
 * @example
 * isCallLike('0xa9059cbb') // true
 */
export function isCallLike(data: Hex): boolean {
  return size(data) >= 4 && size(data) % 32 === 4
}

function innerCallsOfMulticall(call: BareCall, values: readonly DecodedValue[]): InnerCalls {
  const data = field(values, 'data')
  if (data?.kind === 'list') {
    // The contract delegatecalls itself, so the caller stays who it is.
    if (call.operation === 1) return { calls: [], invalid: [] }
    const self = { kind: 'address', name: 'to', type: 'address', value: call.to, ranges: [] } as const
    return { calls: data.value.flatMap((element) => toInner(call.from, self, undefined, element, 0)), invalid: [] }
  }
  const from = call.operation === 1 ? call.from : call.to
  const operation = isSameAddress(call.to, DELEGATING_MULTICALL) ? 1 : 0
  const calls = list(field(values, 'calls')).flatMap((entry) => {
    const members = list(entry)
    return toInner(from, field(members, 'target'), field(members, 'value'), field(members, 'callData'), operation)
  })
  return { calls, invalid: [] }
}
