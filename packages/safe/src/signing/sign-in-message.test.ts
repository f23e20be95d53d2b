import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { type Hex, recoverMessageAddress } from 'viem'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../../scripts/testing/random-tests.mjs'
import {
  parseSignInMessage,
  type SignInMessage,
  type SignInMessageField,
  signInMessageTimeliness,
  writeSignInMessage,
} from './sign-in-message.ts'

/** Reads vectors from the suite of another implementation; see SOURCE.md beside the files. */
function readVectors<vector>(name: string): [string, vector][] {
  const file = readFileSync(new URL(`../../vectors/siwe/${name}.json`, import.meta.url), 'utf8')
  const vectors: Record<string, vector> = JSON.parse(file)
  return Object.entries(vectors)
}

const positive = readVectors<{ message: string; fields: SignInMessage }>('parsing_positive')
const negative = readVectors<string>('parsing_negative')
const negativeObjects = readVectors<SignInMessage>('parsing_negative_objects')
type Signed = SignInMessage & { signature: Hex; time?: string; domainBinding?: string; matchNonce?: string }
const verified = readVectors<Signed>('verification_positive')
const notVerified = readVectors<Signed>('verification_negative')

/** Reasons for which the suite's cases are refused, by their names. */
const textFaults: Record<string, SignInMessageField> = {
  'missing domain': 'domain',
  'missing address': 'address',
  'missing uri': 'uri',
  'missing version': 'version',
  'missing chainId': 'chainId',
  'missing nonce': 'nonce',
  'missing issuedAt': 'issuedAt',
  'out of order uri': 'uri',
  'out of order version': 'version',
  'out of order chainId': 'chainId',
  'out of order nonce': 'nonce',
  'out of order issuedAt': 'issuedAt',
  'out of order expirationTime': 'message',
  'out of order notBefore': 'message',
  'out of order requestId': 'resources',
  'out of order resources': 'resources',
  'domain not RFC4501 authority': 'domain',
  'address not EIP-55': 'address',
  'statement has line break': 'message',
  'uri is non-RFC 3986': 'uri',
  'version not 1': 'version',
  'not a valid chainId': 'chainId',
  'nonce with less then 8 chars': 'nonce',
  'non-ISO 8601 issuedAt': 'issuedAt',
  'non-ISO 8601 expirationTime': 'expirationTime',
  'non-ISO 8601 notBefore': 'notBefore',
  'resources not separated by line break': 'resources',
  'first resource not-RFC 3986': 'resources',
  'second resource is not-RFC3986': 'resources',
}

const fields: SignInMessage = {
  domain: 'localhost:4100',
  scheme: 'http',
  uri: 'http://localhost:4100',
  address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  chainId: 31337,
  nonce: 'abcdefgh',
  version: '1',
  issuedAt: '2025-01-01T00:00:00.000Z',
}

function fieldAtFault(work: () => unknown): unknown {
  try {
    work()
  } catch (error) {
    expect(error).toMatchObject({ name: 'CountersignError', code: 'SIWE_MESSAGE_MALFORMED' })
    return (error as { data: { field: unknown } }).data.field
  }
  return null
}

describe('parseSignInMessage', () => {
  it.each(positive)('default: %s', (_name, { message, fields: expected }) => {
    // The JSON says null where a field is absent.
    const present = Object.fromEntries(Object.entries(expected).filter(([, value]) => value !== null))
    expect(parseSignInMessage(message)).toEqual(present)
    expect(writeSignInMessage(parseSignInMessage(message))).toBe(message)
  })

  it('error: SIWE_MESSAGE_MALFORMED: each text of the suite, by the field at fault', () => {
    expect(
      Object.fromEntries(negative.map(([name, text]) => [name, fieldAtFault(() => parseSignInMessage(text))])),
    ).toEqual(textFaults)
  })

  it('error: SIWE_MESSAGE_MALFORMED: a text of millions of characters, whichever field is the long one', () => {
    const long = 'a'.repeat(10_000_000)
    const several = { resources: Array.from({ length: 1_000_000 }, () => 'a:b') }
    expect(fieldAtFault(() => parseSignInMessage(long))).toBe('message')
    for (const field of ['domain', 'scheme', 'nonce', 'requestId', 'statement'] as const) {
      expect(fieldAtFault(() => writeSignInMessage({ ...fields, [field]: long }))).toBe(field)
    }
    expect(fieldAtFault(() => writeSignInMessage({ ...fields, uri: `a:${long}` }))).toBe('uri')
    expect(fieldAtFault(() => writeSignInMessage({ ...fields, ...several }))).toBe('resources')
    // None of them is too long alone.
    const halves = { statement: long.slice(0, 40_000), requestId: long.slice(0, 40_000) }
    expect(fieldAtFault(() => writeSignInMessage({ ...fields, ...halves }))).toBe('message')
  })

  const text = writeSignInMessage({ ...fields, statement: 'Sign in.', requestId: '', resources: [] })

  it('behavior: an empty request id and an empty list of resources are allowed', () => {
    expect(text).toMatch(/\nRequest ID: \nResources:$/)
    expect(parseSignInMessage(text)).toEqual({
      ...fields,
      statement: 'Sign in.',
      requestId: '',
      resources: [],
    })
  })

  const withEnd = writeSignInMessage({ ...fields, expirationTime: '2025-01-01T00:10:00Z' })

  it.each([
    ['lower-case letters in a time', text.replace('T00:00:00.000Z', 't00:00:00.000z')],
    ['a leap second', text.replace('2025-01-01T00:00:00.000', '2016-12-31T23:59:60')],
    ['a time of nanoseconds', text.replace('.000Z', '.000000001Z')],
    ['a time zone', text.replace('.000Z', '-12:30')],
    ['a user in the domain', text.replace('localhost:4100 wants', 'user:name@localhost:4100 wants')],
    ['a port beyond the ports', text.replace('localhost:4100 wants', 'localhost:99999 wants')],
    ['an address of IPv6', text.replace('localhost:4100 wants', '[::ffff:127.0.0.1]:4100 wants')],
    ['a statement of one space', text.replace('Sign in.', ' ')],
    ['the largest chain id that a number holds', text.replace('31337', '9007199254740991')],
  ])('behavior: reads %s, as the standards allow it', (_name, message) => {
    expect(writeSignInMessage(parseSignInMessage(message))).toBe(message)
  })

  it.each([
    ['text after the end', 'message', `${writeSignInMessage(fields)}\nand more`],
    ['a line break at the end', 'message', `${writeSignInMessage(fields)}\n`],
    ['a line break after resources', 'resources', `${text}\n`],
    ['a space at the end', 'issuedAt', `${writeSignInMessage(fields)} `],
    ['Windows line ends', 'message', text.replaceAll('\n', '\r\n')],
    ['labels in another case', 'chainId', text.replace('Chain ID', 'Chain Id')],
    ['a leading zero', 'chainId', text.replace('31337', '031337')],
    ['a chain id beyond the numbers', 'chainId', text.replace('31337', '9007199254740993')],
    ['letters of other scripts in the statement', 'statement', text.replace('Sign in.', 'Sign іn.')],
    ['a wrong checksum', 'address', text.replace('0xf39Fd6', '0xF39Fd6')],
    ['an upper-case address', 'address', text.replace(fields.address, `0x${fields.address.slice(2).toUpperCase()}`)],
    ['a day that is none', 'issuedAt', text.replace('2025-01-01', '2025-02-29')],
    ['an hour that is none', 'issuedAt', text.replace('T00:', 'T24:')],
    ['a time without its zone', 'issuedAt', text.replace('.000Z', '')],
    ['an empty host', 'domain', text.replace('localhost:4100 wants', ':4100 wants')],
    ['a path in the domain', 'domain', text.replace('localhost:4100 wants', 'localhost/evil wants')],
    ['a scheme that is none', 'scheme', text.replace('http://localhost:4100 wants', '1http://localhost wants')],
    ['a statement of spaces and a line', 'message', text.replace('Sign in.\n', 'Sign in.\nSign in.\n')],
    ['a broken escape', 'uri', text.replace('URI: http://localhost:4100', 'URI: http://localhost/%zz')],
    ['too many groups in IPv6', 'uri', text.replace('URI: http://localhost:4100', 'URI: http://[1:2:3:4:5:6:7:8:9]')],
    ['nothing', 'message', ''],
    ['a second version line', 'chainId', text.replace('Version: 1', 'Version: 1\nVersion: 1')],
    ['a second end', 'message', withEnd.replace(/\nExpiration.*/, '$&$&')],
    ['a line that EIP-4361 does not know', 'message', text.replace('\nRequest ID', '\nFoo: bar\nRequest ID')],
    ['an empty line too many', 'uri', text.replace('Sign in.\n', '\n\n')],
    ['no empty line after the address', 'message', text.replace(`${fields.address}\n\n`, `${fields.address}\n`)],
    ['a line separator of Unicode', 'message', text.replace('\nURI', '\u2028URI')],
    ['a byte order mark', 'domain', `\ufeff${text.replace('http://', '')}`],
    ['an address without its 0x', 'address', text.replace(fields.address, fields.address.slice(2))],
    ['an address in ICAP letters', 'address', text.replace(fields.address, 'XE7338O073KYGTWWZN0F2WZ0R8PX5ZPPZS')],
    ['a version in other digits', 'version', text.replace('Version: 1', 'Version: １')],
    ['a version with a space', 'version', text.replace('Version: 1', 'Version: 1 ')],
    ['a chain id of zero', 'chainId', text.replace('31337', '0')],
    ['a chain id with a sign', 'chainId', text.replace('31337', '+31337')],
    ['a chain id in hex', 'chainId', text.replace('31337', '0x7a69')],
    ['a chain id in other digits', 'chainId', text.replace('31337', '３１３３７')],
    ['a chain id with an exponent', 'chainId', text.replace('31337', '3e4')],
    ['a nonce of seven', 'nonce', text.replace('abcdefgh', 'abcdefg')],
    ['a nonce with a sign', 'nonce', text.replace('abcdefgh', 'abcd-efgh')],
    ['a nonce in other digits', 'nonce', text.replace('abcdefgh', 'abcdefg１')],
    ['a time of the year 10000', 'issuedAt', text.replace('2025-', '12025-')],
    ['a time in other digits', 'issuedAt', text.replace('2025-', '２025-')],
    ['a leap second in the middle of a month', 'issuedAt', text.replace('01T00:00:00.000', '10T23:59:60')],
    ['a space for the T', 'issuedAt', text.replace('01T00', '01 00')],
    ['two schemes', 'domain', text.replace('http://localhost:4100 wants', 'http://http://localhost wants')],
    ['a port of letters', 'domain', text.replace('localhost:4100 wants', 'localhost:port wants')],
    ['two users', 'domain', text.replace('localhost:4100 wants', 'a@b@localhost wants')],
    ['a host in letters of other scripts', 'domain', text.replace('localhost:4100 wants', 'lосalhost wants')],
    ['a URI without its scheme', 'uri', text.replace('URI: http://localhost:4100', 'URI: //localhost:4100')],
    ['a URI with a space', 'uri', text.replace('URI: http://localhost:4100', 'URI: http://localhost/a b')],
    ['a resource without its dash', 'resources', `${text}\nhttps://example.org`],
    ['a resource with two spaces', 'resources', `${text}\n-  https://example.org`],
    ['an empty resource', 'resources', `${text}\n- `],
    ['a line after the resources', 'resources', `${text}\n- https://example.org\nRequest ID: a`],
    ['a request id with a slash', 'requestId', text.replace('Request ID: ', 'Request ID: a/b')],
    ['a null character', 'statement', text.replace('Sign in.', 'Sign in\0')],
    ['a percent sign in the statement', 'statement', text.replace('Sign in.', 'Sign in 100%')],
  ])('error: SIWE_MESSAGE_MALFORMED: %s', (_name, field, message) => {
    expect(fieldAtFault(() => parseSignInMessage(message))).toBe(field)
  })

  it('behavior: whatever it is given, it answers, or throws the one error; what it reads is written back', () => {
    const pieces = fc.constantFrom(...text.split(/(?=\n)|(?= )/), '\n', 'Resources:', '- ', '::', '%', '[', 'é', '0')
    const texts = fc.oneof(
      fc.string(),
      fc.array(pieces, { maxLength: 60 }).map((parts) => parts.join('')),
    )
    const cut = fc.tuple(fc.nat(text.length), fc.string({ maxLength: 3 }), fc.nat(3))
    const changed = cut.map(([at, added, removed]) => text.slice(0, at) + added + text.slice(at + removed))
    fc.assert(
      fc.property(fc.oneof(texts, changed), (text) => {
        if (fieldAtFault(() => parseSignInMessage(text)) === null)
          expect(writeSignInMessage(parseSignInMessage(text))).toBe(text)
      }),
      runs(3_000),
    )
  })
})

describe('writeSignInMessage', () => {
  it.each(negativeObjects)('error: SIWE_MESSAGE_MALFORMED: %s', (name, message) => {
    expect(fieldAtFault(() => writeSignInMessage(message))).toBe(textFaults[name])
  })

  it('error: SIWE_MESSAGE_MALFORMED names the field that would add a line', () => {
    const statement = 'a\nURI: https://evil.example'
    expect(fieldAtFault(() => writeSignInMessage({ ...fields, statement }))).toBe('statement')
    expect(fieldAtFault(() => writeSignInMessage({ ...fields, requestId: 'a\nb' }))).toBe('requestId')
    expect(fieldAtFault(() => writeSignInMessage({ ...fields, nonce: 'short' }))).toBe('nonce')
  })
})

describe('signInMessageTimeliness', () => {
  const message = { notBefore: '2025-01-01T02:00:00+02:00', expirationTime: '2025-01-01T00:10:00.5Z' }
  const start = Date.UTC(2025, 0, 1)

  it('default', () => {
    expect(signInMessageTimeliness(message, start - 1)).toBe('not-yet-valid')
    expect(signInMessageTimeliness(message, start)).toBe('valid')
    expect(signInMessageTimeliness(message, start + 600_499)).toBe('valid')
    expect(signInMessageTimeliness(message, start + 600_500)).toBe('expired')
    expect(signInMessageTimeliness({}, 0)).toBe('valid')
  })
})

describe('a signed message of the suite', () => {
  /** Everything of a case but what it is checked against. */
  function signedText({
    signature: _,
    time: _time,
    domainBinding: _domain,
    matchNonce: _nonce,
    ...message
  }: Signed): string {
    return writeSignInMessage(message)
  }
  const momentOf = ({ time, issuedAt }: Signed) => Date.parse(time ?? issuedAt)

  it.each(verified)('default: %s', async (_name, signed) => {
    const text = signedText(signed)
    expect(signInMessageTimeliness(parseSignInMessage(text), momentOf(signed))).toBe('valid')
    expect(await recoverMessageAddress({ message: text, signature: signed.signature })).toBe(signed.address)
  })

  it.each(notVerified)('error: %s', async (name, signed) => {
    const found = async () => {
      const text = signedText(signed)
      const message = parseSignInMessage(text)
      if (signed.domainBinding !== undefined && message.domain !== signed.domainBinding) return 'domain'
      if (signed.matchNonce !== undefined && message.nonce !== signed.matchNonce) return 'nonce'
      const timeliness = signInMessageTimeliness(message, momentOf(signed))
      if (timeliness !== 'valid') return timeliness
      const signer = await recoverMessageAddress({ message: text, signature: signed.signature }).catch(() => null)
      return signer === signed.address ? 'valid' : 'signature'
    }
    const malformed: Record<string, SignInMessageField> = {
      'invalid issuedAt': 'issuedAt',
      'invalid notBefore': 'notBefore',
      'invalid expirationTime': 'expirationTime',
    }
    const refusals: Record<string, string> = {
      'expired message': 'expired',
      'domain binding': 'domain',
      'custom time': 'expired',
      'custom nonce': 'nonce',
      'malformed signature': 'signature',
      'wrong signature': 'signature',
      'not yet valid': 'not-yet-valid',
    }
    const field = malformed[name]
    if (field) expect(fieldAtFault(() => signedText(signed))).toBe(field)
    else expect(await found()).toBe(refusals[name])
  })
})
