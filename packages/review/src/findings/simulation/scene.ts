import { explainRevert } from '@countersign/safe'
import { type Address, type Hex, zeroAddress } from 'viem'
import { changedSafeSlots } from '../../effects/safe-slots.ts'
import type { ReviewInput } from '../../input.ts'
import { safeAddress, state, stranger } from '../../scene.ts'
import type {
  CallFailure,
  CrossCheck,
  FinishedSimulation,
  SimulatedTransaction,
} from '../../simulation/simulation-result.ts'
import type { SafeConfiguration } from '../../types.ts'
import { block, cost, simulated } from './runs.ts'

// Runs as the engine would give them, for tests of what is read from them.

export const before: SafeConfiguration = {
  singleton: state.singleton,
  owners: state.owners,
  threshold: state.threshold,
  modules: state.modules,
  guard: null,
  moduleGuard: null,
  fallbackHandler: null,
}

/** Slots of the Safe as a run changes them that makes `changed` of its settings and uses the nonce. */
export function slotsAfter(changed: Partial<SafeConfiguration> = {}, nonce = 5n): FinishedSimulation['slots'] {
  return changedSafeSlots(safeAddress, { before, after: { ...before, ...changed }, nonce })
}

/** A run as a fact of the review, which uses the nonce; the node agrees unless said otherwise. */
export function simulationOf(
  fields: Partial<FinishedSimulation> = {},
  crossCheck?: CrossCheck,
): Pick<ReviewInput, 'simulation'> {
  return { simulation: simulated({ slots: slotsAfter(), ...fields }, crossCheck) }
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
