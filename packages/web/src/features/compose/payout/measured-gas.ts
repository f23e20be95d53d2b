import type { CallFailure, SimulatedCall, SimulatedTransaction } from '@countersign/review'
import { isSameAddress } from '@countersign/safe'
import type { Address } from 'viem'

/** Payments that would fail. `line` is the first of them in the list; null where the run does not tell. */
export type FailingBatch = { line: number | null; failure: CallFailure | null }

/** Lines of the payments of a run, in the order of its batch, and the library that carries them out. */
type Measured = { multiSend: Address; lines: readonly number[] }

/**
 * The most gas that a run of payments held at a time; null where nobody ran it. Of payments that fail, the first one's line and
 * the reason of the innermost call: the Safe's own says only that something inside failed.
 */
export function measuredGas({ result, standIn }: SimulatedTransaction, about: Measured): bigint | null | FailingBatch {
  if (result.status === 'unfinished') {
    if (standIn === null || standIn.outcome === 'success') return standIn?.gasUsed ?? null
    return { line: null, failure: standIn.failure }
  }
  const { outcome, gasPeak, gasWanted, call } = result
  if (outcome.kind === 'success') return gasPeak
  // More gas than a transaction may have: fewer payments may do.
  if (gasWanted !== null && about.lines.length > 1) return gasWanted
  const innermost = outcome.began.reduce<SimulatedCall | undefined>((frame, step) => frame?.calls[step], call)
  const failure = innermost?.failure ?? outcome.failure
  // More gas than a block holds, most likely: fewer payments may do, and one that halts by itself stands alone in the end.
  if (failure.kind === 'halt' && about.lines.length > 1) return call.gas * 2n
  const position = about.lines.length === 1 ? 0 : entryOf(call, outcome.began, about.multiSend)
  return { line: about.lines[position ?? -1] ?? null, failure }
}

/** The entry of the batch that a call belongs to: the step that its path takes below the library. */
function entryOf(call: SimulatedCall, began: readonly number[], multiSend: Address): number | null {
  let frame: SimulatedCall | undefined = call
  for (const step of began) {
    if (frame === undefined) return null
    if (frame.operation === 'delegatecall' && isSameAddress(frame.to, multiSend)) return step
    frame = frame.calls[step]
  }
  return null
}
