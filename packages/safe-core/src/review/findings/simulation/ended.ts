import type { UnfinishedReason } from '../../../simulation/simulation-result.ts'
import type { ReviewInput } from '../../input.ts'
import type { Finding } from '../../types.ts'
import { finding } from '../evidence.ts'
import { finishedRun, lacksMoves } from './finished.ts'

/**
 * How far a simulation can be believed: the node runs it otherwise, it did not end, or so much happened that not
 * everything was asked. Nothing of this is ever green.
 */
export function reviewEnded(input: ReviewInput): Finding[] {
  const { simulation } = input
  if (!simulation) return []
  const { result, crossCheck, standIn } = simulation
  if (crossCheck.status === 'diverges') {
    const here = result.status === 'finished' ? result.outcome.kind : result.status
    return [finding('SIM-DIVERGES', 'high', { here, node: crossCheck.outcome, method: crossCheck.method })]
  }
  if (result.status === 'unfinished') {
    const method = canStandIn(result.reason) ? standIn?.method : undefined
    const evidence = { reason: reasonOf(result.reason), at: placeOf(result.reason), method }
    return [finding('SIM-UNAVAILABLE', method === undefined ? 'high' : 'medium', evidence)]
  }
  const run = finishedRun(input)
  if (run === null || !lacksMoves(run)) return []
  return [finding('SIM-UNAVAILABLE', 'high', { reason: 'gap', at: run.gaps.join(', ') })]
}

/** Where a chain has code of its own, its node's word is what is left; what met a limit is not run anywhere else. */
function canStandIn({ kind }: UnfinishedReason): boolean {
  return kind === 'precompile'
}

function reasonOf(reason: UnfinishedReason): string {
  return reason.kind
}

function placeOf(reason: UnfinishedReason): string {
  switch (reason.kind) {
    case 'limit':
      return reason.limit
    case 'reader':
      return reason.code
    case 'precompile':
      return reason.address
    case 'engine':
      return reason.message
  }
}
