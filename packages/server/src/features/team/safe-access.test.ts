import {
  addSafe,
  call,
  createApiToken,
  endSafeAccess,
  getSession,
  getWaitingSignIn,
  inviteViewer,
  keepWaitingSignIn,
  listActivity,
  listNames,
  listSafeAccess,
  listSignInRequests,
  prepareSignIn,
  refuseSignIn,
  signIn,
} from '@countersign/contract'
import { eq } from 'drizzle-orm'
import { type Address, concat, type Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { session } from '../../db/schema.ts'
import {
  alice,
  asAlice,
  asBob,
  asDave,
  asStranger,
  bob,
  chainId,
  dave,
  devnet,
  openTeam,
  server,
} from '../../test/scene.ts'
import { codeOf, newBrowser, newSafe, signedForSafe, signInAs, signInAsSafe } from '../../test/test-server.ts'

openTeam()

/** A Safe of alice and bob that asks for both. */
async function safeOfTwo(): Promise<Address> {
  const safeAddress = await newSafe(devnet.rpcUrl, { owners: [alice.address, bob.address], threshold: 2 })
  await call(asAlice, addSafe, { chainId, address: safeAddress })
  return safeAddress
}

/** A browser that waits, and the signature of both owners. */
async function wait(safeAddress: Address) {
  const browser = newBrowser(server)
  const { message } = await call(browser, prepareSignIn, { address: safeAddress, chainId, waitsForOwners: true })
  await call(browser, keepWaitingSignIn, { message, pending: { messageHash: null, safeTxHash: null } })
  const owners = [alice, bob].toSorted((one, other) =>
    one.address.toLowerCase() < other.address.toLowerCase() ? -1 : 1,
  )
  const signature: Hex = concat(await Promise.all(owners.map((owner) => signedForSafe(safeAddress, message, owner))))
  const nonce = /Nonce: (.*)/.exec(message)?.[1] ?? ''
  return { browser, message, signature, nonce, place: { chainId, safeAddress, nonce } }
}

const shownBy = (token: string) => ({ baseUrl: server.origin, headers: { authorization: `Bearer ${token}` } })

describe('refuseSignIn', () => {
  test('default: any owner can refuse, and nobody can complete the sign-in; the waiting browser gets the error and can ask again', async () => {
    const safeAddress = await safeOfTwo()
    const { browser, message, signature, nonce, place } = await wait(safeAddress)
    // Enough have signed: it lacks nothing but the browser's next question.
    await call(asBob, refuseSignIn, place)
    expect(await codeOf(call(browser, signIn, { message, signature }))).toBe('SIWE_REFUSED')
    const pending = { messageHash: null, safeTxHash: null }
    expect(await codeOf(call(browser, keepWaitingSignIn, { message, pending }))).toBe('SIWE_REFUSED')
    // To give it up, too, fails nobody.
    await call(browser, keepWaitingSignIn, { message, pending: null })
    const asked = { address: safeAddress, chainId }
    expect(await call(browser, getWaitingSignIn, asked)).toEqual({
      waiting: null,
      refused: { nonce, at: expect.any(String) },
    })
    expect(await call(newBrowser(server), getWaitingSignIn, asked)).toEqual({ waiting: null })
    expect((await call(asAlice, listSignInRequests, place)).requests).toEqual([])
    const { entries } = await call(asAlice, listActivity, { chainId, safeAddress })
    expect(entries[0]).toMatchObject({ verb: 'refused-sign-in', account: bob.address })
    const again = await call(browser, prepareSignIn, { ...asked, waitsForOwners: true })
    expect(again.message).not.toBe(message)
    expect((await call(browser, getWaitingSignIn, asked)).refused).toBeUndefined()
  })

  test('behavior: of a refusal and concurrent sign-ins exactly one succeeds', async () => {
    const safeAddress = await safeOfTwo()
    for (let round = 0; round < 4; round += 1) {
      const { browser, message, signature, place } = await wait(safeAddress)
      const [refused, ...signedIn] = await Promise.all([
        codeOf(call(asAlice, refuseSignIn, place)),
        ...Array.from({ length: 3 }, () => codeOf(call(browser, signIn, { message, signature }))),
      ])
      const isOpen = (await call(browser, getSession, {})).session !== null
      expect(signedIn.includes('no error')).toBe(isOpen)
      expect(refused).toBe(isOpen ? 'SIGN_IN_REQUEST_NOT_FOUND' : 'no error')
    }
  })

  test('error: SIGN_IN_REQUEST_NOT_FOUND if the sign-in is used, refused or for another Safe', async () => {
    const safeAddress = await safeOfTwo()
    const used = await wait(safeAddress)
    await call(used.browser, signIn, { message: used.message, signature: used.signature })
    expect(await codeOf(call(asAlice, refuseSignIn, used.place))).toBe('SIGN_IN_REQUEST_NOT_FOUND')
    const twice = await wait(safeAddress)
    await call(asAlice, refuseSignIn, twice.place)
    expect(await codeOf(call(asBob, refuseSignIn, twice.place))).toBe('SIGN_IN_REQUEST_NOT_FOUND')
    const other = await wait(safeAddress)
    const elsewhere = { ...other.place, safeAddress: await safeOfTwo() }
    expect(await codeOf(call(asAlice, refuseSignIn, elsewhere))).toBe('SIGN_IN_REQUEST_NOT_FOUND')
    await call(other.browser, signIn, { message: other.message, signature: other.signature })
  })

  test('error: NOT_AN_OWNER for the Safe itself and its viewers', async () => {
    const safeAddress = await safeOfTwo()
    await call(asAlice, inviteViewer, { chainId, safeAddress, account: dave.address, label: 'D' })
    const asSafe = await signInAsSafe(server, safeAddress, [alice, bob])
    const { place } = await wait(safeAddress)
    for (const by of [asSafe, asDave]) expect(await codeOf(call(by, refuseSignIn, place))).toBe('NOT_AN_OWNER')
    expect(await codeOf(call(asStranger, refuseSignIn, place))).toBe('SAFE_NOT_FOUND')
  })
})

describe('listSafeAccess', () => {
  test('default: lists sessions and tokens of the Safe, with place, time and signers, and none of other accounts', async () => {
    const safeAddress = await newSafe(devnet.rpcUrl, { owners: [alice.address, bob.address], threshold: 1 })
    await call(asAlice, addSafe, { chainId, address: safeAddress })
    const place = { chainId, safeAddress }
    expect(await call(asAlice, listSafeAccess, place)).toEqual({ access: [] })
    await signInAs(server, alice)
    await signInAsSafe(server, await safeOfTwo(), [alice, bob])
    const asSafe = await signInAsSafe(server, safeAddress, [bob])
    await call(asSafe, createApiToken, { name: 'export', scopes: ['read'], expiresAt: null })
    const [token, opened, ...more] = (await call(asAlice, listSafeAccess, place)).access
    expect(more).toEqual([])
    const facts = { signers: [bob.address], browser: 'Node.js', clientAddress: '127.0.0.1', suspendedSince: null }
    expect(token).toMatchObject({ ...facts, token: { name: 'export', scopes: ['read'] }, lastUsedAt: null })
    expect(opened).toMatchObject({ ...facts, token: null, lastUsedAt: expect.any(String), isFramed: false })
    // By those who signed, and by the Safe itself as its own sessions.
    expect(await codeOf(call(asSafe, listSafeAccess, place))).toBe('NOT_AN_OWNER')
  })
})

describe('endSafeAccess', () => {
  test('default: one owner is enough, and the streams end too', async () => {
    const safeAddress = await safeOfTwo()
    const place = { chainId, safeAddress }
    const asSafe = await signInAsSafe(server, safeAddress, [alice, bob])
    const made = await call(asSafe, createApiToken, { name: 'x', scopes: ['read'], expiresAt: null })
    const streams = await Promise.all([
      asSafe.fetch(`${server.origin}/api/events`),
      fetch(`${server.origin}/api/events`, { headers: shownBy(made.token).headers }),
    ])
    for (const { id } of (await call(asBob, listSafeAccess, place)).access) {
      await call(asBob, endSafeAccess, { ...place, id })
      expect(await codeOf(call(asBob, endSafeAccess, { ...place, id }))).toBe('SESSION_NOT_FOUND')
    }
    for (const stream of streams) await stream.text()
    expect(await call(asSafe, getSession, {})).toMatchObject({ session: null, ended: { reason: 'revoked-by-owner' } })
    expect(await codeOf(call(asSafe, listNames, place))).toBe('SESSION_REVOKED')
    expect(await codeOf(call(shownBy(made.token), listNames, place))).toBe('TOKEN_UNKNOWN')
    expect((await call(asAlice, listSafeAccess, place)).access).toEqual([])
    const { entries } = await call(asAlice, listActivity, place)
    expect(entries.filter(({ verb }) => verb === 'ended-access').map(({ account }) => account)).toEqual([
      bob.address,
      bob.address,
    ])
  })

  test('error: SESSION_NOT_FOUND for an owner’s own session, and for one of another Safe', async () => {
    const safeAddress = await safeOfTwo()
    const other = await safeOfTwo()
    const asOther = await signInAsSafe(server, other, [alice, bob])
    const rows = await server.db.select({ id: session.id }).from(session).where(eq(session.address, bob.address))
    const { access } = await call(asAlice, listSafeAccess, { chainId, safeAddress: other })
    for (const { id } of [...rows, ...access])
      expect(await codeOf(call(asAlice, endSafeAccess, { chainId, safeAddress, id }))).toBe('SESSION_NOT_FOUND')
    expect((await call(asOther, getSession, {})).session).not.toBeNull()
  })

  test('behavior: a session cannot create a token while it is being ended', async () => {
    const safeAddress = await safeOfTwo()
    const place = { chainId, safeAddress }
    const asSafe = await signInAsSafe(server, safeAddress, [alice, bob])
    const [opened] = (await call(asAlice, listSafeAccess, place)).access
    await Promise.all([
      call(asAlice, endSafeAccess, { ...place, id: opened?.id ?? '' }),
      ...[1, 2, 3].map((name) =>
        codeOf(call(asSafe, createApiToken, { name: `${name}`, scopes: ['read'], expiresAt: null })),
      ),
    ])
    const before = (await call(asAlice, listSafeAccess, place)).access.length
    expect(await codeOf(call(asSafe, createApiToken, { name: '4', scopes: ['read'], expiresAt: null }))).toBe(
      'SESSION_REVOKED',
    )
    // A token from before the end is listed, and so can be ended.
    expect((await call(asAlice, listSafeAccess, place)).access).toHaveLength(before)
  })
})
