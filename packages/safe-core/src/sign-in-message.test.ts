import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  parseSignInMessage,
  type SignInMessage,
  signInMessageTimeliness,
  writeSignInMessage,
} from './sign-in-message.ts'

/** Of the suite of another implementation; see SOURCE.md beside the files. */
function readVectors<vector>(name: string): [string, vector][] {
  const file = readFileSync(new URL(`../vectors/siwe/${name}.json`, import.meta.url), 'utf8')
  const vectors: Record<string, vector> = JSON.parse(file)
  return Object.entries(vectors)
}

const positive = readVectors<{ message: string; fields: SignInMessage }>('parsing_positive')
const negative = readVectors<string>('parsing_negative')
// A version may be left out here: there is only one.
const negativeObjects = readVectors<SignInMessage>('parsing_negative_objects').filter(
  ([name]) => name !== 'missing version',
)

const fields: SignInMessage = {
  domain: 'localhost:4100',
  scheme: 'http',
  uri: 'http://localhost:4100',
  address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  chainId: 31337,
  nonce: 'abcdefgh',
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

  it.each(negative)('error: SIWE_MESSAGE_MALFORMED: %s', (_name, message) => {
    expect(fieldAtFault(() => parseSignInMessage(message))).not.toBeNull()
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
      version: '1',
      statement: 'Sign in.',
      requestId: '',
      resources: [],
    })
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
      fc.property(fc.oneof(texts, changed), (one) => {
        if (fieldAtFault(() => parseSignInMessage(one)) === null)
          expect(writeSignInMessage(parseSignInMessage(one))).toBe(one)
      }),
      { numRuns: 3_000 },
    )
  })
})

describe('writeSignInMessage', () => {
  it.each(negativeObjects)('error: SIWE_MESSAGE_MALFORMED: %s', (_name, message) => {
    expect(fieldAtFault(() => writeSignInMessage(message))).not.toBeNull()
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
