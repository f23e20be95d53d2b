import { mostGas } from '../simulation/gas-to-offer.ts'

/** Payments of a list from one on, to be carried out as one transaction. `gas` is what to offer for it; null where nobody measured it. */
export type PaymentBatch = { from: number; count: number; gas: bigint | null }

/** Bounds of one transaction: its gas, and how many payments its readers can go through. */
export type BatchLimits = { gas: bigint; payments: number }

/** Payments that are measured first, and that a transaction holds whose gas nobody can measure. */
const FIRST_PAYMENTS = 100
const MAX_PAYMENTS = 500
/** Batches that are tried for one transaction: recipients differ in what they cost. */
const MAX_TRIES = 4

/**
 * Bounds for a chain: a transaction that needs more than half of a block waits long for its turn.
 *
 * @param blockGasLimit - of the newest block
 * @example
 * batchLimits(30_000_000n) // { gas: 15_000_000n, payments: 500 }
 */
export function batchLimits(blockGasLimit: bigint): BatchLimits {
  return { gas: mostGas({ gasLimit: blockGasLimit / 2n }), payments: MAX_PAYMENTS }
}

/**
 * Splits payments into transactions, in their order, each as large as its measured gas allows.
 *
 * @param measure - says what gas to offer for these payments as one transaction; null where it cannot be measured
 * @param start - the first payment that is in no batch yet: a list is split further where it was left
 * @example
 * for await (const batch of splitPayments(5_000, batchLimits(30_000_000n), measure)) batches.push(batch)
 */
export async function* splitPayments(
  count: number,
  limits: BatchLimits,
  measure: (from: number, count: number) => Promise<bigint | null>,
  start = 0,
): AsyncGenerator<PaymentBatch> {
  let size = FIRST_PAYMENTS
  for (let from = start; from < count; ) {
    const most = Math.min(limits.payments, count - from)
    let tried = Math.min(size, most)
    let gas = await measure(from, tried)
    for (let tries = 1; gas !== null && !isWellFilled(gas, tried, most, limits) && tries < MAX_TRIES; tries++) {
      const fitting = Math.min(fitCount(gas, tried, limits), most)
      if (fitting === tried) break
      tried = fitting
      gas = await measure(from, tried)
    }
    while (gas !== null && gas > limits.gas && tried > 1) {
      tried = Math.floor(tried / 2)
      gas = await measure(from, tried)
    }
    yield { from, count: tried, gas }
    from += tried
    size = gas === null ? FIRST_PAYMENTS : fitCount(gas, tried, limits)
  }
}

function isWellFilled(gas: bigint, tried: number, most: number, limits: BatchLimits): boolean {
  return gas <= limits.gas && (tried === most || gas * 5n >= limits.gas * 4n)
}

/** Payments like these that fill a transaction, with a twentieth left over for those that cost more. */
function fitCount(gas: bigint, tried: number, limits: BatchLimits): number {
  return Math.max(1, Number((BigInt(tried) * limits.gas * 19n) / (gas * 20n)))
}
