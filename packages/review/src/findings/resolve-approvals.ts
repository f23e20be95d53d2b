import { encodeMessageContent, isSameAddress } from '@countersign/safe'
import type { Hex } from 'viem'
import { type Approval, approvalsOf, MAX_APPROVAL_DEPTH, MAX_APPROVALS } from '../approvals.ts'
import type { SubjectInput } from '../input.ts'
import { hashSubject } from '../subject.ts'

/** Why an approval stays a bare hash. */
export type UnresolvedApproval = 'missing' | 'unread' | 'stranger' | 'cycle' | 'deep' | 'many'

/** The subject that an approval stands for, with all that its own review needs; or the reason why it stays a bare hash. */
export type ResolvedApproval = { subject: SubjectInput } | { why: UnresolvedApproval }

/** An approval, and what was found of it. */
export type FoundApproval = { approval: Approval } & ResolvedApproval

const found = new WeakMap<SubjectInput, Map<string, FoundApproval>>()

/** Finds the approvals of a subject with what each stands for: once each, however many calls say the same. */
export function resolveApprovals(input: SubjectInput): ReadonlyMap<string, FoundApproval> {
  const known = found.get(input)
  if (known !== undefined) return known
  const resolved = new Map<string, FoundApproval>()
  for (const approval of approvalsOf(input)) {
    const key = keyOf(approval)
    if (resolved.has(key)) continue
    const answer: ResolvedApproval = resolved.size < MAX_APPROVALS ? resolve(approval, input) : { why: 'many' }
    resolved.set(key, { approval, ...answer })
    if (resolved.size > MAX_APPROVALS) break
  }
  found.set(input, resolved)
  return resolved
}

/** Finds what one approval of the subject stands for. */
export function resolveApproval(approval: Approval, input: SubjectInput): ResolvedApproval {
  return resolveApprovals(input).get(keyOf(approval)) ?? { why: 'many' }
}

/**
 * Finds what an approval stands for among what was given. Nobody's word counts: the hash is computed anew, from the fields
 * and from what the chain says of that Safe, in which the approving one must be an owner.
 */
function resolve(approval: Approval, input: SubjectInput): ResolvedApproval {
  const around = [...(input.approvedIn ?? []), input.safeAddress]
  const own = (input.nested ?? []).find((candidate) => isOwnMessage(candidate, approval, input.chainId))
  if (own) return { subject: own }
  const given = (input.nested ?? []).filter(
    ({ chainId, safeAddress, claimedHash }) =>
      chainId === input.chainId &&
      claimedHash?.toLowerCase() === approval.hash &&
      (approval.safeAddress === null || isSameAddress(safeAddress, approval.safeAddress)),
  )
  const subject = given.find((candidate) => hashOf(candidate) === approval.hash)
  if (subject === undefined) return { why: given.some(({ state }) => state === null) ? 'unread' : 'missing' }
  if (around.some((safeAddress) => isSameAddress(safeAddress, subject.safeAddress))) return { why: 'cycle' }
  if (around.length > MAX_APPROVAL_DEPTH) return { why: 'deep' }
  const isOwner = subject.state?.owners.some((owner) => isSameAddress(owner, approval.by))
  return isOwner ? { subject } : { why: 'stranger' }
}

/**
 * Whether this is what the Safe itself says by signing these bytes on the chain: a text, or typed data, whose hash they are.
 * Raw bytes say nothing more than they do already.
 */
function isOwnMessage(subject: SubjectInput, { message, by }: Approval, chainId: number): boolean {
  if (subject.kind !== 'message' || subject.content.encoding === 'RAW') return false
  if (subject.chainId !== chainId || !isSameAddress(subject.safeAddress, by)) return false
  try {
    return encodeMessageContent(subject.content) === message
  } catch {
    return false
  }
}

function keyOf({ hash, safeAddress, by, message }: Approval): string {
  return [hash, safeAddress, by, message].join(' ').toLowerCase()
}

/** Without the Safe its version is a guess; what cannot be hashed is nobody's approval. */
function hashOf(subject: SubjectInput): Hex | null {
  if (subject.state === null || subject.kind === 'creation') return null
  try {
    return hashSubject(subject, subject.state).hash
  } catch {
    return null
  }
}
