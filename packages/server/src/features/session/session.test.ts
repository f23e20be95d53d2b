import {
  call,
  getSession,
  getWaitingSignIn,
  keepWaitingSignIn,
  listSafes,
  prepareSignIn,
  signIn,
  signOut,
} from '@countersign/contract'
import { demoAccounts, deployContractAccount } from '@countersign/devnet'
import { type Address, concat, type Hex, hashMessage } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { beforeAll, describe, expect, test } from 'vitest'
import { devnet, openScene, server } from '../../test/scene.ts'
import { codeOf, devnetChain, newBrowser, newSafe, signedForSafe, signInAs } from '../../test/test-server.ts'

const [alice, bob] = demoAccounts
const chainId = 31337
const DEAD_CHAIN = 99_901
const WRONG_CHAIN = 99_902
const MINUTE = 60_000
const DAY = 86_400_000

let contractAccount: Address

openScene([], () => ({
  chains: [
    devnetChain(devnet.rpcUrl),
    devnetChain('http://127.0.0.1:9', DEAD_CHAIN),
    devnetChain(devnet.rpcUrl, WRONG_CHAIN),
  ],
  hasRateLimits: false,
}))

beforeAll(async () => {
  contractAccount = await deployContractAccount(devnet.rpcUrl, demoAccounts[9].address, alice.address)
})

function signed(message: string, account: typeof alice | typeof bob = alice): Promise<Hex> {
  return privateKeyToAccount(account.privateKey).signMessage({ message })
}

describe('signIn', () => {
  test('default: message, session, sign out', async () => {
    const browser = newBrowser(server)
    expect(await call(browser, getSession, {})).toEqual({ session: null })
    const { message } = await call(browser, prepareSignIn, { address: alice.address, chainId })
    expect(message).toContain(`${server.origin} wants you to sign in with your Ethereum account:\n${alice.address}\n`)
    const { session } = await call(browser, signIn, { message, signature: await signed(message) })
    expect(session).toMatchObject({ address: alice.address, chainId, provenBy: 'key' })
    expect(await call(browser, getSession, {})).toEqual({ session })
    await call(browser, signOut, {})
    expect(await call(browser, getSession, {})).toEqual({ session: null })
    expect(await codeOf(call(browser, listSafes, {}))).toBe('NOT_SIGNED_IN')
  })

  test('behavior: the cookie is HttpOnly, SameSite=Lax, and the session is a new one each time', async () => {
    const browser = newBrowser(server)
    const lines: string[] = []
    const tapped = {
      ...browser,
      fetch: async (...args: Parameters<typeof fetch>) => {
        const response = await browser.fetch(...args)
        lines.push(...response.headers.getSetCookie())
        return response
      },
    }
    for (let times = 0; times < 2; times += 1) {
      const { message } = await call(tapped, prepareSignIn, { address: alice.address, chainId })
      await call(tapped, signIn, { message, signature: await signed(message) })
    }
    const sessions = lines.filter((line) => line.startsWith('countersign_session_'))
    expect(new Set(sessions).size).toBe(2)
    for (const line of lines) {
      expect(line).toMatch(/HttpOnly/)
      expect(line).toMatch(/SameSite=Lax/)
      expect(line).toMatch(/Path=\//)
    }
    const [first] = sessions
    const old = first?.split(';')[0] ?? ''
    const response = await fetch(`${server.origin}/api/safes`, { headers: { cookie: old } })
    expect(response.status).toBe(401)
  })

  test('error: SIWE_NONCE_USED for a replay', async () => {
    const browser = newBrowser(server)
    const { message } = await call(browser, prepareSignIn, { address: alice.address, chainId })
    const signature = await signed(message)
    await call(browser, signIn, { message, signature })
    expect(await codeOf(call(browser, signIn, { message, signature }))).toBe('SIWE_NONCE_USED')
  })

  test('error: SIWE_NONCE_FOREIGN in another browser, which does not use it up', async () => {
    const browser = newBrowser(server)
    const other = newBrowser(server)
    const { message } = await call(browser, prepareSignIn, { address: alice.address, chainId })
    await call(other, prepareSignIn, { address: alice.address, chainId })
    const signature = await signed(message)
    expect(await codeOf(call(other, signIn, { message, signature }))).toBe('SIWE_NONCE_FOREIGN')
    expect(await codeOf(call(newBrowser(server), signIn, { message, signature }))).toBe('SIWE_NONCE_FOREIGN')
    await call(browser, signIn, { message, signature })
  })

  test('error: SIWE_MESSAGE_MISMATCH for a changed text, and the nonce is used up', async () => {
    const browser = newBrowser(server)
    const { message } = await call(browser, prepareSignIn, { address: alice.address, chainId })
    for (const changed of [`${message}\nResources:`, message.replace('costs nothing', 'costs  nothing')]) {
      const again = await call(browser, prepareSignIn, { address: alice.address, chainId })
      const text = changed.replace(/Nonce: \w+/, /Nonce: \w+/.exec(again.message)?.[0] ?? '')
      expect(await codeOf(call(browser, signIn, { message: text, signature: await signed(text) }))).toBe(
        'SIWE_MESSAGE_MISMATCH',
      )
      const { message: original } = again
      expect(await codeOf(call(browser, signIn, { message: original, signature: await signed(original) }))).toBe(
        'SIWE_NONCE_USED',
      )
    }
  })

  test('error: SIWE_SIGNATURE_INVALID for another account, and for nonsense', async () => {
    const browser = newBrowser(server)
    for (const sign of [
      (text: string) => signed(text, bob),
      async (): Promise<Hex> => '0x',
      async (): Promise<Hex> => `0x${'ff'.repeat(65)}`,
    ]) {
      const { message } = await call(browser, prepareSignIn, { address: alice.address, chainId })
      expect(await codeOf(call(browser, signIn, { message, signature: await sign(message) }))).toBe(
        'SIWE_SIGNATURE_INVALID',
      )
    }
    expect(await call(browser, getSession, {})).toEqual({ session: null })
  })

  test('behavior: of many at once one alone becomes a session', async () => {
    const browser = newBrowser(server)
    const { message } = await call(browser, prepareSignIn, { address: alice.address, chainId })
    const signature = await signed(message)
    const codes = await Promise.all(
      Array.from({ length: 8 }, () => codeOf(call(browser, signIn, { message, signature }))),
    )
    expect(codes.filter((code) => code === 'no error')).toHaveLength(1)
    expect(codes.filter((code) => code === 'SIWE_NONCE_USED')).toHaveLength(7)
  })

  test('behavior: a contract account (ERC-1271)', async () => {
    const browser = newBrowser(server)
    const { message } = await call(browser, prepareSignIn, { address: contractAccount, chainId })
    const { session } = await call(browser, signIn, { message, signature: await signed(message) })
    expect(session.address).toBe(contractAccount)
    const again = await call(browser, prepareSignIn, { address: contractAccount, chainId })
    const signature = await signed(again.message, bob)
    expect(await codeOf(call(browser, signIn, { message: again.message, signature }))).toBe('SIWE_SIGNATURE_INVALID')
  })

  test('error: SIWE_SIGNATURE_NOT_CHECKED when only the chain could tell; an own key needs none', async () => {
    for (const chainId of [DEAD_CHAIN, WRONG_CHAIN]) {
      const browser = newBrowser(server)
      const asked = await call(browser, prepareSignIn, { address: contractAccount, chainId })
      expect(
        await codeOf(call(browser, signIn, { message: asked.message, signature: await signed(asked.message) })),
      ).toBe('SIWE_SIGNATURE_NOT_CHECKED')
      await signInAs(server, alice, chainId)
    }
  })

  test('error: CHAIN_NOT_CONFIGURED', async () => {
    expect(await codeOf(call(newBrowser(server), prepareSignIn, { address: alice.address, chainId: 5 }))).toBe(
      'CHAIN_NOT_CONFIGURED',
    )
  })
})

describe('a message that waits for owners', () => {
  const byAddress = [alice, bob].sort((a, b) => (a.address.toLowerCase() < b.address.toLowerCase() ? -1 : 1))
  async function askForSafe() {
    const browser = newBrowser(server)
    const address = await newSafe(devnet.rpcUrl)
    const { message, expiresAt } = await call(browser, prepareSignIn, { address, chainId, waitsForOwners: true })
    const signature = await signedForSafe(address, message, alice)
    const both = concat(await Promise.all(byAddress.map((owner) => signedForSafe(address, message, owner))))
    return { browser, address, message, expiresAt, signature, both }
  }

  test('default: hours later, after attempts that were too early, exactly one session', async () => {
    const { browser, address, message, expiresAt, signature, both } = await askForSafe()
    expect(Date.parse(expiresAt) - Date.parse(/Issued At: (.*)/.exec(message)?.[1] ?? '')).toBe(DAY)
    for (const tooEarly of [signature, '0x'] as const)
      expect(await codeOf(call(browser, signIn, { message, signature: tooEarly }))).toBe('SIWE_SIGNATURE_INVALID')
    server.pass(20 * 60 * MINUTE)
    const codes = await Promise.all(
      Array.from({ length: 6 }, () => codeOf(call(browser, signIn, { message, signature: both }))),
    )
    expect(codes.sort()).toEqual([...Array(5).fill('SIWE_NONCE_USED'), 'no error'])
    expect(await call(browser, getSession, {})).toMatchObject({ session: { address } })
    expect(await codeOf(call(browser, signIn, { message, signature: both }))).toBe('SIWE_NONCE_USED')
  })

  test('error: SIWE_NONCE_FOREIGN in another browser, SIWE_MESSAGE_MISMATCH, SIWE_EXPIRED after a day', async () => {
    const { browser, message, both } = await askForSafe()
    const other = newBrowser(server)
    await call(other, prepareSignIn, { address: alice.address, chainId })
    expect(await codeOf(call(other, signIn, { message, signature: both }))).toBe('SIWE_NONCE_FOREIGN')
    expect(await codeOf(call(newBrowser(server), signIn, { message, signature: both }))).toBe('SIWE_NONCE_FOREIGN')
    expect(await codeOf(call(browser, signIn, { message: `${message}\nRequest ID: 1`, signature: both }))).toBe(
      'SIWE_MESSAGE_MISMATCH',
    )
    expect(await codeOf(call(browser, signIn, { message: `${message} `, signature: both }))).toBe(
      'SIWE_MESSAGE_MALFORMED',
    )
    server.pass(DAY)
    expect(await codeOf(call(browser, signIn, { message, signature: both }))).toBe('SIWE_EXPIRED')
  })

  test('behavior: the browser that waits is given its message again, until it is used or nearly over', async () => {
    const { browser, address, message, both } = await askForSafe()
    const ask = async (by = browser) =>
      (await call(by, prepareSignIn, { address, chainId, waitsForOwners: true })).message
    expect(await ask()).toBe(message)
    expect(await ask(newBrowser(server))).not.toBe(message)
    server.pass(DAY - 60 * MINUTE)
    const fresh = await ask()
    expect(fresh).not.toBe(message)
    await call(browser, signIn, { message, signature: both })
    expect(await ask()).toBe(fresh)
    const owners = await Promise.all(byAddress.map((owner) => signedForSafe(address, fresh, owner)))
    await call(browser, signIn, { message: fresh, signature: concat(owners) })
    expect([message, fresh]).not.toContain(await ask())
  })

  test('behavior: that it waits is kept for its browser: found after a reload, and gone once it is used or given up', async () => {
    const { browser, address, message, expiresAt, both } = await askForSafe()
    const waiting = async (by = browser, account = address) =>
      (await call(by, getWaitingSignIn, { address: account, chainId })).waiting
    const pending = { messageHash: hashMessage('x'), safeTxHash: null }
    // Asked for alone, it is waited for by nobody.
    expect(await waiting()).toBeNull()
    await call(browser, keepWaitingSignIn, { message, pending })
    expect(await waiting()).toEqual({ message, expiresAt, pending, collected: null })
    expect(await waiting(browser, alice.address)).toBeNull()
    const other = newBrowser(server)
    await call(other, prepareSignIn, { address, chainId, waitsForOwners: true })
    expect(await waiting(other)).toBeNull()
    expect(await waiting(newBrowser(server))).toBeNull()
    expect(await codeOf(call(other, keepWaitingSignIn, { message, pending: null }))).toBe('SIWE_NONCE_FOREIGN')
    const foreign = call(newBrowser(server), keepWaitingSignIn, { message, pending })
    expect(await codeOf(foreign)).toBe('SIWE_NONCE_FOREIGN')
    expect(await codeOf(call(browser, keepWaitingSignIn, { message: 'x', pending }))).toBe('SIWE_NONCE_UNKNOWN')
    server.pass(DAY)
    expect(await waiting()).toBeNull()
    server.pass(-DAY)
    await call(browser, signIn, { message, signature: both })
    expect(await waiting()).toBeNull()
    expect(await codeOf(call(browser, keepWaitingSignIn, { message, pending }))).toBe('SIWE_NONCE_USED')
    const another = await askForSafe()
    const asked = { message: another.message, pending }
    await call(another.browser, keepWaitingSignIn, asked)
    await call(another.browser, keepWaitingSignIn, { ...asked, pending: null })
    expect(await waiting(another.browser, another.address)).toBeNull()
    // Given up it is over: a late answer of the wallet does not bring it back.
    expect(await codeOf(call(another.browser, keepWaitingSignIn, asked))).toBe('SIWE_REFUSED')
  })

  test('error: NOT_A_CONTRACT_ACCOUNT, and CHAIN_UNREACHABLE when the node cannot tell', async () => {
    const ask = (address: Address, onChain: number) =>
      codeOf(call(newBrowser(server), prepareSignIn, { address, chainId: onChain, waitsForOwners: true }))
    expect(await ask(alice.address, chainId)).toBe('NOT_A_CONTRACT_ACCOUNT')
    expect(await ask(contractAccount, DEAD_CHAIN)).toBe('CHAIN_UNREACHABLE')
  })
})

describe('time', () => {
  test('error: SIWE_EXPIRED, SESSION_EXPIRED idle', async () => {
    const browser = newBrowser(server)
    const { message } = await call(browser, prepareSignIn, { address: alice.address, chainId })
    server.pass(10 * MINUTE)
    expect(await codeOf(call(browser, signIn, { message, signature: await signed(message) }))).toBe('SIWE_EXPIRED')
    const signedIn = await signInAs(server, alice)
    for (let week = 0; week < 4; week += 1) {
      server.pass(6 * DAY)
      await call(signedIn, listSafes, {})
    }
    server.pass(7 * DAY)
    expect(await codeOf(call(signedIn, listSafes, {}))).toBe('SESSION_EXPIRED')
    expect(await call(signedIn, getSession, {})).toMatchObject({ session: null, ended: { reason: 'expired' } })
  })

  test('error: SESSION_EXPIRED after 30 days, however busy', async () => {
    const signedIn = await signInAs(server, alice)
    for (let day = 0; day < 29; day += 1) {
      server.pass(DAY)
      await call(signedIn, listSafes, {})
    }
    server.pass(DAY)
    expect(await codeOf(call(signedIn, listSafes, {}))).toBe('SESSION_EXPIRED')
  })
})
