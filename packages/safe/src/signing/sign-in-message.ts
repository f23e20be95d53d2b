import { type Address, checksumAddress } from 'viem'
import { showValue } from '../abi/abi-word.ts'
import { type coreSentences, fail } from '../error-sentences.ts'
import { parseTime } from './rfc-3339.ts'
import { isAuthority, isPathCharacters, isScheme, isUri } from './rfc-3986.ts'

/** The fields of an EIP-4361 message (Sign-In with Ethereum). Times are RFC 3339. */
export type SignInMessage = {
  /** Authority of the site: host, and port when it is not the usual one. */
  domain: string
  uri: string
  /** `http`, `https`; written before the domain. */
  scheme?: string | undefined
  /** With the EIP-55 checksum. */
  address: Address
  /** Text that the person agrees to. One line of the characters that RFC 3986 has, and spaces. */
  statement?: string | undefined
  /** There is only one, and a message names it. */
  version: '1'
  chainId: number
  /** 8 or more letters and digits. */
  nonce: string
  issuedAt: string
  expirationTime?: string | undefined
  notBefore?: string | undefined
  requestId?: string | undefined
  resources?: readonly string[] | undefined
}

/** Which part of a sign-in message an error is about. `message` is its layout: a line missing, added or out of order. */
export type SignInMessageField = keyof SignInMessage | 'message'

/** Characters. Far more than any site asks for, and little enough for every pattern that reads it. */
const MAX_LENGTH = 65_536

const INTRODUCTION = ' wants you to sign in with your Ethereum account:'

/**
 * Writes the text that a person signs to sign in, exactly as EIP-4361 lays it out. Both sides write it: the wallet is
 * given it, and the server compares it byte for byte. What it writes, {@link parseSignInMessage} reads back.
 *
 * @throws CountersignError `SIWE_MESSAGE_MALFORMED` with the `field` in its data, when a field is not what EIP-4361 allows
 * there, or all of them together are longer than 65,536 characters. The text could otherwise be read in two ways.
 *
 * @example
 * writeSignInMessage({
 *   scheme: 'https',
 *   domain: 'safe.example.org',
 *   address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
 *   uri: 'https://safe.example.org',
 *   version: '1',
 *   chainId: 1,
 *   nonce: '32891756abcd',
 *   issuedAt: '2025-01-31T12:00:00Z',
 * })
 */
export function writeSignInMessage(message: SignInMessage): string {
  assertFields(message)
  const origin = message.scheme === undefined ? message.domain : `${message.scheme}://${message.domain}`
  const lines = [`${origin}${INTRODUCTION}`, message.address, '']
  if (message.statement !== undefined) lines.push(message.statement)
  lines.push(
    '',
    `URI: ${message.uri}`,
    `Version: ${message.version}`,
    `Chain ID: ${message.chainId}`,
    `Nonce: ${message.nonce}`,
  )
  lines.push(`Issued At: ${message.issuedAt}`)
  if (message.expirationTime !== undefined) lines.push(`Expiration Time: ${message.expirationTime}`)
  if (message.notBefore !== undefined) lines.push(`Not Before: ${message.notBefore}`)
  if (message.requestId !== undefined) lines.push(`Request ID: ${message.requestId}`)
  if (message.resources !== undefined) lines.push('Resources:', ...message.resources.map((resource) => `- ${resource}`))
  const text = lines.join('\n')
  assertLength(text)
  return text
}

/**
 * Reads an EIP-4361 text by its ABNF and nothing beyond it: order and case of the lines, no text after the last one, the
 * address with its checksum, times, URIs and authority as their RFCs have them. `writeSignInMessage` gives the very text
 * back. Stricter than the ABNF in two places: a chain id has no leading zero, and there are at most 65,536 characters.
 *
 * @param text - what was signed, as it was signed. Lines end in LF alone.
 * @throws CountersignError `SIWE_MESSAGE_MALFORMED` with the `field` in its data.
 *
 * @example
 * parseSignInMessage(text).domain // 'safe.example.org'
 */
export function parseSignInMessage(text: string): SignInMessage {
  assertLength(text)
  const lines = text.split('\n')
  let at = 0
  const take = () => lines[at++]
  const first = take() ?? ''
  if (!first.endsWith(INTRODUCTION)) throw malformed('introduction', 'message', first, INTRODUCTION.trim())
  const origin = splitOrigin(first.slice(0, -INTRODUCTION.length))
  const address = take() ?? ''
  if (!isChecksummedAddress(address)) throw malformed('checksum', 'address', address)
  expectBlank(take())
  const statement = take()
  if (statement !== '') expectBlank(take())

  const label = (field: SignInMessageField, start: string): string => {
    const line = take()
    if (line?.startsWith(start)) return line.slice(start.length)
    throw malformed('line', field, line ?? '', start.trim())
  }
  const optional = (start: string): string | undefined =>
    lines[at]?.startsWith(start) ? take()?.slice(start.length) : undefined

  const uri = label('uri', 'URI: ')
  const version = label('version', 'Version: ')
  if (version !== '1') throw malformed('version', 'version', version)
  const chainId = label('chainId', 'Chain ID: ')
  if (!/^[1-9][0-9]*$/.test(chainId)) throw malformed('chain-id', 'chainId', chainId)
  const nonce = label('nonce', 'Nonce: ')
  const issuedAt = label('issuedAt', 'Issued At: ')
  const expirationTime = optional('Expiration Time: ')
  const notBefore = optional('Not Before: ')
  const requestId = optional('Request ID: ')
  const resources = parseResources(lines, at)
  const message: SignInMessage = {
    ...origin,
    address,
    ...(statement === '' ? {} : { statement }),
    uri,
    version,
    chainId: Number(chainId),
    nonce,
    issuedAt,
    ...(expirationTime === undefined ? {} : { expirationTime }),
    ...(notBefore === undefined ? {} : { notBefore }),
    ...(requestId === undefined ? {} : { requestId }),
    ...(resources === undefined ? {} : { resources }),
  }
  assertFields(message)
  return message
}

/**
 * Whether a sign-in message is in force at a moment: after its not-before, before its expiration. Both are optional; a
 * message without them is always `valid`.
 *
 * @param now - milliseconds since 1970, as `Date.now()` gives them.
 * @throws CountersignError `SIWE_MESSAGE_MALFORMED` when one of the times is none.
 *
 * @example
 * signInMessageTimeliness(parseSignInMessage(text), Date.now()) // 'valid'
 */
export function signInMessageTimeliness(
  message: Pick<SignInMessage, 'expirationTime' | 'notBefore'>,
  now: number,
): 'valid' | 'not-yet-valid' | 'expired' {
  if (message.expirationTime !== undefined && now >= timeOf('expirationTime', message.expirationTime)) return 'expired'
  if (message.notBefore !== undefined && now < timeOf('notBefore', message.notBefore)) return 'not-yet-valid'
  return 'valid'
}

function timeOf(field: 'issuedAt' | 'expirationTime' | 'notBefore', text: string): number {
  const time = parseTime(text)
  if (time === null) throw malformed('time', field, text)
  return time
}

function assertLength(text: string): void {
  if (text.length > MAX_LENGTH)
    throw fail('SIWE_MESSAGE_MALFORMED', {
      reason: 'length',
      field: 'message',
      length: text.length,
      limit: MAX_LENGTH,
    })
}

function splitOrigin(origin: string): Pick<SignInMessage, 'scheme' | 'domain'> {
  const at = origin.indexOf('://')
  return at < 0 ? { domain: origin } : { scheme: origin.slice(0, at), domain: origin.slice(at + 3) }
}

function expectBlank(line: string | undefined): void {
  if (line !== '') throw malformed('blank', 'message', line ?? '')
}

function parseResources(lines: readonly string[], from: number): string[] | undefined {
  const [title, ...rest] = lines.slice(from)
  if (title === undefined) return undefined
  if (title !== 'Resources:') throw malformed('extra', 'message', title)
  return rest.map((line) => {
    if (line.startsWith('- ')) return line.slice(2)
    throw malformed('list-item', 'resources', line)
  })
}

/** By hand, not by viem's `isAddress`: that one accepts an address without any checksum. */
function isChecksummedAddress(text: unknown): text is Address {
  if (typeof text !== 'string' || !/^0x[0-9a-fA-F]{40}$/.test(text)) return false
  return checksumAddress(`0x${text.slice(2)}`) === text
}

/** Asserts the limits of every field. Values may come from JavaScript, so types are checked as well. */
function assertFields(message: SignInMessage): void {
  const assert = (field: SignInMessageField, value: unknown, isAllowed: (text: string) => boolean, reason: Reason) => {
    if (typeof value !== 'string' || value.length > MAX_LENGTH || !isAllowed(value))
      throw malformed(reason, field, value)
  }
  const assertOptional: typeof assert = (field, value, isAllowed, reason) => {
    if (value !== undefined) assert(field, value, isAllowed, reason)
  }
  assertOptional('scheme', message.scheme, isScheme, 'scheme')
  assert('domain', message.domain, isAuthority, 'authority')
  assert('address', message.address, isChecksummedAddress, 'checksum')
  const isStatement = (text: string) => /^[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;= ]+$/.test(text)
  assertOptional('statement', message.statement, isStatement, 'statement')
  assert('uri', message.uri, isUri, 'uri')
  if (message.version !== '1') throw malformed('version', 'version', message.version)
  if (!Number.isSafeInteger(message.chainId) || message.chainId < 1)
    throw malformed('chain-id', 'chainId', message.chainId)
  assert('nonce', message.nonce, (text) => /^[a-zA-Z0-9]{8,}$/.test(text), 'nonce')
  for (const field of ['issuedAt', 'expirationTime', 'notBefore'] as const) {
    const time: unknown = message[field]
    if (time === undefined && field !== 'issuedAt') continue
    if (typeof time !== 'string') throw malformed('time', field, time)
    timeOf(field, time)
  }
  assertOptional('requestId', message.requestId, isPathCharacters, 'characters')
  const { resources = [] } = message
  if (resources.length > MAX_LENGTH) throw malformed('many', 'resources', resources.length)
  for (const resource of resources) assert('resources', resource, isUri, 'uri')
}

type Reason = Exclude<keyof (typeof coreSentences)['SIWE_MESSAGE_MALFORMED'], 'length'>

function malformed(reason: Reason, field: SignInMessageField, value: unknown, expected = '') {
  return fail('SIWE_MESSAGE_MALFORMED', { reason, field, value: showValue(String(value)), expected })
}
