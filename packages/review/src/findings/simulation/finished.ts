import { isBoundToChain, isSameAddress } from '@countersign/safe'
import { isAddress } from 'viem'
import type { SlotChange } from '../../effects/declared-effects.ts'
import type { ReviewInput } from '../../input.ts'
import { otherMachine } from '../../simulation/other-machine.ts'
import type { FinishedSimulation, NodeSimulation } from '../../simulation/simulation-result.ts'

/** A run that ended and executed the transaction, and that the node does not contradict. */
export type ExecutedRun = FinishedSimulation & { outcome: { kind: 'success' | 'inner-failure' } }

/**
 * The run that ended, whatever it ended with; null where there is none, or where the node's own word on it is another: two
 * stories are none.
 *
 * @example
 * finishedRun(input)?.outcome.kind // 'success'
 */
export function finishedRun({ simulation }: Pick<ReviewInput, 'simulation'>): FinishedSimulation | null {
  if (!simulation || simulation.crossCheck.status === 'diverges') return null
  return simulation.result.status === 'finished' ? simulation.result : null
}

/**
 * A finished run that changes something: of a revert nothing remains.
 *
 * @example
 * executedRun(input)?.slots // [{ account: safeAddress, slot, before, after }, …]
 */
export function executedRun(input: Pick<ReviewInput, 'simulation'>): ExecutedRun | null {
  const run = finishedRun(input)
  return run !== null && isExecuted(run) ? run : null
}

/** A finished run that carried out the transaction itself, with all that was asked of it. */
export function wholeRun(input: Pick<ReviewInput, 'simulation'>): FinishedSimulation | null {
  const run = finishedRun(input)
  return run?.outcome.kind === 'success' && !lacksMoves(run) && !dependsOnConditions(run) ? run : null
}

/**
 * The node's own run, where it may stand in for one in the page: on a chain whose machine is no EVM, which its id alone says,
 * and that id is part of the hash (from 1.3.0). Null wherever an EVM could run it: there a contract can end a run on purpose.
 *
 * @example
 * standInOf(input)?.method // 'eth_call', on ZKsync
 */
export function standInOf({
  chainId,
  state,
  simulation,
}: Pick<ReviewInput, 'chainId' | 'state' | 'simulation'>): NodeSimulation | null {
  if (otherMachine(chainId) === null || state === null || !isBoundToChain(state)) return null
  if (simulation?.result.status !== 'unfinished' || simulation.result.reason.kind !== 'machine') return null
  return simulation.standIn
}

/** Whether so much happened that balances or approvals were not all asked. */
export function lacksMoves({ gaps }: FinishedSimulation): boolean {
  return gaps.includes('balances') || gaps.includes('approvals')
}

/** Whether code could tell the run from the chain, and may do something else there. */
export function dependsOnConditions({ gaps }: FinishedSimulation): boolean {
  return gaps.includes('conditions')
}

/** Slots of the Safe that are otherwise afterwards. */
export function ownSlots(run: FinishedSimulation, { safeAddress }: Pick<ReviewInput, 'safeAddress'>): SlotChange[] {
  return run.slots.filter(({ account, before, after }) => isSameAddress(account, safeAddress) && before !== after)
}

/** The address that a slot holds; null where it holds something else. */
export function heldAddress(value: string): `0x${string}` | null {
  const address = `0x${value.slice(-40)}`
  return BigInt(value) >> 160n === 0n && isAddress(address, { strict: false }) ? address : null
}

/**
 * Whether a run that ended executed the transaction.
 *
 * @example
 * isExecuted(run) // false after a revert
 */
export function isExecuted(run: FinishedSimulation): run is ExecutedRun {
  return run.outcome.kind !== 'reverted'
}
