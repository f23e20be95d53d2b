import { isSameAddress } from '@countersign/safe'
import { findingEntry } from '../../catalogue.ts'
import type { ReviewInput } from '../../input.ts'
import { excessGas } from '../../simulation/excess-gas.ts'
import type { CallFailure, FinishedSimulation, SimulatedCall } from '../../simulation/simulation-result.ts'
import type { Finding } from '../../types.ts'
import { finding } from '../make-finding.ts'
import { finishedRun, standInOf } from './finished.ts'

/**
 * The transaction fails as things stand at the block of the run: with the code of the Safe, or what the contract said.
 * Where the calls say already why it fails, nobody is asked about it twice.
 */
export function reviewRevert(told: readonly Finding[], input: ReviewInput): Finding[] {
  const isTold = told.some(({ id, severity }) => severity === 'high' && findingEntry(id).fails === 'outcome')
  const severity = isTold ? 'medium' : 'high'
  const standIn = standInOf(input)
  if (standIn !== null && standIn.failure !== null) {
    const { failure, outcome } = standIn
    const spendsNonce = outcome === 'inner-failure' || null
    return [finding('SIM-REVERT', severity, { gsCode: codeOf(failure), contractWords: saidBy(failure), spendsNonce })]
  }
  const run = finishedRun(input)
  const excess = run === null ? null : excessOf(run, input)
  if (excess !== null) return [finding('SIM-TOO-LARGE', 'high', excess)]
  if (run === null || run.outcome.kind === 'success') return []
  const { kind, began } = run.outcome
  const calls = callsTo(run, began)
  const at = calls.at(-1)
  // The Safe answers with its own code for whatever fails in it: the words are those of the call in which it began.
  const failure = at?.failure ?? run.outcome.failure
  const guard = calls.find(({ part }) => part === 'guard')
  if (guard !== undefined)
    return [finding('SIM-GUARD-BLOCKS', 'high', { guard: guard.to, contractWords: saidBy(failure) })]
  const evidence = {
    // Anybody can revert with the words of a Safe: its own code alone is believed.
    gsCode: at !== undefined && isOwnCode(at, input) ? codeOf(failure) : codeOf(run.call.failure),
    contractWords: saidBy(failure),
    contract: at?.to,
    spendsNonce: kind === 'inner-failure' || null,
  }
  return [finding('SIM-REVERT', severity, evidence)]
}

/** Gas in steps: what an answer was given to stays as it is while balances change. */
const GAS_STEP = 100_000n

function excessOf(run: FinishedSimulation, { state, safeTx }: ReviewInput) {
  const excess = excessGas(run, { signatures: state?.threshold ?? 1, safeTxGas: safeTx.safeTxGas })
  if (excess === null) return null
  const steps = (excess.gas + GAS_STEP - 1n) / GAS_STEP
  return { gasNeeded: steps * GAS_STEP, gasLimit: excess.most }
}

function isOwnCode({ to }: SimulatedCall, { safeAddress, state }: ReviewInput): boolean {
  return isSameAddress(to, safeAddress) || (state !== null && isSameAddress(to, state.singleton))
}

/** The calls on the way to a place, the first included. */
function callsTo({ call }: FinishedSimulation, path: readonly number[]): SimulatedCall[] {
  const found = [call]
  for (const index of path) {
    const next = found.at(-1)?.calls[index]
    if (next === undefined) break
    found.push(next)
  }
  return found
}

function codeOf(failure: CallFailure | null): string | null {
  return failure?.kind === 'revert' && failure.explanation.kind === 'safe' ? failure.explanation.reason.code : null
}

/** Words of a contract are its claim: the page shows them as such. */
function saidBy(failure: CallFailure): string | null {
  if (failure.kind === 'halt') return failure.reason
  const { explanation } = failure
  switch (explanation.kind) {
    case 'safe':
      return null
    case 'message':
      return explanation.message
    case 'panic':
      return `panic ${explanation.code}`
    default:
      return failure.data === '0x' ? null : failure.data.slice(0, 74)
  }
}
