import { type ErrorCode, fail } from '@countersign/contract'
import { CountersignError, parseSignInMessage, type SignInMessage, signInMessageTimeliness } from '@countersign/safe'

const codes: { [field in keyof SignInMessage]?: ErrorCode } = {
  scheme: 'SIWE_DOMAIN_MISMATCH',
  domain: 'SIWE_DOMAIN_MISMATCH',
  address: 'SIWE_ADDRESS_MISMATCH',
  uri: 'SIWE_URI_MISMATCH',
  chainId: 'SIWE_CHAIN_MISMATCH',
}
/** In the order of the text: of several differences the first one is told. */
const fields = [
  'scheme',
  'domain',
  'address',
  'statement',
  'uri',
  'version',
  'chainId',
  'nonce',
  'issuedAt',
  'expirationTime',
  'notBefore',
  'requestId',
  'resources',
] as const satisfies (keyof SignInMessage)[]
const EXCERPT_LENGTH = 200

/**
 * Why a text is not the one that was asked for: the first field that differs. A text that is no sign-in message at all
 * is `SIWE_MESSAGE_MALFORMED`, by its own fault: nothing can be said of the fields that come after it.
 */
export function differenceError(asked: string, given: string, now: Date): CountersignError {
  const expected = parseSignInMessage(asked)
  const received = parseGiven(given)
  if (received instanceof CountersignError) return received
  const field = fields.find((field) => shown(expected[field]) !== shown(received[field]))
  if (field === undefined) throw new Error('two sign-in messages of the same fields are the same text')
  const values = { expected: excerpt(shown(expected[field])), received: excerpt(shown(received[field])) }
  return fail(codes[field] ?? codeOfTime(field, received, now), { reason: 'field', field, ...values })
}

function parseGiven(text: string): SignInMessage | CountersignError {
  try {
    return parseSignInMessage(text)
  } catch (error) {
    if (error instanceof CountersignError) return error
    throw error
  }
}

/** Another time alone is only another text; what counts is what it would mean. */
function codeOfTime(field: keyof SignInMessage, received: SignInMessage, now: Date): ErrorCode {
  if (field !== 'expirationTime' && field !== 'notBefore') return 'SIWE_MESSAGE_MISMATCH'
  const timeliness = signInMessageTimeliness(received, now.getTime())
  if (timeliness === 'expired') return 'SIWE_EXPIRED'
  return timeliness === 'not-yet-valid' ? 'SIWE_NOT_YET_VALID' : 'SIWE_MESSAGE_MISMATCH'
}

function shown(value: unknown): string {
  return value === undefined ? 'absent' : Array.isArray(value) ? value.join(' ') : String(value)
}

function excerpt(text: string): string {
  return text.length > EXCERPT_LENGTH ? `${text.slice(0, EXCERPT_LENGTH)}…` : text
}
