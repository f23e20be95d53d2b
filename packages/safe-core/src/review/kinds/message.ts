import { domainVersion } from '../../safe-state.ts'
import type { CheckId } from '../catalogue.ts'
import type { MessageInput } from '../input.ts'
import type { MessageReview } from '../types.ts'
import { reviewSafeMessage } from './message-content.ts'
import type { Reading } from './reading.ts'

/** Without the Safe its version is a guess. */
const GUESSED = { version: '1.4.1', reportedVersion: null }

const checks: readonly CheckId[] = ['hash', 'state', 'singleton', 'proxy', 'signatures', 'chain-id', 'domain']

/**
 * Reads a message. It moves nothing by itself, but can be the approval of a transaction, a permit to take tokens, or the
 * sign-in to another site.
 */
export function readMessage(input: MessageInput): Reading<Pick<MessageReview, 'kind' | 'hashes' | 'signIn'>> {
  const { chainId, safeAddress, content, state, now = null } = input
  const { hashes, findings, signIn } = reviewSafeMessage({
    ...{ chainId, safeAddress, content, now, version: domainVersion(state ?? GUESSED) },
    // A guessed hash accuses nobody.
    claimedHash: state === null ? null : input.claimedHash,
    safeTxHashes: input.others.map(({ safeTxHash }) => safeTxHash),
    origin: input.origin,
  })
  return {
    hash: hashes.safeMessageHash,
    checks,
    ofHash: [],
    ofContent: findings,
    confirmations: state === null ? [] : input.confirmations,
    missing: [],
    toReview: () => ({ kind: 'message', hashes, signIn }),
  }
}
