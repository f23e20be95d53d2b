import { type Address, type Hex, zeroAddress, zeroHash } from 'viem'
import { changedSafeSlots } from '../../../effects/safe-slots.ts'
import { explainRevert } from '../../../revert-reasons.ts'
import type {
  CallFailure,
  CrossCheck,
  FinishedSimulation,
  SimulatedCall,
  SimulatedTransaction,
} from '../../../simulation/simulation-result.ts'
import type { ReviewInput } from '../../input.ts'
import { account, safeAddress, state, stranger } from '../../scene.ts'
import type { SafeConfiguration } from '../../types.ts'

// Runs as the engine would give them, for tests of what is read from them.

const block = { chainId: 1, number: 100n, hash: zeroHash, timestamp: 1_700_000_000n }
const cost = { rounds: 1, runs: 1, reads: 5, lastRunMs: 5, totalMs: 10 }
export const before: SafeConfiguration = {
  ...{ singleton: state.singleton, owners: state.owners, threshold: state.threshold, modules: state.modules },
  ...{ guard: null, moduleGuard: null, fallbackHandler: null },
}

/** One call; what is not said is plain. */
export function callOf(fields: Partial<SimulatedCall> = {}): SimulatedCall {
  return {
    path: [],
    operation: 'call',
    context: safeAddress,
    from: account.address,
    to: safeAddress,
    value: 0n,
    gas: 1_000_000n,
    gasUsed: 50_000n,
    input: '0x',
    inputSize: 0,
    output: '0x',
    outputSize: 0,
    failure: null,
    part: null,
    logs: [],
    calls: [],
    ...fields,
  }
}

/** Slots of the Safe as a run changes them that makes `changed` of its settings and uses the nonce. */
export function slotsAfter(changed: Partial<SafeConfiguration> = {}, nonce = 5n): FinishedSimulation['slots'] {
  return changedSafeSlots(safeAddress, { before, after: { ...before, ...changed }, nonce })
}

/** A run that ended: well, with nothing but the nonce changed, unless said otherwise. */
export function runOf(fields: Partial<FinishedSimulation> = {}): FinishedSimulation {
  return {
    status: 'finished',
    block,
    grade: 'proved',
    hardfork: 'prague',
    outcome: { kind: 'success', output: '0x01' },
    call: callOf(),
    slots: slotsAfter(),
    restoredSlots: [],
    balances: [],
    approvals: [],
    created: [],
    destroyed: [],
    delegations: [],
    gasUsed: 60_000n,
    gasPeak: 70_000n,
    touched: [],
    assumed: { approvedBy: [], nonce: null, executorFunds: 0n },
    gaps: [],
    cost,
    ...fields,
  }
}

const agrees: CrossCheck = { status: 'agrees', method: 'eth_call', outcome: 'success', data: '0x' }

/** Such a run as a fact of the review; the node agrees unless said otherwise. */
export function simulationOf(
  fields: Partial<FinishedSimulation> = {},
  crossCheck: CrossCheck = agrees,
): Pick<ReviewInput, 'simulation'> {
  return { simulation: { result: runOf(fields), crossCheck, standIn: null } }
}

/** A run that did not end. */
export function unfinished(
  reason: Extract<SimulatedTransaction['result'], { status: 'unfinished' }>['reason'],
  standIn: SimulatedTransaction['standIn'] = null,
): Pick<ReviewInput, 'simulation'> {
  const crossCheck: CrossCheck = { status: 'unasked', reason: 'unfinished' }
  return { simulation: { result: { status: 'unfinished', reason, block, cost }, crossCheck, standIn } }
}

/** Why a call failed, by its revert data. */
export function failureOf(data: Hex): CallFailure {
  return { kind: 'revert', data, explanation: explainRevert(data) }
}

/** Native coin or a token of an account, before and after. */
export function balanceOf(
  of: Address,
  token: Address,
  amounts: readonly [bigint | null, bigint | null],
  standard: FinishedSimulation['balances'][number]['standard'] = 'erc20',
): FinishedSimulation['balances'][number] {
  const [was, is] = amounts
  return { account: of, token, standard, tokenId: null, before: was, after: is }
}

/** Native coin that the Safe pays to a stranger. */
export function paid(value: bigint): FinishedSimulation['balances'] {
  if (value === 0n) return []
  const held = state.balance
  return [
    balanceOf(safeAddress, zeroAddress, [held, held - value], 'native'),
    balanceOf(stranger, zeroAddress, [0n, value], 'native'),
  ]
}
