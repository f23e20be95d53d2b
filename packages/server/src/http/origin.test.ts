import { describe, expect, test } from 'vitest'
import { checkHost, checkOrigin, otherHost } from './origin.ts'

const publicUrl = new URL('https://safe.example.org')
const refused = (work: () => void): unknown => {
  try {
    work()
  } catch (error) {
    return error
  }
  return null
}

describe('checkHost', () => {
  test.each([
    ['https://safe.example.org', ['safe.example.org', 'safe.example.org:443', 'SAFE.Example.org', 'safe.example.org.']],
    ['https://safe.example.org', ['safe.example.org.:443', 'safe.example.org:0443', 'safe.example.org:']],
    ['http://safe.example.org', ['safe.example.org', 'safe.example.org:80']],
    ['https://safe.example.org:8443', ['safe.example.org:8443', 'safe.example.org.:8443']],
    ['http://[::1]:4100', ['[::1]:4100', '[0:0:0:0:0:0:0:1]:4100']],
  ])('default: %s is also %s', (url, hosts) => {
    for (const host of hosts) expect([host, refused(() => checkHost(host, new URL(url)))]).toEqual([host, null])
  })

  test.each([
    'evil.example',
    'safe.example.org:80',
    'safe.example.org:8443',
    'safe.example.org..',
    'safe.example.org.evil.example',
    'evil.example/safe.example.org',
    'safe.example.org/',
    'safe.example.org?',
    'safe.example.org#',
    'safe.example.org\\',
    'evil.example@safe.example.org',
    'safe.example.org@evil.example',
    'safe.example.org safe.example.org',
    'safe.example.org:443:443',
    '',
  ])('error: WRONG_ORIGIN: `%s`, named with the address of this server', (host) => {
    expect(refused(() => checkHost(host, publicUrl))).toMatchObject({
      code: 'WRONG_ORIGIN',
      message: `The request is for \`${host}\`; this server is at \`https://safe.example.org\`.`,
      data: { host },
    })
  })

  test('error: WRONG_ORIGIN: the port of the other scheme', () => {
    expect(refused(() => checkHost('safe.example.org:443', new URL('http://safe.example.org')))).not.toBeNull()
  })
})

describe('otherHost', () => {
  test('behavior: a page is opened at our own name, without the dot: its cookies would be others', () => {
    expect(otherHost('safe.example.org:443', publicUrl, '/a?b')).toBeNull()
    expect(otherHost('SAFE.example.org', publicUrl, '/a?b')).toBeNull()
    for (const host of ['safe.example.org.', 'safe.example.org:8443', 'evil.example', ''])
      expect(otherHost(host, publicUrl, '/a?b')).toBe('https://safe.example.org/a?b')
    const dotted = new URL('https://safe.example.org.')
    expect(otherHost('safe.example.org.', dotted, '/')).toBeNull()
  })
})

describe('checkOrigin', () => {
  const check = (headers: Record<string, string>) => refused(() => checkOrigin((name) => headers[name], publicUrl))

  test('error: WRONG_ORIGIN names what is wrong: the origin, or what the browser says of the site', () => {
    const { origin } = publicUrl
    expect(check({ origin })).toBeNull()
    expect(check({ origin: 'https://evil.example' })).toMatchObject({
      message: 'The request came from `https://evil.example`, not from `https://safe.example.org`.',
    })
    expect(check({ origin, 'sec-fetch-site': 'cross-site' })).toMatchObject({
      code: 'WRONG_ORIGIN',
      message: 'The browser marks the request as `cross-site` (Sec-Fetch-Site); only `same-origin` is accepted.',
    })
    expect(check({})).toMatchObject({ message: expect.stringContaining('has no Origin header') })
  })
})
