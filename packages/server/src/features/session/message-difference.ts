import type { ErrorCode } from '@countersign/contract'
import { CountersignError } from '@countersign/safe-core'

const codes: Record<string, ErrorCode> = {
  domain: 'SIWE_DOMAIN_MISMATCH',
  address: 'SIWE_ADDRESS_MISMATCH',
  URI: 'SIWE_URI_MISMATCH',
  'Chain ID': 'SIWE_CHAIN_MISMATCH',
  'Expiration Time': 'SIWE_EXPIRED',
  'Not Before': 'SIWE_NOT_YET_VALID',
}
const EXCERPT_LENGTH = 200

/** Why a text is not the one that was asked for: the first line that differs, by its name. */
export function differenceError(asked: string, given: string, now: Date): CountersignError {
  const [askedLines, givenLines] = [asked.split('\n'), given.split('\n')]
  const at = askedLines.findIndex((line, index) => line !== givenLines[index])
  // All that was asked for is there, and more.
  const index = at < 0 ? askedLines.length : at
  const [expected, received] = [askedLines[index] ?? '', givenLines[index] ?? '']
  const field = index === 0 ? 'domain' : index === 1 ? 'address' : (labelOf(received) ?? labelOf(expected) ?? 'text')
  return new CountersignError(
    codeOf(field, received, now),
    `The ${field} of the message is \`${excerpt(received)}\`, not \`${excerpt(expected)}\`.`,
    { data: { field, expected: excerpt(expected), received: excerpt(received) } },
  )
}

/** Another time alone is only another text; what counts is what it would mean. */
function codeOf(field: string, line: string, now: Date): ErrorCode {
  const code = Object.hasOwn(codes, field) ? codes[field] : undefined
  if (!code) return 'SIWE_MESSAGE_MISMATCH'
  const time = Date.parse(line.slice(line.indexOf(': ') + 2))
  if (field === 'Expiration Time') return time <= now.getTime() ? code : 'SIWE_MESSAGE_MISMATCH'
  if (field === 'Not Before') return time > now.getTime() ? code : 'SIWE_MESSAGE_MISMATCH'
  return code
}

function labelOf(line: string): string | undefined {
  return /^(URI|Version|Chain ID|Nonce|Issued At|Expiration Time|Not Before|Request ID|Resources):/.exec(line)?.[1]
}

function excerpt(line: string): string {
  return line.length > EXCERPT_LENGTH ? `${line.slice(0, EXCERPT_LENGTH)}…` : line
}
