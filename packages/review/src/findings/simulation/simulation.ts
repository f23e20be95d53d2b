import type { Call } from '@countersign/safe/calls'
import type { ObservedEffects } from '../../effects/declared-effects.ts'
import type { ReviewInput } from '../../input.ts'
import type { Finding, SafeConfiguration } from '../../types.ts'
import { reviewApprovalsLeft } from './approvals.ts'
import { reviewControl } from './control.ts'
import { reviewEnded } from './ended.ts'
import { reviewLogs } from './logs.ts'
import { reviewMoves } from './moves.ts'
import { reviewReceived } from './received.ts'
import { reviewRevert } from './reverts.ts'
import { reviewSlots } from './slots.ts'
import { reviewWorth } from './worth.ts'

/** The story of the calls: what a run is compared with. */
export type Story = {
  call: Call
  safeTxHash: `0x${string}`
  before: SafeConfiguration | null
  after: SafeConfiguration | null
  /** By the calls alone. */
  observed: Pick<ObservedEffects, 'assets' | 'unread'>
  /** Findings about the calls. */
  findings: readonly Finding[]
}

/** Compares the run of a transaction with the story of its calls, and says how far the run itself can be believed. */
export function reviewSimulation(story: Story, input: ReviewInput): Finding[] {
  const ofRun = [
    ...reviewEnded(input),
    ...reviewRevert(story.findings, input),
    ...reviewSlots(story, input),
    ...reviewMoves(story, input),
    ...reviewReceived(story.call, input),
    ...reviewWorth(story.call, input),
    ...reviewApprovalsLeft(story.call, input),
    ...reviewLogs(input),
    ...reviewControl(story.findings, input),
  ]
  const isSaid = ({ id, evidence }: Finding) =>
    id === 'VALUE-DRAIN' &&
    story.findings.some(
      (known) => known.id === id && known.evidence.asset.toLowerCase() === evidence.asset.toLowerCase(),
    )
  return ofRun.filter((known) => !isSaid(known))
}
