import { type Facts, finishedRun, gasToOffer } from '@countersign/safe-core'

/**
 * Gas to offer for an execution, by the run of it.
 *
 * @returns null where no run carried the transaction out
 */
export function executionGas(facts: Facts, given: { signatures: number; safeTxGas: bigint }): bigint | null {
  const run = finishedRun(facts)
  if (run === null || run.outcome.kind === 'reverted') return null
  return gasToOffer(run.gasPeak, given)
}
