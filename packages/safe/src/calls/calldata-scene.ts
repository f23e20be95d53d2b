import { type Address, encodeFunctionData, type Hex, parseAbi, size, slice, toHex } from 'viem'
import { type Call, callIssueKinds, DECODE_BUDGET, describeCall, flattenCalls } from './calldata.ts'

// Addresses and functions shared by the tests of calldata, and the rules that hold for every tree of calls.

export const to: Address = '0x1111111111111111111111111111111111111111'
export const safeAddress: Address = '0x2222222222222222222222222222222222222222'
export const other: Address = '0x3333333333333333333333333333333333333333'
export const zero: Address = '0x0000000000000000000000000000000000000000'
export const callOnly: Address = '0x9641d764fc13c8B624c04430C7356C1C7C8102e2'
export const multicall3: Address = '0xcA11bde05977b3631167028862bE2a173976CA11'

export const functions = parseAbi([
  'function transfer(address to, uint256 amount)',
  'function execTransactionFromModule(address to, uint256 value, bytes data, uint8 operation)',
  'function multicall(bytes[] data)',
  'function tryAggregate(bool requireSuccess, (address target, bytes callData)[] calls)',
  'function executeBatch(address[] targets, uint256[] values, bytes[] payloads, bytes32 predecessor, bytes32 salt)',
  'function upgradeAndCall(address proxy, address implementation, bytes data)',
  'function aggregate3((address target, bool allowFailure, bytes callData)[] calls)',
  'function aggregate3Value((address target, bool allowFailure, uint256 value, bytes callData)[] calls)',
  'function performCreate(uint256 value, bytes deploymentData)',
])

export const transfer = encodeFunctionData({ abi: functions, functionName: 'transfer', args: [other, 5n] })

/** A call of the Safe with this data. */
export function describePlain(data: Hex, change: Partial<Parameters<typeof describeCall>[0]> = {}): Call {
  return describeCall({ to, value: 0n, data, operation: 0, safeAddress, ...change })
}

/** A number as 32 bytes, without 0x. */
export function word(value: number): string {
  return toHex(value, { size: 32 }).slice(2)
}

/** Lists what is wrong with a tree of calls, whatever its bytes: each call has its place, each byte appears once. */
export function faultsOf(call: Call): string[] {
  const calls = flattenCalls(call)
  return calls.length > DECODE_BUDGET.calls + 2 + DECODE_BUDGET.depth
    ? [`${calls.length} calls`]
    : calls.flatMap((call) => [...faultsOfBytes(call), ...faultsOfInner(call)])
}

function faultsOfBytes(call: Call): string[] {
  const faults: string[] = []
  let at = 0
  for (const { start, end } of call.undecoded) {
    if (!(start >= at && end > start && end <= size(call.data))) faults.push(`undecoded ${start} to ${end} after ${at}`)
    at = end
  }
  const bytes = call.undecoded.reduce((sum, { start, end }) => sum + end - start, 0)
  if (call.undecodedBytes !== bytes) faults.push(`${call.undecodedBytes} undecoded bytes, not ${bytes}`)
  const isPlain = call.kind === 'empty' || call.kind === 'native-transfer'
  if (call.name === null && !isPlain && bytes !== size(call.data)) faults.push('bytes decoded by nobody')
  if ((call.source === null) !== (call.name === null)) faults.push('a name without a source')
  for (const { id } of call.issues) if (!(id in callIssueKinds)) faults.push(`issue ${id}`)
  return faults
}

function faultsOfInner(call: Call): string[] {
  return (call.calls ?? []).flatMap(({ path, range, data }, index) => {
    if (path.join() !== [...call.path, index].join()) return [`path ${path}`]
    // A governor of Compound's kind has the selector as text, apart from the arguments.
    if (range === null) return call.family === 'proposal' ? [] : [`no range at ${path}`]
    const there = range.start === range.end ? '0x' : slice(call.data, range.start, range.end).toLowerCase()
    return there === data ? [] : [`other bytes at ${range.start} to ${range.end}`]
  })
}
