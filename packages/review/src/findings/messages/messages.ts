import { isSameAddress } from '@countersign/safe'
import type { Call } from '@countersign/safe/calls'
import { type Hex, hexToString, isHex, size, stringToHex } from 'viem'
import { approvalOf } from '../../approvals.ts'
import { argument } from '../../call-arguments.ts'
import type { ReviewInput } from '../../input.ts'
import type { Finding } from '../../types.ts'
import { callFinding } from '../make-finding.ts'
import { resolveApproval } from '../resolve-approvals.ts'

/** Whether a message is what owners sign for a transaction: its hash, or the 66 bytes that are hashed to it. */
export function isTransactionMessage(message: Hex, safeTxHashes: readonly Hex[]): boolean {
  const lower = message.toLowerCase()
  const isPreimage = size(message) === 66 && lower.startsWith('0x1901')
  return isPreimage || safeTxHashes.some((hash) => hash.toLowerCase() === lower)
}

/** Whether a person can read these bytes: as a text, and never what has the length of a hash. */
function isReadable(message: Hex): boolean {
  const text = hexToString(message)
  return size(message) !== 32 && stringToHex(text) === message.toLowerCase() && !/[^\P{C}\n\r\t]/u.test(text)
}

/** A message signed on the chain holds for ever, and may be the approval of another transaction. */
export function reviewSignedMessage(call: Call, input: ReviewInput): Finding[] {
  const message = argument(call, 'data')
  if (message === null || !isHex(message)) return []
  const findings = [callFinding(call, 'MSG-PERMANENT', 'high', { message })]
  const approval = approvalOf(call)
  // As an owner of another Safe, this one signs that Safe's hash: what stands behind it was found and is reviewed.
  const resolved = approval && resolveApproval(approval, input)
  if (approval && resolved && 'subject' in resolved) {
    // A message of its own was found and is reviewed.
    if (isSameAddress(resolved.subject.safeAddress, approval.by)) return findings
    return [...findings, callFinding(call, 'NESTED-APPROVE', 'low', { hash: approval.hash })]
  }
  const { claimedHash, others, nested = [] } = input
  const known = [...others.map(({ safeTxHash }) => safeTxHash), ...nested.map((approval) => approval.claimedHash)]
    .concat(claimedHash)
    .filter((hash) => hash !== null)
  if (isTransactionMessage(message, known)) findings.push(callFinding(call, 'MSG-IS-TX', 'critical', { message }))
  else if (!isReadable(message)) findings.push(callFinding(call, 'MSG-RAW-HASH', 'critical', { message }))
  return findings
}
