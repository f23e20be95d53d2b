import { gasToOffer } from '@countersign/safe/calls'
import type { FinishedSimulation } from './simulation-result.ts'

/**
 * The gas to offer for an execution that needs more than one transaction may have, and that limit: nothing else is wrong with it.
 *
 * @returns null where it has room in one, or fails however much it had
 * @example
 * excessGas(run, { signatures: safe.threshold, safeTxGas: 0n }) // { gas: 23_000_000n, most: 16_777_216n }
 */
export function excessGas(
  { outcome, gasPeak, gasLimit: most, gasWanted, activated }: FinishedSimulation,
  given: { signatures: number; safeTxGas: bigint },
): { gas: bigint; most: bigint } | null {
  const beside = activated?.gasUsed ?? 0n
  if (outcome.kind === 'success' && gasPeak + beside <= most) return null
  const peak = outcome.kind === 'success' ? gasPeak : gasWanted
  const gas = peak === null ? 0n : gasToOffer(peak + beside, given)
  return gas > most ? { gas, most } : null
}
