import { type ClientOptions, call, getSession, keepWaitingSignIn, prepareSignIn, signIn } from '@countersign/contract'
import { deployContractAccount } from '@countersign/devnet'
import { sql } from 'drizzle-orm'
import type { Address, Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toBytes } from '../../db/columns.ts'
import { alice, bob, chainId, dave, devnet, openChain } from '../../test/scene.ts'
import { type ScriptedNode, startScriptedNode } from '../../test/scripted-node.ts'
import {
  type Browser,
  codeOf,
  devnetChain,
  newBrowser,
  newSafe,
  signedForSafe,
  startTestServer,
  type TestServer,
} from '../../test/test-server.ts'

/* Floods of sign-ins that name one address. None keeps its owner out, and none opens a session for anybody else. */

const OTHER_CHAIN = 31338
/** More than one network may send at once. */
const MANY = 130

let node: ScriptedNode
let server: TestServer
let safeAddress: Address
let wallet: Address

openChain()

beforeAll(async () => {
  node = await startScriptedNode(devnet.rpcUrl)
  safeAddress = await newSafe(devnet.rpcUrl, { owners: [alice.address], threshold: 1 })
  wallet = await deployContractAccount(devnet.rpcUrl, dave.address, alice.address)
  server = await startTestServer({
    chains: [devnetChain(node.url), devnetChain(node.url, OTHER_CHAIN)],
    trustedProxies: ['127.0.0.1'],
  })
})
afterAll(async () => {
  await server?.stop()
  await node?.close()
})

/** A new browser behind a network of its own, or behind a given one. */
function browserIn(network: string): Browser {
  const browser = newBrowser(server)
  return { ...browser, headers: { ...browser.headers, 'x-forwarded-for': network } }
}

const ofMany = (at: number, third = 0) => `198.51.${third}.${at % 250}`
const many = (attempt: (at: number) => Promise<unknown>) =>
  Promise.all(Array.from({ length: MANY }, (_, at) => attempt(at)))

const prepare = (browser: ClientOptions, address: Address, on = chainId, waitsForOwners = false) =>
  call(browser, prepareSignIn, { address, chainId: on, waitsForOwners })
const sent = (browser: ClientOptions, message: string, signature: Hex) =>
  codeOf(call(browser, signIn, { message, signature }))
const key = privateKeyToAccount(alice.privateKey)
const mallory = privateKeyToAccount(bob.privateKey)

/** Asks for a message for the address and answers it with what `sign` makes of it. */
async function attemptWith(at: number, third: number, address: Address, sign: (message: string) => Promise<Hex>) {
  const browser = browserIn(ofMany(at, third))
  const prepared = await prepare(browser, address).catch(() => null)
  return prepared && sent(browser, prepared.message, await sign(prepared.message))
}

async function countSessions(address: Address): Promise<number> {
  const { rows } = await server.db.execute<{ count: number }>(
    sql`select count(*)::int as count from session where address = ${toBytes(address)}`,
  )
  return rows[0]?.count ?? -1
}

type Owned = { address: Address; sign: (message: string) => Promise<Hex> }
const withKey = (): Owned => ({ address: alice.address, sign: (message) => key.signMessage({ message }) })
const asSafe = (): Owned => ({
  address: safeAddress,
  sign: (message) => signedForSafe(safeAddress, message, alice),
})
const asWallet = (): Owned => ({ address: wallet, sign: (message) => key.signMessage({ message }) })

describe('sign-ins for one address', () => {
  test.each<[string, () => Owned, (address: Address) => Promise<unknown>]>([
    [
      'messages, from a network each',
      withKey,
      (address) => many((at) => prepare(browserIn(ofMany(at, 1)), address).catch(() => null)),
    ],
    [
      'messages, from one network with a browser each',
      withKey,
      (address) => many(() => prepare(browserIn('203.0.113.1'), address).catch(() => null)),
    ],
    [
      'messages, from one browser',
      withKey,
      (address) => {
        const browser = browserIn('203.0.113.2')
        return many(() => prepare(browser, address).catch(() => null))
      },
    ],
    [
      'messages, on one chain after the other',
      withKey,
      (address) =>
        many((at) => prepare(browserIn(ofMany(at, 2)), address, at % 2 ? chainId : OTHER_CHAIN).catch(() => null)),
    ],
    [
      'messages, with the address in another case each time',
      withKey,
      (address) =>
        many((at) => {
          const letters = [...address].map((letter, place) =>
            place > 1 && place % (at + 2) === 0 ? letter.toUpperCase() : letter.toLowerCase(),
          )
          return prepare(browserIn(ofMany(at, 3)), letters.join('') as Address).catch(() => null)
        }),
    ],
    [
      'signatures by another key',
      withKey,
      (address) => many((at) => attemptWith(at, 4, address, (message) => mallory.signMessage({ message }))),
    ],
    [
      'signatures as long as they may be',
      withKey,
      (address) => many((at) => attemptWith(at, 5, address, async () => `0x${'ab'.repeat(16_384)}`)),
    ],
    [
      'signatures that no key can have made',
      withKey,
      (address) => many((at) => attemptWith(at, 6, address, async () => `0x${'ff'.repeat(64)}1b`)),
    ],
    [
      'the message of the owner, in browsers that did not ask for it',
      withKey,
      async (address) => {
        const { message } = await prepare(browserIn('192.0.2.77'), address)
        const signature = await key.signMessage({ message })
        const codes = await many(async (at) => {
          const browser = browserIn(ofMany(at, 7))
          await prepare(browser, address).catch(() => null)
          return sent(browser, message, signature)
        })
        expect(codes).not.toContain('no error')
      },
    ],
    [
      'what the owner has signed for another page',
      withKey,
      (address) =>
        many((at) =>
          attemptWith(at, 8, address, (message) => {
            const elsewhere = message.replace(/^\S+/, 'elsewhere.example')
            return key.signMessage({ message: elsewhere })
          }),
        ),
    ],
    [
      'contract signatures that a wallet has to be asked about',
      asWallet,
      (address) => many((at) => attemptWith(at, 9, address, (message) => mallory.signMessage({ message }))),
    ],
    [
      'signatures as a Safe, by somebody who is no owner',
      asSafe,
      (address) => many((at) => attemptWith(at, 10, address, (message) => signedForSafe(address, message, bob))),
    ],
    [
      'messages that wait for the owners of a Safe',
      asSafe,
      (address) =>
        many(async (at) => {
          const browser = browserIn(ofMany(at % 3, 11))
          const prepared = await prepare(browser, address, chainId, true).catch(() => null)
          const pending = { messageHash: null, safeTxHash: null }
          if (prepared) await codeOf(call(browser, keepWaitingSignIn, { message: prepared.message, pending }))
        }),
    ],
  ])('behavior: a flood of %s keeps nobody out', async (_, owned, attack) => {
    const { address, sign } = owned()
    const before = await countSessions(address)
    const network = `192.0.2.${before + 1}`
    const flood = attack(address)
    const home = browserIn(network)
    const { message } = await prepare(home, address)
    expect(await sent(home, message, await sign(message))).toBe('no error')
    await flood
    expect((await call(home, getSession, {})).session?.address).toBe(address)
    expect(await countSessions(address)).toBe(before + 1)
  })
})
