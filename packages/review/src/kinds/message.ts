import { domainVersion } from '@countersign/safe'
import type { CheckId, FindingId } from '../catalogue.ts'
import { finding } from '../findings/make-finding.ts'
import { resolveApprovals } from '../findings/resolve-approvals.ts'
import type { MessageInput } from '../input.ts'
import type { MessageReview } from '../types.ts'
import { reviewSafeMessage } from './message-content.ts'
import { hasPolicy, type Reading } from './reading.ts'

/** Without the Safe its version is a guess. */
const GUESSED = { version: '1.4.1', reportedVersion: null }

const checks: readonly CheckId[] = [
  'hash',
  'state',
  'singleton',
  'proxy',
  'signatures',
  'chain-id',
  'domain',
  'second-source',
]

/** Found of bytes that stand for something of which nobody knows what it is. */
const bareHash = new Set<FindingId>(['MSG-IS-TX', 'MSG-RAW-HASH'])

/**
 * Reads a message. It moves nothing by itself, but can be the approval of a transaction, a permit to take tokens, or the
 * sign-in to another site.
 */
export async function readMessage(
  input: MessageInput,
): Promise<Reading<Pick<MessageReview, 'kind' | 'hashes' | 'signIn'>>> {
  const policy = hasPolicy(input) ? await import('../policy.ts') : null
  const { chainId, safeAddress, content, state, now = null } = input
  const { hashes, findings, signIn } = reviewSafeMessage({
    chainId,
    safeAddress,
    content,
    now,
    version: domainVersion(state ?? GUESSED),
    // A guessed hash accuses nobody.
    claimedHash: state === null ? null : input.claimedHash,
    safeTxHashes: input.others.map(({ safeTxHash }) => safeTxHash),
    origin: input.origin,
  })
  const [approved] = [...resolveApprovals(input).values()].flatMap((resolution) =>
    'subject' in resolution ? [resolution.approval] : [],
  )
  // As an owner of another Safe, this one signs that Safe's hash: what stands behind it was found and is reviewed.
  const found = approved
    ? [...findings.filter(({ id }) => !bareHash.has(id)), finding('NESTED-APPROVE', 'low', { hash: approved.hash })]
    : findings
  return {
    hash: hashes.safeMessageHash,
    checks: [...checks, ...(approved ? (['nested'] as const) : []), ...(policy ? (['policy'] as const) : [])],
    ofHash: [],
    ofContent: policy ? policy.applyPolicyToMessage(found, input) : found,
    confirmations: state === null ? [] : input.confirmations,
    missing: policy?.missingOfPolicy(input) ?? [],
    toReview: () => ({ kind: 'message', hashes, signIn }),
  }
}
