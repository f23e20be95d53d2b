import {
  hashSafeMessage,
  type MessageContent,
  parseSignInMessage,
  type SafeMessageHashes,
  type SignInMessage,
} from '@countersign/safe'
import { finding } from '../findings/make-finding.ts'
import { reviewInstructions, reviewMessageBytes, reviewMessageText } from '../findings/messages/off-chain-messages.ts'
import { reviewSignIn } from '../findings/messages/sign-in.ts'
import { reviewTypedData } from '../findings/messages/typed-data.ts'
import { worstFirst } from '../severity.ts'
import type { Finding, MessageReviewInput } from '../types.ts'

/** Findings about the content of a message alone, without the Safe and its owners. */
export type ContentReview = {
  hashes: SafeMessageHashes
  /** Worst first. */
  findings: Finding[]
  /** The fields of the sign-in message that it is, or null. */
  signIn: SignInMessage | null
}

const SIGN_IN = 'wants you to sign in with your Ethereum account'

/**
 * Reviews a message that is to be signed in the name of a Safe. A message moves nothing by itself, but it can be the
 * approval of a transaction, a permit to take tokens, or the sign-in to another site.
 *
 * @throws CountersignError `FIELD_MALFORMED` when it cannot be hashed in its encoding.
 * @example
 * const content = { encoding: 'EIP191_TEXT', text } as const
 * reviewSafeMessage({ chainId, safeAddress, version: '1.4.1', content, … }).findings
 */
export function reviewSafeMessage(input: MessageReviewInput): ContentReview {
  const hashes = hashSafeMessage(input)
  const signIn = parseSignIn(input.content)
  const findings = [...reviewClaim(hashes, input), ...reviewContent(input), ...reviewWords(signIn, input)]
  if (signIn === 'malformed') findings.push(finding('SIWE-PARSE', 'high', {}, { field: 'message' }))
  else if (signIn !== null) findings.push(...reviewSignIn(signIn, input))
  return { hashes, findings: worstFirst(findings), signIn: signIn === 'malformed' ? null : signIn }
}

function reviewClaim({ safeMessageHash }: SafeMessageHashes, { claimedHash }: MessageReviewInput): Finding[] {
  if (claimedHash === null || claimedHash.toLowerCase() === safeMessageHash) return []
  return [finding('HASH-MISMATCH', 'critical', { computed: safeMessageHash, claimed: claimedHash })]
}

function reviewContent({ content, safeTxHashes }: MessageReviewInput): Finding[] {
  switch (content.encoding) {
    case 'EIP191_TEXT':
      return reviewMessageText(content.text, safeTxHashes)
    case 'EIP712':
      return reviewTypedData(content.typedData)
    case 'EIP191_BYTES':
    case 'RAW':
      return reviewMessageBytes(content.bytes, safeTxHashes)
  }
}

/** Reads a text for orders. Of a sign-in every line but its statement, and what it entitles to, is of the standard. */
function reviewWords(signIn: SignInMessage | 'malformed' | null, input: MessageReviewInput): Finding[] {
  const { content, safeAddress } = input
  if (content.encoding !== 'EIP191_TEXT') return []
  if (signIn === null || signIn === 'malformed') return reviewInstructions(content.text, safeAddress)
  const { statement = '', resources = [] } = signIn
  const entitling = resources.filter((resource) => resource.toLowerCase().startsWith('urn:recap:'))
  return reviewInstructions([statement, ...entitling].join('\n'), safeAddress)
}

/** A text that speaks of signing in is held to the letter of EIP-4361. */
function parseSignIn(content: MessageContent): SignInMessage | 'malformed' | null {
  if (content.encoding !== 'EIP191_TEXT' || !content.text.toLowerCase().includes(SIGN_IN.toLowerCase())) return null
  try {
    return parseSignInMessage(content.text)
  } catch {
    return 'malformed'
  }
}
