import { decodeSafeEvent, type RpcRequest, safeEventTopics } from '@countersign/safe'
import { type Address, decodeFunctionData, type Hex, parseAbi } from 'viem'
import type { EthereumTransaction, Log } from '../../rpc/logs.ts'
import { readCallsInOrder } from './moves.ts'

const moduleAbi = parseAbi([
  'function execTransactionFromModule(address to, uint256 value, bytes data, uint8 operation)',
  'function execTransactionFromModuleReturnData(address to, uint256 value, bytes data, uint8 operation)',
])

/** Call that a module had a Safe execute. */
export type ModuleCall = { to: Address; value: bigint; data: Hex; operation: number }

const endTopics = new Set<Hex>(safeEventTopics('ExecutionFromModuleSuccess', 'ExecutionFromModuleFailure'))
const [detailTopic] = safeEventTopics('SafeModuleTransaction')

/** Whether it says that what a module had a Safe execute has ended. */
export function isModuleExecution({ topics: [topic] }: Log): boolean {
  return topic !== undefined && endTopics.has(topic)
}

/** Whether the logs of a Safe say that modules had it execute something, and not what: singletons for L1 say no more. */
export function hasBareModuleExecution(logs: readonly Log[]): boolean {
  return logs.some(isModuleExecution) && !logs.some(({ topics }) => topics[0] === detailTopic)
}

/**
 * Reads the calls that modules had one Safe execute in one Ethereum transaction, by the log that ends each: from the
 * trace; where the node does not trace, from a module that sent the transaction itself.
 *
 * @param logs all of the Safe in that transaction, in the order of the chain
 */
export async function readModuleCalls(
  ask: RpcRequest,
  logs: readonly Log[],
  call: EthereumTransaction,
): Promise<Map<Log, ModuleCall>> {
  const found = new Map<Log, ModuleCall>()
  const ends = logs.flatMap((log) => {
    const module = moduleOf(log)
    return module === null ? [] : [{ log, module }]
  })
  const last = ends.at(-1)
  if (!last) return found
  const { address } = last.log
  const traced = (await readCallsInOrder(ask, call.hash, address)).flatMap(({ from, input }) => {
    const decoded = decode(input)
    return decoded ? [{ from, decoded }] : []
  })
  // Each call that did not fail as a whole logs once, when it ends.
  if (traced.length === ends.length && traced.every(({ from }, at) => from === ends[at]?.module))
    for (const [at, { log }] of ends.entries()) {
      const moduleCall = traced[at]
      if (moduleCall) found.set(log, moduleCall.decoded)
    }
  else if (call.to === address && call.from === last.module) {
    const decoded = decode(call.input)
    if (decoded) found.set(last.log, decoded)
  }
  return found
}

function moduleOf(log: Log): Hex | null {
  const event = decodeSafeEvent(log)
  if (event?.name !== 'ExecutionFromModuleSuccess' && event?.name !== 'ExecutionFromModuleFailure') return null
  return `0x${event.module.slice(2).toLowerCase()}`
}

function decode(input: Hex): ModuleCall | null {
  try {
    const { args } = decodeFunctionData({ abi: moduleAbi, data: input })
    const [to, value, data, operation] = args
    return { to, value, data, operation }
  } catch {
    // Another function, or no calldata at all.
    return null
  }
}
