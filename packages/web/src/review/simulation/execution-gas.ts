import { type Facts, finishedRun, gasToOffer } from '@countersign/safe-core'

/**
 * Gas to offer for an execution, by the run of it, the creation of the Safe included where it goes first.
 *
 * @returns null where no run carried the transaction out
 */
export function executionGas(facts: Facts, given: { signatures: number; safeTxGas: bigint }): bigint | null {
  const run = finishedRun(facts)
  if (run === null || run.outcome.kind === 'reverted') return null
  return gasToOffer(run.gasPeak + (run.activated?.gasUsed ?? 0n), given)
}
