import { type Facts, finishedRun } from '@countersign/safe-core'

/** A real signature costs more than an approval that the run took as given; a contract's may cost more still. */
const GAS_PER_SIGNATURE = 12_000n

/**
 * Gas to offer for an execution, by the run of it: the most that it held at a time, a fifth on top, because a call hands on
 * 63/64 of what is left, and room for signatures.
 *
 * @returns null where no run carried the transaction out
 */
export function executionGas(facts: Facts, signatures: number): bigint | null {
  const run = finishedRun(facts)
  if (run === null || run.outcome.kind === 'reverted') return null
  return (run.gasPeak * 6n) / 5n + BigInt(signatures) * GAS_PER_SIGNATURE
}
