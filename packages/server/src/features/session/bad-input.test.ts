import { Agent, request } from 'node:http'
import { call, getSession, prepareSignIn, signIn } from '@countersign/contract'
import { demoAccounts } from '@countersign/devnet'
import { CountersignError } from '@countersign/safe'
import { sql } from 'drizzle-orm'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { createRateLimit } from '../../http/rate-limit.ts'
import { devnet, openScene, server } from '../../test/scene.ts'
import { type Browser, codeOf, devnetChain, newBrowser, startTestServer } from '../../test/test-server.ts'

const [alice, bob] = demoAccounts
const chainId = 31337
const OTHER_CHAIN = 31338
const MINUTE = 60_000

openScene([], () => ({
  chains: [devnetChain(devnet.rpcUrl), devnetChain(devnet.rpcUrl, OTHER_CHAIN)],
  hasRateLimits: false,
}))

const account = privateKeyToAccount(alice.privateKey)

async function asked(browser: Browser = newBrowser(server)): Promise<{ browser: Browser; message: string }> {
  const { message } = await call(browser, prepareSignIn, { address: alice.address, chainId })
  return { browser, message }
}

async function countSessions(on = server): Promise<number> {
  const { rows } = await on.db.execute<{ count: number }>(sql`select count(*)::int as count from session`)
  return rows[0]?.count ?? -1
}

/** Signs a changed text with the right key and comes with it: it is refused by this code, and nothing was opened. */
async function refusedAs(change: (message: string) => string): Promise<string> {
  return (await refusalOf(change)).code
}

async function refusalOf(change: (message: string) => string): Promise<CountersignError> {
  const { browser, message } = await asked()
  const before = await countSessions()
  const changed = change(message)
  expect(changed).not.toBe(message)
  const refusal: unknown = await call(browser, signIn, {
    message: changed,
    signature: await account.signMessage({ message: changed }),
  }).catch((error: unknown) => error)
  expect(await call(browser, getSession, {})).toEqual({ session: null })
  // Seen is spent: the very text does not help any more, a new one does.
  const signature = await account.signMessage({ message })
  expect(await codeOf(call(browser, signIn, { message, signature }))).toBe('SIWE_NONCE_USED')
  expect(await countSessions()).toBe(before)
  const again = await call(browser, prepareSignIn, { address: alice.address, chainId })
  await call(browser, signIn, { ...again, signature: await account.signMessage(again) })
  if (refusal instanceof CountersignError) return refusal
  throw new Error('it was not refused')
}

describe('a signed text that is not the one that was asked for', () => {
  test('error: SIWE_DOMAIN_MISMATCH', async () => {
    const domain = server.url.host
    expect(await refusedAs((text) => text.replace(domain, 'evil.example'))).toBe('SIWE_DOMAIN_MISMATCH')
    expect(await refusedAs((text) => text.replace('http://', 'https://'))).toBe('SIWE_DOMAIN_MISMATCH')
    expect(await refusedAs((text) => text.replace(domain, domain.toUpperCase()))).toBe('SIWE_DOMAIN_MISMATCH')
  })

  test('error: SIWE_ADDRESS_MISMATCH', async () => {
    expect(await refusedAs((text) => text.replace(alice.address, bob.address))).toBe('SIWE_ADDRESS_MISMATCH')
  })

  test('error: SIWE_URI_MISMATCH', async () => {
    expect(await refusedAs((text) => text.replace(/^URI: .*/m, 'URI: https://evil.example'))).toBe('SIWE_URI_MISMATCH')
    expect(await refusedAs((text) => text.replace(/^URI: .*/m, '$&/'))).toBe('SIWE_URI_MISMATCH')
  })

  test('error: SIWE_CHAIN_MISMATCH', async () => {
    expect(await refusedAs((text) => text.replace(/^Chain ID: .*/m, `Chain ID: ${OTHER_CHAIN}`))).toBe(
      'SIWE_CHAIN_MISMATCH',
    )
  })

  test('error: SIWE_MESSAGE_MALFORMED for a text that EIP-4361 does not have, by its own fault', async () => {
    const other = `Chain ID: ${OTHER_CHAIN}`
    for (const [field, change] of [
      ['version', (text: string) => text.replace('Version: 1\n', '')],
      ['version', (text: string) => text.replace('Version: 1\n', '').replace(/^Chain ID: .*/m, other)],
      ['version', (text: string) => text.replace('Version: 1', 'Version: 2')],
      ['chainId', (text: string) => text.replace('Version: 1', 'Version: 1\nVersion: 1')],
      ['chainId', (text: string) => text.replace(/^Chain ID: /m, 'Chain ID: 0')],
      ['uri', (text: string) => text.replace(/^URI: .*\n/m, '')],
      ['uri', (text: string) => text.replace(/^(URI: .*)\n(Version: 1)$/m, '$2\n$1')],
      ['issuedAt', (text: string) => text.replace(/^Issued At: .*\n/m, '')],
      ['address', (text: string) => text.replace(alice.address, alice.address.toLowerCase())],
      ['message', (text: string) => `${text}\n`],
      ['message', (text: string) => text.replaceAll('\n', '\r\n')],
      ['message', (text: string) => text.replace(/\n/, ' \n')],
    ] as const) {
      const error = await refusalOf(change)
      expect([field, error]).toMatchObject([field, { code: 'SIWE_MESSAGE_MALFORMED', data: { field } }])
    }
  })

  test('error: SIWE_EXPIRED, SIWE_NOT_YET_VALID by its own times', async () => {
    const past = new Date(Date.now() - 365 * 24 * 60 * MINUTE).toISOString()
    const future = new Date(Date.now() + 365 * 24 * 60 * MINUTE).toISOString()
    expect(await refusedAs((text) => text.replace(/^Expiration Time: .*/m, `Expiration Time: ${past}`))).toBe(
      'SIWE_EXPIRED',
    )
    expect(await refusedAs((text) => text.replace(/^Expiration Time: .*/m, `Expiration Time: ${future}`))).toBe(
      'SIWE_MESSAGE_MISMATCH',
    )
    expect(await refusedAs((text) => `${text}\nNot Before: ${future}`)).toBe('SIWE_NOT_YET_VALID')
    expect(await refusedAs((text) => `${text}\nNot Before: ${past}`)).toBe('SIWE_MESSAGE_MISMATCH')
  })

  test('error: SIWE_MESSAGE_MISMATCH for anything else, to the byte', async () => {
    for (const change of [
      (text: string) => text.replace('costs nothing', 'costs nothing at all'),
      (text: string) => `${text}\nResources:\n- https://evil.example`,
    ])
      expect(await refusedAs(change)).toBe('SIWE_MESSAGE_MISMATCH')
  })

  test('error: SIWE_NONCE_UNKNOWN for a text of somebody else, or without any nonce', async () => {
    const { browser, message } = await asked()
    for (const text of [message.replace(/^Nonce: .*/m, `Nonce: ${'a'.repeat(32)}`), 'Sign in, please', ''])
      expect(
        await codeOf(call(browser, signIn, { message: text, signature: await account.signMessage({ message: text }) })),
      ).toBe('SIWE_NONCE_UNKNOWN')
    await call(browser, signIn, { message, signature: await account.signMessage({ message }) })
  })
})

describe('a message out of its time', () => {
  test('error: SIWE_EXPIRED at the end of its ten minutes, not before', async () => {
    const [early, late] = [await asked(), await asked()]
    server.pass(9.5 * MINUTE)
    await call(early.browser, signIn, { ...early, signature: await account.signMessage(early) })
    server.pass(0.5 * MINUTE)
    expect(await codeOf(call(late.browser, signIn, { ...late, signature: await account.signMessage(late) }))).toBe(
      'SIWE_EXPIRED',
    )
  })

  test('error: SIWE_NOT_YET_VALID when it comes from a future beyond what clocks differ by', async () => {
    for (const [minutes, code] of [
      [1, 'no error'],
      [3, 'SIWE_NOT_YET_VALID'],
    ] as const) {
      const { browser, message } = await asked()
      server.pass(-minutes * MINUTE)
      expect(await codeOf(call(browser, signIn, { message, signature: await account.signMessage({ message }) }))).toBe(
        code,
      )
      server.pass(minutes * MINUTE)
    }
  })
})

describe('a signature that is none', () => {
  test('error: SIGNATURE_MALFORMED, SIWE_SIGNATURE_INVALID: from 0 to 100,000 bytes, and no hex', async () => {
    const before = await countSessions()
    const good = await account.signMessage({ message: 'another text' })
    for (const [signature, code] of [
      ['0x', 'SIWE_SIGNATURE_INVALID'],
      ['0x00', 'SIWE_SIGNATURE_INVALID'],
      [good, 'SIWE_SIGNATURE_INVALID'],
      [good.slice(0, -2), 'SIWE_SIGNATURE_INVALID'],
      [`${good}00`, 'SIWE_SIGNATURE_INVALID'],
      [`0x${'00'.repeat(65)}`, 'SIWE_SIGNATURE_INVALID'],
      [`0x${'ff'.repeat(65)}`, 'SIWE_SIGNATURE_INVALID'],
      [`0x${'ab'.repeat(16_384)}`, 'SIWE_SIGNATURE_INVALID'],
      [`0x${'ab'.repeat(16_385)}`, 'SIGNATURE_MALFORMED'],
      [`0x${'ab'.repeat(100_000)}`, 'SIGNATURE_MALFORMED'],
      [good.slice(0, -1), 'SIGNATURE_MALFORMED'],
      [good.slice(2), 'SIGNATURE_MALFORMED'],
      [`0x${'zz'.repeat(65)}`, 'SIGNATURE_MALFORMED'],
      ['', 'SIGNATURE_MALFORMED'],
      ['nonsense', 'SIGNATURE_MALFORMED'],
    ] as const) {
      const { browser, message } = await asked()
      expect([signature.length, await codeOf(call(browser, signIn, { message, signature }))]).toEqual([
        signature.length,
        code,
      ])
      const right = await account.signMessage({ message })
      expect(await codeOf(call(browser, signIn, { message, signature: right }))).toBe('SIWE_NONCE_USED')
    }
    expect(await countSessions()).toBe(before)
  })

  test('error: INVALID_REQUEST for what is no text, and for a message longer than any', async () => {
    const { browser, message } = await asked()
    const send = async (body: unknown) => {
      const response = await browser.fetch(`${server.origin}/api/session`, {
        method: 'POST',
        headers: { origin: server.origin, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      return response.json()
    }
    expect(await send({ message, signature: 12 })).toMatchObject({ code: 'INVALID_REQUEST' })
    expect(await send({ message: `${message}${' '.repeat(5_000)}`, signature: '0x' })).toMatchObject({
      code: 'INVALID_REQUEST',
      data: { errors: [{ path: 'message' }] },
    })
  })
})

describe('many at once', () => {
  test('behavior: of forty verifies of one message exactly one opens a session', async () => {
    const { browser, message } = await asked()
    const before = await countSessions()
    const signature = await account.signMessage({ message })
    const codes = await Promise.all(
      Array.from({ length: 40 }, () => codeOf(call(browser, signIn, { message, signature }))),
    )
    expect(codes.sort()).toEqual([...Array<string>(39).fill('SIWE_NONCE_USED'), 'no error'])
    expect(await countSessions()).toBe(before + 1)
  })

  test('behavior: with a right and wrong signatures at once it is never more than one', async () => {
    for (let times = 0; times < 10; times += 1) {
      const { browser, message } = await asked()
      const before = await countSessions()
      const right = await account.signMessage({ message })
      const wrong: Hex = `0x${'11'.repeat(65)}`
      await Promise.all([wrong, right, wrong].map((signature) => codeOf(call(browser, signIn, { message, signature }))))
      expect((await countSessions()) - before).toBeLessThanOrEqual(1)
    }
  })

  test('error: RATE_LIMITED for 1,000 messages of one network; requests of others that name an account do not limit it', async () => {
    const limited = await startTestServer({ chains: [devnetChain(devnet.rpcUrl)], trustedProxies: ['127.0.0.1'] })
    try {
      const rows = async () => {
        const { rows } = await limited.db.execute<{ count: number }>(
          sql`select count(*)::int as count from sign_in_nonce`,
        )
        return rows[0]?.count ?? -1
      }
      // With as little client as possible: it is many requests, and each refusal is delayed.
      const agent = new Agent({ keepAlive: true, maxSockets: 100 })
      const headers = { host: limited.url.host, origin: limited.origin, 'content-type': 'application/json' }
      const ask = (client: string, address: string) =>
        new Promise<{ status: number; retryAfter: string | undefined }>((resolve, reject) => {
          const sent = request(
            `${limited.origin}/api/session/message`,
            { method: 'POST', agent, headers: { ...headers, 'x-forwarded-for': client } },
            (response) => {
              response.resume()
              response.on('end', () =>
                resolve({ status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'] }),
              )
            },
          )
          sent.on('error', reject)
          sent.end(JSON.stringify({ address, chainId }))
        })
      const flood = async (count: number, once: (index: number) => ReturnType<typeof ask>) => {
        const seen: Awaited<ReturnType<typeof ask>>[] = []
        for (let from = 0; from < count; from += 100)
          seen.push(...(await Promise.all(Array.from({ length: 100 }, (_, index) => once(from + index)))))
        return seen
      }
      const count = (answers: Awaited<ReturnType<typeof flood>>, status: number) =>
        answers.filter((answer) => answer.status === status).length
      const address = (index: number) => `0x${index.toString(16).padStart(40, '0')}`
      const started = performance.now()
      // Fresh accounts each time, from one network; an IPv6 subscriber has 2^64 addresses.
      const answers = await flood(1_000, (index) => ask(`2001:db8::${index.toString(16)}`, address(index + 1)))
      const seconds = (performance.now() - started) / 1000
      const [answered, limitedCount, overloaded] = [count(answers, 200), count(answers, 429), count(answers, 503)]
      expect(answered).toBeLessThanOrEqual(120 + 2 * (seconds + 1))
      // `OVERLOADED` if the server is slow: one network has a limited number of places to wait.
      expect(answered + limitedCount + overloaded).toBe(1_000)
      expect(limitedCount).toBeGreaterThan(0)
      const refused = answers.filter(({ status }) => status !== 200)
      expect(refused.every(({ retryAfter }) => Number(retryAfter) > 0)).toBe(true)
      expect(await rows()).toBe(answered)

      // No limit belongs to the account that is named: neither one network nor hundreds keep it from signing in elsewhere.
      expect(count(await flood(200, () => ask('10.200.0.1', bob.address)), 429)).toBeGreaterThan(0)
      expect(await ask('10.200.0.2', bob.address)).toMatchObject({ status: 200 })
      await flood(600, (index) => ask(`10.${(index % 300) >> 8}.${(index % 300) & 255}.1`, alice.address))
      expect(await ask('10.200.0.3', alice.address)).toMatchObject({ status: 200 })
    } finally {
      await limited.stop()
    }
  })

  test('behavior: what limits remember stays bounded, however many come', () => {
    const limit = createRateLimit({ burst: 2, perSecond: 1, clock: () => new Date(0) })
    limit.take('who comes back')
    for (let index = 0; index < 60_000; index += 1) {
      limit.take(`client ${index}`)
      if (index % 1_000 === 0) limit.take('who comes back', 0)
    }
    expect(limit.size()).toBeLessThanOrEqual(20_000)
    limit.take('who comes back')
    expect(() => limit.take('who comes back')).toThrow(expect.objectContaining({ code: 'RATE_LIMITED' }))
  })

  test('behavior: a clock that is set back takes nothing away', () => {
    let now = 1_000_000_000
    const limit = createRateLimit({ burst: 2, perSecond: 1, clock: () => new Date(now) })
    limit.take('client')
    now = 0
    limit.take('client')
    now = 1_000
    limit.take('client')
  })

  test('behavior: used and expired messages are removed', async () => {
    const own = await startTestServer({ chains: [devnetChain(devnet.rpcUrl)] })
    try {
      const { removeOldMessages } = await import('./clean-up.ts')
      await call(newBrowser(own), prepareSignIn, { address: alice.address, chainId })
      const count = async () => (await own.db.execute(sql`select 1 from sign_in_nonce`)).rows.length
      const after = (minutes: number) => ({ db: own.db, clock: () => new Date(Date.now() + minutes * MINUTE) })
      await removeOldMessages(after(19))
      expect(await count()).toBe(1)
      await removeOldMessages(after(21))
      expect(await count()).toBe(0)
    } finally {
      await own.stop()
    }
  })
})

describe('forged headers', () => {
  /** `fetch` does not let a test choose the Host header. */
  function post(
    path: string,
    headers: Record<string, string>,
    body: unknown,
  ): Promise<{ status: number; code: string }> {
    return new Promise((resolve, reject) => {
      const sent = request(
        `${server.origin}${path}`,
        { method: 'POST', headers: { 'content-type': 'application/json', ...headers } },
        (response) => {
          let text = ''
          response.on('data', (chunk) => {
            text += String(chunk)
          })
          response.on('end', () => resolve({ status: response.statusCode ?? 0, code: JSON.parse(text).code }))
        },
      )
      sent.on('error', reject)
      sent.end(JSON.stringify(body))
    })
  }

  test('error: WRONG_ORIGIN for another Host or Origin, and the message names our own address whatever they say', async () => {
    const { browser, message } = await asked()
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const signature = await account.signMessage({ message })
    const { host } = server.url
    for (const headers of [
      { host: 'evil.example', origin: server.origin },
      { host: 'evil.example', origin: 'https://evil.example' },
      { host, origin: 'https://evil.example' },
      { host, origin: 'null' },
      { host, origin: `${server.origin}.evil.example` },
      { host, origin: server.origin, 'sec-fetch-site': 'cross-site' },
      { host },
    ]) {
      const named: Record<string, string> = headers
      for (const [path, body] of [
        ['/api/session/message', { address: alice.address, chainId }],
        ['/api/session', { message, signature }],
      ] as const)
        expect(await post(path, { ...named, cookie }, body)).toEqual({ status: 403, code: 'WRONG_ORIGIN' })
    }
    for (const own of [host.toUpperCase(), host.replace(':', '.:')]) {
      const asking = { address: alice.address, chainId }
      expect(await post('/api/session/message', { host: own, origin: server.origin, cookie }, asking)).toMatchObject({
        status: 200,
      })
    }
    const forwarded = await browser.fetch(`${server.origin}/api/session/message`, {
      method: 'POST',
      headers: {
        origin: server.origin,
        'content-type': 'application/json',
        'x-forwarded-host': 'evil.example',
        forwarded: 'host=evil.example',
      },
      body: JSON.stringify({ address: alice.address, chainId }),
    })
    expect(await forwarded.text()).toContain(`${server.origin} wants you to sign in`)
    // A refusal before the message was looked at does not consume it.
    await call(browser, signIn, { message, signature })
  })
})
