import { type Hex, size } from 'viem'
import { isBytes } from '../../abi-word.ts'
import type { Finding } from '../types.ts'
import { finding } from './evidence.ts'
import { isTransactionMessage } from './messages.ts'
import { reviewText } from './texts.ts'

const where = { field: 'message' } as const
const readable = { maxLength: 32_768, allowed: '\n\t' }

/** A text: what it hides, and whether it could be meant as bytes. */
export function reviewMessageText(text: string, safeTxHashes: readonly Hex[]): Finding[] {
  const findings = reviewText(text, 'high', where, {}, readable)
  const spelled = bytesSpelled(text)
  if (spelled !== null) {
    // A hash, to those who take it for bytes.
    const severity = size(spelled) === 32 ? 'high' : 'medium'
    findings.push(finding('MSG-HEX-AMBIGUOUS', severity, { bytes: String(size(spelled)) }, where))
    // Wallets take such a text for the bytes that it spells.
    if (isTransactionMessage(spelled, safeTxHashes))
      findings.push(finding('MSG-IS-TX', 'critical', { message: text }, where))
  }
  return findings
}

/** The bytes that a text spells. Some wallets do without the 0x where there are as many digits as in a hash or more. */
function bytesSpelled(text: string): Hex | null {
  const digits = text.trim().replace(/^0x/i, '').toLowerCase()
  const isMarked = digits.length < text.trim().length
  const bytes: Hex = `0x${digits}`
  return digits !== '' && (isMarked || digits.length >= 64) && isBytes(bytes) ? bytes : null
}

/** Bytes that nobody can read: the approval of a transaction, or a hash of who knows what. */
export function reviewMessageBytes(bytes: Hex, safeTxHashes: readonly Hex[]): Finding[] {
  if (isTransactionMessage(bytes, safeTxHashes)) return [finding('MSG-IS-TX', 'critical', { message: bytes }, where)]
  // A contract asks about a hash of 32 bytes; nearly nothing asks about bytes of another length.
  return [finding('MSG-RAW-HASH', size(bytes) === 32 ? 'critical' : 'high', { message: bytes }, where)]
}
