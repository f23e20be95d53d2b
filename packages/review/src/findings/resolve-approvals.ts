import { encodeMessageContent, isSameAddress } from '@countersign/safe'
import type { Hex } from 'viem'
import { type Approval, approvalsOf, MAX_APPROVAL_DEPTH, MAX_APPROVALS } from '../approvals.ts'
import type { SubjectInput } from '../input.ts'
import { hashSubject } from '../subject.ts'

/** Why the subject of an approved hash is not known. */
export type UnresolvedApproval = 'missing' | 'unread' | 'stranger' | 'cycle' | 'deep' | 'many'

/** The approved subject with the input of its review, or the reason why it is not known. */
export type ResolvedApproval = { subject: SubjectInput } | { why: UnresolvedApproval }

/** An approval and its resolved subject. */
export type FoundApproval = { approval: Approval } & ResolvedApproval

const found = new WeakMap<SubjectInput, Map<string, FoundApproval>>()

/** Resolves the approvals of a subject. Lists an approval once, even if several calls make it. */
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

/** Resolves one approval of the subject. */
export function resolveApproval(approval: Approval, input: SubjectInput): ResolvedApproval {
  return resolveApprovals(input).get(keyOf(approval)) ?? { why: 'many' }
}

/**
 * Finds the approved subject among the given ones. Trusts no claim: computes the hash from the fields and from the chain's state
 * of that Safe, and requires that the approving Safe is an owner of it.
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
 * Whether the signed bytes are the hash of this message: a text or typed data of the same Safe. A message of raw bytes adds
 * nothing to them.
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

/** Returns null if the Safe is not known, because its version is a guess, or if the subject cannot be hashed. */
function hashOf(subject: SubjectInput): Hex | null {
  if (subject.state === null || subject.kind === 'creation') return null
  try {
    return hashSubject(subject, subject.state).hash
  } catch {
    return null
  }
}
