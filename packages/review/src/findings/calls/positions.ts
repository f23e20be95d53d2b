import { isSameAddress } from '@countersign/safe'
import type { Call } from '@countersign/safe/calls'
import { raisedPosition } from '../../facts/assets/position-owners.ts'
import type { ReviewInput } from '../../input.ts'
import type { Finding } from '../../types.ts'
import { callFinding } from '../make-finding.ts'

/** Liquidity for a position that somebody else holds, or of which nobody could say who does: then its contract is named. */
export function reviewRaisedPosition(call: Call, { positionOwners, safeAddress }: ReviewInput): Finding[] {
  const tokenId = raisedPosition(call)
  if (tokenId === null) return []
  const owner = positionOwners?.[call.to.toLowerCase()]?.[tokenId]
  if (owner !== undefined && isSameAddress(owner, safeAddress)) return []
  return [
    callFinding(call, 'RECEIVER-OTHER', 'high', {
      function: call.name,
      tokenId: BigInt(tokenId),
      receiver: owner ?? call.to,
    }),
  ]
}
