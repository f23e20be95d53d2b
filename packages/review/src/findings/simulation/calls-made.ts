import { isSameAddress } from '@countersign/safe'
import type { Call } from '@countersign/safe/calls'
import { type Hex, size } from 'viem'
import type { FinishedSimulation, SimulatedCall } from '../../simulation/simulation-result.ts'

/**
 * Tells of a call of the story whether the run made it, and whether it stood: a call that a timelock keeps for later, or
 * one that failed and was forgiven, is none that a run shows.
 *
 * @example
 * const isMade = callsMadeIn(run)
 * isMade(call) // false for the call inside `schedule(address,uint256,bytes,bytes32,bytes32,uint256)`
 */
export function callsMadeIn({ call: root }: Pick<FinishedSimulation, 'call'>): (call: Call) => boolean {
  const byInput = new Map<Hex, SimulatedCall[]>()
  const visit = (made: SimulatedCall) => {
    // The changes of a call that failed are undone, and those of all calls inside.
    if (made.failure !== null) return
    // Bytes that were cut can be those of another call.
    if (size(made.input) === made.inputSize) {
      const input = made.input.toLowerCase() as Hex
      byInput.set(input, [...(byInput.get(input) ?? []), made])
    }
    made.calls.forEach(visit)
  }
  visit(root)
  return (call) => (byInput.get(call.data.toLowerCase() as Hex) ?? []).some((made) => isSameCall(made, call))
}

/** A contract that passes a multicall on to itself does so by delegatecall, and keeps the sender. */
function isSameCall({ operation, to, context, from, value }: SimulatedCall, call: Call): boolean {
  if (operation === 'delegatecall') return isSameAddress(context, call.to)
  return operation === 'call' && isSameAddress(to, call.to) && isSameAddress(from, call.from) && value === call.value
}
