import { SIGN_IN_STATEMENT } from '@countersign/contract'
import { writeSignInMessage } from '@countersign/safe'
import { describe, expect, test } from 'vitest'
import { parseSignInContent, parseSignInLink } from './sign-in-link.ts'

const safeAddress = '0x2222222222222222222222222222222222222222'
const site = { host: 'safe.example.org', origin: 'https://safe.example.org', protocol: 'https:' }
const fields = {
  scheme: 'https',
  domain: site.host,
  address: safeAddress,
  statement: SIGN_IN_STATEMENT,
  uri: site.origin,
  version: '1',
  chainId: 10,
  nonce: '32891756abcdef0132891756abcdef01',
  issuedAt: '2025-01-31T12:00:00Z',
  expirationTime: '2025-02-01T12:00:00Z',
} as const
const message = writeSignInMessage(fields)
const other = (change: object) => writeSignInMessage({ ...fields, ...change })
const place = { chainId: 10, safeAddress } as const
const read = (text: string, at: Parameters<typeof parseSignInLink>[1] = place, here = site) =>
  parseSignInLink(`sign-in=${encodeURIComponent(text)}`, at, here)

describe('parseSignInLink', () => {
  test('default: the message, exactly', () => expect(read(message)).toBe(message))

  test.each([
    ['another Safe', read(message, { ...place, safeAddress: '0x3333333333333333333333333333333333333333' })],
    ['another chain', read(message, { ...place, chainId: 1 })],
    ['another site', read(message, place, { ...site, host: 'evil.example', origin: 'https://evil.example' })],
    ['another origin', read(message, place, { ...site, origin: 'http://safe.example.org' })],
    ['another scheme', read(other({ scheme: 'http' }))],
    ['no scheme', read(other({ scheme: undefined }))],
    ['another statement', read(other({ statement: 'Approve the payroll of January' }))],
    ['no statement', read(other({ statement: undefined }))],
    ['what it entitles to', read(other({ resources: ['urn:recap:eyJhdHQiOnt9fQ'] }))],
    ['an id of the request', read(other({ requestId: 'payroll' }))],
    ['a time before which it does not hold', read(other({ notBefore: '2025-01-31T12:00:00Z' }))],
    ['no end', read(other({ expirationTime: undefined }))],
    ['a path', read(other({ uri: 'https://safe.example.org/pay' }))],
    ['a nonce that this site does not write', read(other({ nonce: '32891756abcd' }))],
    ['a user name before the host', read(other({ domain: 'safe.example.org@evil.example' }))],
    ['a letter that looks alike', read(message.replace('safe.', 's\u0430fe.'))],
    ['a mark that turns the direction', read(message.replace('Sign in to', 'Sign in to\u202e'))],
    ['a character of no width', read(message.replace('Nonce: ', 'Nonce: \u200b'))],
    ['other line ends', read(message.replaceAll('\n', '\r\n'))],
    ['a megabyte', read(message + 'x'.repeat(2 ** 20))],
    ['a text that is no sign-in', read('pay me')],
    ['text after it', read(`${message}\nand more`)],
    ['another fragment', parseSignInLink('history', place, site)],
    ['a broken escape', parseSignInLink('sign-in=%', place, site)],
  ])('behavior: null for %s', (_, found) => expect(found).toBeNull())
})

describe('parseSignInContent', () => {
  test('default: the text of a message that is one', () =>
    expect(parseSignInContent(JSON.stringify(message), place, site)).toBe(message))

  test.each([
    ['a text of another kind', JSON.stringify('Hello')],
    ['typed data', '{"types":{}}'],
    ['what is no JSON', message],
  ])('behavior: null for %s', (_, content) => expect(parseSignInContent(content, place, site)).toBeNull())
})
