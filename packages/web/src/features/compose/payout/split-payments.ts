import { MAX_TRANSACTION_BYTES, mostGas } from '@countersign/safe/calls'

/** Payments of a list from one on, to be carried out as one transaction. `gas` is what to offer for it; null where nobody measured it. */
export type PaymentBatch = { from: number; count: number; gas: bigint | null }

/** Bounds of one transaction: its gas, the bytes of its execution, and how many payments its readers can go through. */
export type BatchLimits = { gas: bigint; bytes: number; payments: number }

/** Gas to offer for payments as one transaction, null where it cannot be measured, and the bytes of its execution. */
export type MeasuredPayments = { gas: bigint | null; bytes: number }

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
 * batchLimits(30_000_000n) // { gas: 15_000_000n, bytes: 131_072, payments: 500 }
 */
export function batchLimits(blockGasLimit: bigint): BatchLimits {
  return { gas: mostGas({ gasLimit: blockGasLimit / 2n }), bytes: MAX_TRANSACTION_BYTES, payments: MAX_PAYMENTS }
}

/**
 * Splits payments into transactions, in their order, each as large as its measured gas and its bytes allow.
 *
 * @param measure - says what these payments take as one transaction
 * @param start - the first payment that is in no batch yet: a list is split further where it was left
 * @example
 * for await (const batch of splitPayments(5_000, batchLimits(30_000_000n), measure)) batches.push(batch)
 */
export async function* splitPayments(
  count: number,
  limits: BatchLimits,
  measure: (from: number, count: number) => Promise<MeasuredPayments>,
  start = 0,
): AsyncGenerator<PaymentBatch> {
  let size = FIRST_PAYMENTS
  for (let from = start; from < count; ) {
    const most = Math.min(limits.payments, count - from)
    let tried = Math.min(size, most)
    let measured = await measure(from, tried)
    for (
      let tries = 1;
      measured.gas !== null && !isWellFilled(measured, tried, most, limits) && tries < MAX_TRIES;
      tries++
    ) {
      const fitting = Math.min(fitCount(measured, tried, limits), most)
      if (fitting === tried) break
      tried = fitting
      measured = await measure(from, tried)
    }
    while (fillOf(measured, limits) > 1 && tried > 1) {
      tried = Math.floor(tried / 2)
      measured = await measure(from, tried)
    }
    yield { from, count: tried, gas: measured.gas }
    from += tried
    size = measured.gas === null ? FIRST_PAYMENTS : fitCount(measured, tried, limits)
  }
}

/** The part of a transaction that payments take, by the bound that they come nearest to. */
function fillOf({ gas, bytes }: MeasuredPayments, limits: BatchLimits): number {
  return Math.max(Number(gas ?? 0n) / Number(limits.gas), bytes / limits.bytes)
}

function isWellFilled(measured: MeasuredPayments, tried: number, most: number, limits: BatchLimits): boolean {
  const fill = fillOf(measured, limits)
  return fill <= 1 && (tried === most || fill >= 0.8)
}

/** Payments like these that fill a transaction, with a twentieth left over for those that cost more. */
function fitCount(measured: MeasuredPayments, tried: number, limits: BatchLimits): number {
  return Math.max(1, Math.floor((tried * 0.95) / fillOf(measured, limits)))
}
