import { excessGas, type Facts, finishedRun } from '@countersign/review'
import { gasToOffer } from '@countersign/safe/calls'

type Given = { signatures: number; safeTxGas: bigint }

/**
 * Gas to offer for an execution, by the run of it, the creation of the Safe included where it goes first: no more than one
 * transaction may have.
 *
 * @returns null where no run carried the transaction out
 */
export function executionGas(facts: Facts, given: Given): bigint | null {
  const run = finishedRun(facts)
  if (run === null || run.outcome.kind === 'reverted') return null
  return gasToOffer(run.gasPeak + (run.activated?.gasUsed ?? 0n), given, run.gasLimit)
}

/** Gas that an execution takes, and the most that one transaction may have, where that is too little; null where it has room. */
export function executionExcess(facts: Facts, given: Given): { gas: bigint; most: bigint } | null {
  const run = finishedRun(facts)
  return run === null ? null : excessGas(run, given)
}
