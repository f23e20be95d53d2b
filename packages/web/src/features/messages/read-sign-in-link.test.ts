import { writeSignInMessage } from '@countersign/safe-core'
import { describe, expect, test } from 'vitest'
import { readSignInLink } from './read-sign-in-link.ts'

const safeAddress = '0x2222222222222222222222222222222222222222'
const site = { host: 'safe.example.org', origin: 'https://safe.example.org' }
const message = writeSignInMessage({
  scheme: 'https',
  domain: site.host,
  address: safeAddress,
  uri: site.origin,
  version: '1',
  chainId: 10,
  nonce: '32891756abcd',
  issuedAt: '2025-01-31T12:00:00Z',
})
const place = { chainId: 10, safeAddress } as const
const read = (text: string, at: Parameters<typeof readSignInLink>[1] = place, here = site) =>
  readSignInLink(`sign-in=${encodeURIComponent(text)}`, at, here)

describe('readSignInLink', () => {
  test('default: the message, exactly', () => expect(read(message)).toBe(message))

  test.each([
    ['another Safe', read(message, { ...place, safeAddress: '0x3333333333333333333333333333333333333333' })],
    ['another chain', read(message, { ...place, chainId: 1 })],
    ['another site', read(message, place, { host: 'evil.example', origin: 'https://evil.example' })],
    ['another origin', read(message, place, { ...site, origin: 'http://safe.example.org' })],
    ['a text that is no sign-in', read('pay me')],
    ['text after it', read(`${message}\nand more`)],
    ['another fragment', readSignInLink('history', place, site)],
    ['a broken escape', readSignInLink('sign-in=%', place, site)],
  ])('behavior: null for %s', (_, found) => expect(found).toBeNull())
})
