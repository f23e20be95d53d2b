import {
  type ActivatedSafe,
  type CallFailure,
  type CrossCheck,
  type FinishedSimulation,
  type NodeSimulation,
  type PinnedBlock,
  type SafeTxRun,
  type SimulatedLog,
  type SimulationResult,
  withoutContracts,
} from '@countersign/review'
import { CountersignError, explainRevert, isRecord, isSameAddress, type RpcRequest } from '@countersign/safe'
import { MAX_TRANSACTION_GAS } from '@countersign/safe/calls'
import { type Address, type Hex, isHex, numberToHex, padHex } from 'viem'
import { askingCodes, compareMoves } from './node-moves.ts'
import { assumedApprovals, prepareExecution } from './safe-execution.ts'
import { safeSlots } from './safe-slots.ts'

const TRUE = padHex('0x01', { size: 32 })
/** More than any gas costs: the executor may have nothing. */
const FUNDS = numberToHex(10n ** 24n)

type Ending = { outcome: 'success' | 'inner-failure' | 'reverted'; data: Hex }

/**
 * Asks the node for the same execution by `eth_call`, with the approvals and the nonce that the run assumed as overrides,
 * and compares how it ends, for which reason, and what everybody holds then.
 *
 * @example
 * const check = await crossCheck(request, run, result)
 * if (check.status === 'diverges') refuse()
 */
export async function crossCheck(request: RpcRequest, ran: SafeTxRun, result: SimulationResult): Promise<CrossCheck> {
  if (result.status === 'unfinished') return { status: 'unasked', reason: 'unfinished' }
  // A signature in whose place the run assumed an approval was refused.
  const isPut = ({ owner }: { owner: Address }) => !result.assumed.approvedBy.some((by) => isSameAddress(by, owner))
  const run = { ...ran, confirmations: ran.confirmations.filter(isPut), gas: result.gasLimit }
  const [answer, moves] = await Promise.all([
    callNode(request, run, result.block, result.activated),
    askMoves(request, run, result),
  ])
  if (answer === null) return { status: 'unasked', reason: 'refused' }
  const isSame = answer.outcome === result.outcome.kind && isSameReason(result, answer.data) && !moves?.other
  const said = { compared: moves?.compared ?? null, moved: moves?.other ?? null }
  return { status: isSame ? 'agrees' : 'diverges', method: 'eth_call', ...answer, ...said }
}

/** Nodes that leave out the data of a revert say no other reason by that. */
function isSameReason({ outcome }: FinishedSimulation, data: Hex): boolean {
  if (outcome.kind !== 'reverted' || outcome.failure.kind !== 'revert' || data === '0x') return true
  return outcome.failure.data === data.toLowerCase()
}

/** Null where nothing moves, or the node runs no code that is put in an account's place, each time that it is asked. */
async function askMoves(request: RpcRequest, run: SafeTxRun, result: FinishedSimulation) {
  const { executor, safeAddress } = run
  if (result.outcome.kind === 'reverted' || isSameAddress(executor, safeAddress)) return null
  const { call, overrides } = callOf(run, result.block, result.activated)
  const askings = askingCodes(result, { to: safeAddress, data: call.data, executor, gas: BigInt(call.gas) })
  const said = await Promise.all(
    askings.map(async (asking) => {
      const params = [
        { ...call, to: executor, data: asking.input },
        numberToHex(result.block.number),
        { ...overrides, [executor]: { ...overrides[executor], code: asking.code } },
      ]
      const answer = await request({ method: 'eth_call', params }).catch(() => null)
      return isHex(answer) ? compareMoves(asking, answer, result.call.output) : null
    }),
  )
  const answered = said.filter((one) => one !== null)
  if (answered.length === 0) return null
  return {
    compared: answered.length < said.length ? null : answered.reduce((sum, { compared }) => sum + compared, 0),
    other: answered.find(({ other }) => other !== null)?.other ?? null,
  }
}

/**
 * The node's own run, where none in the page is possible: by `eth_simulateV1`, else by `eth_call`.
 *
 * @returns null where the node does neither
 * @example
 * const standIn = result.status === 'unfinished' ? await nodeSimulation(request, run, result.block) : null
 */
export async function nodeSimulation(
  request: RpcRequest,
  run: SafeTxRun,
  block: PinnedBlock,
): Promise<NodeSimulation | null> {
  // Code and slots of a Safe that is not there yet are known by a run alone.
  if (run.creation !== undefined) return null
  const answer = await askForRun(request, run, block)
  const fewer = answer?.outcome === 'reverted' ? withoutContracts(run) : null
  return fewer === null ? answer : askForRun(request, fewer, block)
}

async function askForRun(request: RpcRequest, run: SafeTxRun, block: PinnedBlock): Promise<NodeSimulation | null> {
  const simulated = await simulateOnNode(request, run, block)
  if (simulated) return simulated
  const called = await callNode(request, run, block)
  if (called === null) return null
  return { method: 'eth_call', block, ...endOf(called), gasUsed: null, logs: null }
}

/** Null where the node does not take the overrides, or did not answer. */
async function callNode(
  request: RpcRequest,
  run: SafeTxRun,
  block: PinnedBlock,
  activated?: ActivatedSafe,
): Promise<Ending | null> {
  const { call, overrides } = callOf(run, block, activated)
  try {
    const answer = await request({ method: 'eth_call', params: [call, numberToHex(block.number), overrides] })
    if (!isHex(answer)) return null
    return { outcome: answer === TRUE ? 'success' : 'inner-failure', data: answer }
  } catch (error) {
    const data = revertOf(error)
    return data === null ? null : { outcome: 'reverted', data }
  }
}

async function simulateOnNode(request: RpcRequest, run: SafeTxRun, block: PinnedBlock): Promise<NodeSimulation | null> {
  const { call, overrides } = callOf(run, block)
  const blocks = { blockStateCalls: [{ stateOverrides: overrides, calls: [call] }], traceTransfers: true }
  const answer = await request({
    method: 'eth_simulateV1',
    params: [blocks, numberToHex(block.number)],
  }).catch(() => null)
  const [simulated] = Array.isArray(answer) ? answer : []
  const [first] = isRecord(simulated) && Array.isArray(simulated.calls) ? simulated.calls : []
  if (!isRecord(first) || !isHex(first.returnData) || !isHex(first.gasUsed)) return null
  const isReverted = first.status === '0x0'
  const data = isReverted && isRecord(first.error) && isHex(first.error.data) ? first.error.data : first.returnData
  const outcome = isReverted ? 'reverted' : first.returnData === TRUE ? 'success' : 'inner-failure'
  const logs = Array.isArray(first.logs) ? first.logs.flatMap(readLog) : []
  return { method: 'eth_simulateV1', block, ...endOf({ outcome, data }), gasUsed: BigInt(first.gasUsed), logs }
}

function callOf(run: SafeTxRun, { chainId }: PinnedBlock, activated?: ActivatedSafe) {
  const execution = prepareExecution(run, chainId)
  const slots = [
    ...(activated?.slots ?? []).map(([slot, value]) => ({ slot, value })),
    ...assumedApprovals(execution),
    { slot: safeSlots.nonce, value: numberToHex(run.safeTx.nonce, { size: 32 }) },
  ]
  const gas = run.gas ?? MAX_TRANSACTION_GAS
  const gasPrice = run.gasPrice === undefined ? {} : { gasPrice: numberToHex(run.gasPrice) }
  return {
    call: { from: run.executor, to: run.safeAddress, data: execution.data, gas: numberToHex(gas), ...gasPrice },
    overrides: {
      [run.safeAddress]: {
        ...(activated === undefined ? {} : { code: activated.code }),
        stateDiff: Object.fromEntries(slots.map(({ slot, value }) => [slot, value])),
      },
      ...(run.gasPrice === undefined ? {} : { [run.executor]: { balance: FUNDS } }),
    },
  }
}

function endOf({ outcome, data }: Ending): { outcome: Ending['outcome']; failure: CallFailure | null } {
  const failure = { kind: 'revert', data, explanation: explainRevert(data) } as const
  return { outcome, failure: outcome === 'success' ? null : failure }
}

/** Revert data; null when the node failed for another reason than a revert. */
function revertOf(error: unknown): Hex | null {
  if (!(error instanceof CountersignError) || error.code !== 'RPC_ERROR') return null
  const { rpcCode, rpcMessage, rpcData } = error.data
  const data = isRecord(rpcData) ? rpcData.data : rpcData
  if (isHex(data)) return data
  return rpcCode === 3 || /revert/i.test(String(rpcMessage)) ? '0x' : null
}

function readLog(log: unknown): SimulatedLog[] {
  if (!isRecord(log) || !isHex(log.address) || !isHex(log.data) || !Array.isArray(log.topics)) return []
  return [{ address: log.address, topics: log.topics.filter((topic): topic is Hex => isHex(topic)), data: log.data }]
}
