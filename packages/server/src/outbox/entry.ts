import type { ActivityDetail, ActivityVerb, LiveEvent, Reviewed } from '@countersign/contract'
import type { Address, Hex } from 'viem'

/** One line of the activity log. */
export type Entry = {
  verb: ActivityVerb
  /** Null: the server by itself. */
  account: Address | null
  chainId: number
  /** Null: of an account alone. */
  safeAddress?: Address | null
  /** Hash of the transaction; for a note or an alarm also of the message. */
  safeTxHash?: Hex
  safeMessageHash?: Hex
  detail?: Partial<Record<ActivityDetail, string>>
  /** The account's claim of what its page showed. */
  reviewed?: Reviewed | undefined
}

/** Subject of an entry: it decides the live event. */
type Subject = 'transaction' | 'message' | 'safe' | 'team' | 'account'

const subjects: Record<ActivityVerb, Subject> = {
  'signed-in': 'account',
  'signed-out': 'account',
  'revoked-session': 'account',
  'made-token': 'account',
  'revoked-token': 'account',
  'added-safe': 'safe',
  'stopped-reading': 'safe',
  'resumed-reading': 'safe',
  proposed: 'transaction',
  confirmed: 'transaction',
  deleted: 'transaction',
  sent: 'transaction',
  'sent-elsewhere': 'transaction',
  executed: 'transaction',
  reverted: 'transaction',
  'changed-settings': 'safe',
  'reverted-settings': 'safe',
  'proposed-message': 'message',
  'confirmed-message': 'message',
  'deleted-message': 'message',
  'named-proposer': 'team',
  'removed-proposer': 'team',
  'invited-viewer': 'team',
  'removed-viewer': 'team',
  'created-webhook': 'team',
  'removed-webhook': 'team',
  'disabled-webhook': 'team',
  'named-address': 'team',
  'endorsed-name': 'team',
  'removed-name': 'team',
  'gave-abi': 'team',
  'endorsed-abi': 'team',
  'removed-abi': 'team',
  'proposed-policy': 'team',
  'approved-policy': 'team',
  'withdrew-policy-entry': 'team',
  'discarded-policy': 'team',
  noted: 'team',
  'attached-pack': 'team',
  'removed-pack': 'team',
  'removed-note': 'team',
  'shared-draft': 'team',
  'removed-draft': 'team',
  'refused-signature': 'team',
  'refused-sign-in': 'team',
  'ended-access': 'team',
  'acknowledged-alarm': 'team',
}

/** The live event that an entry is told by; null: by none, nobody's screen shows it. */
export function eventOf({ verb, chainId, safeAddress, safeTxHash, safeMessageHash }: Entry): LiveEvent | null {
  if (!safeAddress) return null
  const place = { chainId, safeAddress }
  const subject = subjects[verb]
  if (subject === 'transaction') return safeTxHash ? { kind: subject, ...place, safeTxHash } : null
  if (subject === 'message') return safeMessageHash ? { kind: subject, ...place, safeMessageHash } : null
  return subject === 'account' ? null : { kind: subject, ...place }
}
