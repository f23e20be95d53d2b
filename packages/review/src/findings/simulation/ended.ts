import type { ReviewInput } from '../../input.ts'
import { otherMachine } from '../../simulation/other-machine.ts'
import type { UnfinishedReason } from '../../simulation/simulation-result.ts'
import type { Finding } from '../../types.ts'
import { finding } from '../make-finding.ts'
import { dependsOnConditions, finishedRun, lacksMoves, standInOf } from './finished.ts'

/**
 * How far a simulation can be believed: the node runs it otherwise, or moves something else, it did not end, or so much happened that not
 * everything was asked, or code can tell it from the chain. Nothing of this is ever green. Where the chain has no EVM the
 * node's own run stands in, and nobody has seen what moves.
 */
export function reviewEnded(input: ReviewInput): Finding[] {
  const { simulation } = input
  if (!simulation) return []
  const { result, crossCheck, standIn } = simulation
  if (crossCheck.status === 'diverges') {
    const { moved, method, outcome } = crossCheck
    const here = result.status === 'finished' ? result.outcome.kind : result.status
    const evidence =
      moved === null
        ? { here, node: outcome }
        : { account: moved.account, token: moved.token, here: moved.here.toString(), node: moved.node.toString() }
    return [finding('SIM-DIVERGES', 'high', { ...evidence, method })]
  }
  if (result.status === 'unfinished') {
    const machine = otherMachine(input.chainId)
    const said = standInOf(input)
    if (said !== null) return [finding('SIM-BY-NODE', 'high', { machine, method: said.method })]
    // Any contract can end a run on purpose. What a node says in its place is shown, and passes nothing.
    const evidence = { reason: result.reason.kind, at: placeOf(result.reason), method: standIn?.method }
    return [finding('SIM-UNAVAILABLE', 'high', evidence)]
  }
  const run = finishedRun(input)
  if (run === null) return []
  const depends = dependsOnConditions(run) ? [finding('SIM-DEPENDS', 'high', {})] : []
  const lacks = lacksMoves(run) ? [finding('SIM-UNAVAILABLE', 'high', { reason: 'gap', at: run.gaps.join(', ') })] : []
  return [...depends, ...lacks]
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
    case 'creation':
      return 'creation'
    case 'machine':
      return reason.name
  }
}
