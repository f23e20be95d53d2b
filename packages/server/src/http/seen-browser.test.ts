import { call, getSession, listSafes, prepareSignIn, signIn, signOut } from '@countersign/contract'
import { type DemoAccount, demoAccounts } from '@countersign/devnet'
import { CountersignError } from '@countersign/safe'
import { numberToHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { devnet, openChain } from '../test/scene.ts'
import {
  type Browser,
  codeOf,
  devnetChain,
  newBrowser,
  signInAs,
  startTestServer,
  type TestServer,
} from '../test/test-server.ts'
import { type AdmissionSettings, createAdmission, usualAdmission } from './admission.ts'

const [alice, bob] = demoAccounts
const chainId = 31337
const { rates } = usualAdmission

function newAdmission() {
  const time = { now: 0 }
  const admission = createAdmission(usualAdmission, { clock: () => new Date(time.now), hasRateLimits: true })
  /** A message to sign and the signed one, as the routes take for them. @returns whether both may go on */
  const signInFrom = (network: string, seen: string[] = []) => {
    try {
      admission.takeOfVisitor('signIn', network, () => seen)
      if (seen.length === 0) admission.takeMessage(network)
      admission.takeOfVisitor('signIn', network, () => seen)
      return true
    } catch {
      return false
    }
  }
  const flood = (networks: number, each: number) => {
    for (let at = 0; at < networks * each; at += 1) signInFrom(`stranger ${at % networks}`)
  }
  return { time, admission, signInFrom, flood }
}

describe('signing in while strangers flood', () => {
  test.each<[string, number, number]>([
    ['one network asks 10,000 times', 1, 10_000],
    ['four networks ask 100 times each', 4, 100],
    ['forty networks ask 250 times each', 40, 250],
    ['250 networks ask as often as they may', 250, 70],
    ['thousands of networks ask once each', 2_500, 1],
    ['thousands of networks ask all that they may, as time goes on', 5_000, 4],
  ])('behavior: %s; twelve networks that come for the first time are let in', (_name, networks, each) => {
    const { time, signInFrom, flood } = newAdmission()
    const tries = Array.from({ length: 12 }, (_, at) => {
      flood(Math.ceil(networks), Math.ceil(each / 12))
      time.now += 1_000
      return signInFrom(`owner ${at}`)
    })
    expect(tries).toEqual(tries.map(() => true))
  })

  test.each<[string, (scene: ReturnType<typeof newAdmission>) => unknown]>([
    ['the network of the owner itself floods', ({ signInFrom }) => times(10_000, () => signInFrom('home'))],
    ['all networks together have asked for all that there is', ({ flood }) => flood(700, 12)],
    [
      'sessions are made up by the thousand',
      ({ admission }) => Promise.all(Array.from({ length: 400 }, (_, at) => guess(admission, `n${at % 99}`))),
    ],
  ])('behavior: %s; a browser in which the account has signed in is let in', async (_name, attack) => {
    const scene = newAdmission()
    for (let at = 0; at < 12; at += 1) {
      scene.time.now += 1_000
      await attack(scene)
      expect(scene.signInFrom('home', ['alice'])).toBe(true)
    }
    expect(await guess(scene.admission, 'home', ['alice'])).toBe('looked for')
  })

  test('behavior: an ended session takes nothing of signing in; a valid one gets its look-up back', async () => {
    const { admission } = newAdmission()
    for (let at = 0; at < 200; at += 1) await guess(admission, 'home', ['alice'])
    expect(admission.takeOfVisitor('signIn', 'home', () => ['alice']).lane).toBe('seen')
    for (let at = 0; at < 300; at += 1) {
      const tokenHash = numberToHex(at)
      const find = async () => ({ address: alice.address, tokenHash })
      await admission.find([tokenHash], 'home', 'reads', find, () => ['bob'])
    }
    for (let at = 0; at < 240; at += 1) await guess(admission, 'home', ['bob'])
    for (let at = 0; at < 240; at += 1) expect(await guess(admission, 'home')).toBe('looked for')
  })

  test('behavior: a browser has a separate share for each of its accounts', () => {
    const { signInFrom } = newAdmission()
    times(200, () => signInFrom('stranger', ['mallory']))
    expect(signInFrom('home', ['alice'])).toBe(true)
    expect(signInFrom('home')).toBe(true)
  })
})

describe('holding the cookies of many accounts', () => {
  const { groups } = usualAdmission
  const wait = (ask: () => unknown): number => {
    try {
      ask()
      return 0
    } catch (error) {
      return error instanceof CountersignError ? Number(error.data.retryAfterSeconds) : Number.NaN
    }
  }

  test.each([50, 1_000, 5_000])('behavior: %i cookies give one network no more than a constant', async (count) => {
    const { admission, time } = newAdmission()
    const names = Array.from({ length: count }, (_, at) => `mallory ${at}`)
    let [signIns, lookUps] = [0, 0]
    const minutes = 5
    for (let at = 0; at < minutes * 6; at += 1) {
      for (const name of names) {
        for (let again = 0; again < 2; again += 1) {
          if (wait(() => admission.takeOfVisitor('signIn', 'home', () => [name])) === 0) signIns += 1
          if ((await guess(admission, 'home', [name])) === 'looked for') lookUps += 1
        }
      }
      time.now += 10_000
    }
    const most = (...all: { burst: number; perSecond: number }[]) =>
      all.reduce((sum, { burst, perSecond }) => sum + burst + minutes * 60 * perSecond, 0)
    expect(signIns).toBeLessThanOrEqual(most(groups.seen, rates.signIn))
    expect(lookUps).toBeLessThanOrEqual(most(groups.seenLookUps, rates.guesses))
  })

  test('behavior: an owner on the same network is admitted at a reserved turn', () => {
    const { admission, time } = newAdmission()
    const flood = () =>
      times(400, (at) => wait(() => admission.takeOfVisitor('signIn', 'home', () => [`mallory ${at}`])))
    flood()
    for (let request = 0; request < 4; request += 1) {
      const ask = () => admission.takeOfVisitor('signIn', 'home', () => ['alice'])
      const seconds = wait(ask)
      expect(seconds).toBeLessThanOrEqual(Math.ceil(401 / groups.seen.perSecond))
      times(seconds, () => {
        flood()
        time.now += 1_000
      })
      flood()
      if (seconds > 0) expect(ask()).toEqual({ lane: 'seen', client: 'alice' })
    }
  })

  test('behavior: an owner on another network is admitted at once', () => {
    const { admission } = newAdmission()
    times(5_000, (at) => wait(() => admission.takeOfVisitor('signIn', 'there', () => [`mallory ${at}`])))
    expect(admission.takeOfVisitor('signIn', 'home', () => ['alice'])).toEqual({ lane: 'seen', client: 'alice' })
  })
})

function times(count: number, run: (at: number) => unknown): void {
  for (let at = 0; at < count; at += 1) run(at)
}

/** Asks with a session that this process has not seen. */
function guess(admission: ReturnType<typeof createAdmission>, network: string, seen: string[] = []): Promise<string> {
  const find = async () => null
  return admission
    .find(['0x12'], network, 'reads', find, () => seen)
    .then(
      () => 'looked for',
      () => 'refused',
    )
}

openChain()

async function withServer(admission: AdmissionSettings, use: (server: TestServer) => Promise<void>): Promise<void> {
  const server = await startTestServer({
    chains: [devnetChain(devnet.rpcUrl)],
    admission,
    trustedProxies: ['127.0.0.1'],
  })
  try {
    await use(server)
  } finally {
    await server.stop()
  }
}

const seenCookie = ({ cookies }: Browser) => [...cookies].find(([name]) => name.includes('_seen_')) ?? ['', '']

/** A browser with a cookie that says that accounts have signed in there. */
function browserThatShows(server: TestServer, name: string, value: string): Browser {
  const browser = newBrowser(server)
  browser.cookies.set(name, value)
  return browser
}

const comeBack = async (browser: Browser, { privateKey, address }: DemoAccount) => {
  const { message } = await call(browser, prepareSignIn, { address, chainId })
  return call(browser, signIn, { message, signature: await privateKeyToAccount(privateKey).signMessage({ message }) })
}

describe('the cookie of a browser in which an account has signed in', () => {
  test('default: stays after signing out, contains no address, is the same in each browser, and gives no access', async () => {
    await withServer(usualAdmission, async (server) => {
      const browser = await signInAs(server, alice)
      const [name, value] = seenCookie(browser)
      expect(value).toMatch(/^[\w-]{32}$/)
      expect(value.toLowerCase()).not.toContain(alice.address.slice(2, 10).toLowerCase())
      expect(seenCookie(await signInAs(server, alice))).toEqual([name, value])
      await call(browser, signOut, {})
      expect(seenCookie(browser)).toEqual([name, value])
      expect(await call(browser, getSession, {})).toEqual({ session: null })
      expect(await codeOf(call(browser, listSafes, {}))).toBe('NOT_SIGNED_IN')
      const asked = await browser.fetch(`${server.origin}/api/session/message`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: server.origin },
        body: JSON.stringify({ address: alice.address, chainId }),
      })
      expect(asked.headers.getSetCookie().join()).not.toContain('_seen_')
      await comeBack(browser, bob)
      expect(seenCookie(browser)[1]).toMatch(new RegExp(`^[\\w-]{32}\\.${value}$`))
    })
  })

  test('behavior: a browser with the cookie can sign in when its network is over the limit; forged cookies do not count', async () => {
    const none = { burst: 4, perSecond: 0.000_1 }
    const few = { ...usualAdmission, rates: { ...rates, signIn: none, messagesOfAll: none } }
    await withServer(few, async (server) => {
      const known = await signInAs(server, alice)
      const [name, value] = seenCookie(known)
      const ask = (browser: Browser, { address } = alice) => codeOf(call(browser, prepareSignIn, { address, chainId }))
      for (let at = 0; at < 2; at += 1) expect(await ask(newBrowser(server))).toBe('no error')
      expect(await ask(newBrowser(server))).toBe('RATE_LIMITED')
      const swapped = value.slice(16) + value.slice(0, 16)
      const last = value.endsWith('A') ? 'B' : 'A'
      for (const forged of [
        '',
        '.',
        'a'.repeat(32),
        swapped,
        value.slice(0, 31),
        value.slice(0, -1) + last,
        `${value}A`,
        value.slice(0, 16),
        `${'a'.repeat(16)}${value.slice(16)}`,
        alice.address,
        `${'x.'.repeat(9)}${value}`,
      ])
        expect([forged, await ask(browserThatShows(server, name, forged))]).toEqual([forged, 'RATE_LIMITED'])
      expect(await ask(browserThatShows(server, name, `${'a'.repeat(32)}.${value}`))).toBe('no error')
      await call(known, signOut, {})
      expect(await codeOf(comeBack(known, alice))).toBe('no error')
    })
  })
})
