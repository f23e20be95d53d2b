import { hashSafeMessage, type MessageContent, type SafeMessageHashes } from '../safe-message.ts'
import { parseSignInMessage, type SignInMessage } from '../sign-in-message.ts'
import { finding } from './findings/evidence.ts'
import { reviewMessageBytes, reviewMessageText, reviewTypedData } from './findings/off-chain-messages.ts'
import { reviewRelease } from './findings/safe-code.ts'
import { reviewSignIn } from './findings/sign-in.ts'
import { reviewMessageSignatures } from './findings/signatures.ts'
import { worstFirst } from './severity.ts'
import type { Finding, MessageReviewInput, ReviewedConfirmation, ReviewInput, Verdict } from './types.ts'

/** What a signer must know before a message is signed in the name of the Safe. */
export type MessageReview = {
  hashes: SafeMessageHashes
  /** Worst first. */
  findings: Finding[]
  /** The fields of the sign-in message that it is, or null. */
  signIn: SignInMessage | null
}

/** A message with what was collected for it. */
export type CollectedMessageReview = MessageReview & { verdict: Verdict; confirmations: ReviewedConfirmation[] }

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
export function reviewSafeMessage(input: MessageReviewInput): MessageReview {
  const hashes = hashSafeMessage(input)
  const findings = [...reviewClaim(hashes, input), ...reviewContent(input)]
  const signIn = readSignIn(input.content)
  if (signIn === 'malformed') findings.push(finding('SIWE-PARSE', 'high', {}, { field: 'message' }))
  else if (signIn !== null) findings.push(...reviewSignIn(signIn, input))
  return { hashes, findings: worstFirst(findings), signIn: signIn === 'malformed' ? null : signIn }
}

/**
 * The same with every signature that was collected, verified against the hash computed here, and a verdict. Unfinished
 * is never `matches`: the Safe must be read and of an official release, and every signature must be told right or wrong.
 *
 * @param collected - `state`: the Safe as it was read, null when it could not be; its version is then a guess.
 * `contractSignatures`: whether the contract of an owner accepted its signature when it was asked, by lower-case owner.
 * @throws CountersignError `FIELD_MALFORMED` when the message cannot be hashed in its encoding.
 * @example
 * const review = await reviewCollectedMessage(input, { state, confirmations, contractSignatures: {} })
 * review.verdict === 'matches' && review.confirmations.filter(({ status }) => status === 'valid').length >= state.threshold
 */
export async function reviewCollectedMessage(
  input: MessageReviewInput,
  collected: Pick<ReviewInput, 'confirmations' | 'state' | 'contractSignatures'>,
): Promise<CollectedMessageReview> {
  const review = reviewSafeMessage(input)
  const { confirmations, findings: ofSignatures } = await reviewMessageSignatures(
    review.hashes.safeMessageHash,
    collected,
  )
  const { state } = collected
  const ofSafe =
    state === null ? [finding('INPUT-MISSING', 'medium', { check: 'state', input: 'state' })] : reviewRelease(state)
  const findings = worstFirst([...review.findings, ...ofSignatures, ...ofSafe])
  const isKnown = state !== null && state.version !== null
  const isOpen = confirmations.some(({ status }) => status === 'not-checked')
  const isCritical = findings.some(({ severity }) => severity === 'critical')
  const verdict = isCritical ? 'do-not-sign' : !isKnown || isOpen ? 'cannot-verify' : 'matches'
  return { ...review, findings, confirmations, verdict }
}

function reviewClaim(
  { safeMessageHash }: SafeMessageHashes,
  { claimedSafeMessageHash }: MessageReviewInput,
): Finding[] {
  if (claimedSafeMessageHash === null || claimedSafeMessageHash.toLowerCase() === safeMessageHash) return []
  return [finding('HASH-MISMATCH', 'critical', { computed: safeMessageHash, claimed: claimedSafeMessageHash })]
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

/** A text that speaks of signing in is held to the letter of EIP-4361. */
function readSignIn(content: MessageContent): SignInMessage | 'malformed' | null {
  if (content.encoding !== 'EIP191_TEXT' || !content.text.toLowerCase().includes(SIGN_IN.toLowerCase())) return null
  try {
    return parseSignInMessage(content.text)
  } catch {
    return 'malformed'
  }
}
