import {
  addSafe,
  type ClientOptions,
  call,
  callNode,
  confirmTransaction,
  createApiToken,
  getSafe,
  getSession,
  type Input,
  listApiTokens,
  listQueue,
  listSafes,
  listSessions,
  prepareSignIn,
  proposeTransaction,
  revokeApiToken,
  signIn,
  type TokenScope,
} from '@countersign/contract'
import { demoAccounts, deployContractAccount } from '@countersign/devnet'
import { sql } from 'drizzle-orm'
import type { Address } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { beforeAll, describe, expect, test } from 'vitest'
import { devnet, openScene, server } from '../../test/scene.ts'
import {
  type Browser,
  codeOf,
  devnetChain,
  eventually,
  newBrowser,
  newSafe,
  signedTx,
  signInAs,
} from '../../test/test-server.ts'
import { removeExpiredTokens } from './tokens.ts'

const [alice, bob, , stranger] = demoAccounts
const chainId = 31337
const OTHER_CHAIN = 31338
const MINUTE = 60_000
const DAY = 86_400_000

let contractAccount: Address
let safeAddress: Address
let browser: Browser

openScene([], () => ({
  chains: [devnetChain(devnet.rpcUrl), devnetChain(devnet.rpcUrl, OTHER_CHAIN)],
}))

beforeAll(async () => {
  contractAccount = await deployContractAccount(devnet.rpcUrl, demoAccounts[9].address, bob.address)
  browser = await signInAs(server, alice)
  safeAddress = await newSafe(devnet.rpcUrl)
  await call(browser, addSafe, { chainId, address: safeAddress })
})

/** A script: no cookies, no Origin. */
function script(token: string): ClientOptions {
  return { baseUrl: server.origin, headers: { authorization: `Bearer ${token}` } }
}

async function make(
  as: ClientOptions = browser,
  input: Partial<Input<typeof createApiToken>> = {},
): Promise<{ id: string; token: string; script: ClientOptions }> {
  const { token, apiToken } = await call(as, createApiToken, {
    name: 'Nightly',
    scopes: ['read'],
    expiresAt: null,
    ...input,
  })
  return { id: apiToken.id, token, script: script(token) }
}

async function find(id: string, as: ClientOptions = browser) {
  return (await call(as, listApiTokens, {})).tokens.find((token) => token.id === id)
}

async function signInAsContract(): Promise<Browser> {
  const signedIn = newBrowser(server)
  const { message } = await call(signedIn, prepareSignIn, { address: contractAccount, chainId })
  const signature = await privateKeyToAccount(bob.privateKey).signMessage({ message })
  await call(signedIn, signIn, { message, signature })
  return signedIn
}

const later = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString()

describe('createApiToken', () => {
  test('default: shown once, kept as its hash alone, and good for what its scope says', async () => {
    const expiresAt = later(DAY)
    const { token, id } = await make(browser, { scopes: ['confirm', 'read', 'read'], expiresAt })
    expect(token).toMatch(/^csn_[\w-]{43}$/)
    expect(await find(id)).toEqual({
      id,
      name: 'Nightly',
      scopes: ['read', 'confirm'],
      chainId,
      createdAt: expect.any(String),
      expiresAt,
      lastUsedAt: null,
      lastUsedFrom: null,
    })
    const { rows } = await server.db.execute(sql`select * from api_token`)
    expect(JSON.stringify(rows)).not.toContain(token.slice(4))
    expect(server.logged.join()).not.toContain(token.slice(4))
    const { safes } = await call(script(token), listSafes, {})
    expect(safes).toMatchObject([{ address: safeAddress, role: 'owner' }])
  })

  test.each([
    ['an empty name', { name: '  ' }, 'name'],
    ['a name that turns around what stands beside it', { name: 'a\u202eb' }, 'name'],
    ['a name of 51 characters', { name: 'a'.repeat(51) }, 'name'],
    ['no scope', { scopes: [] }, 'scopes'],
    ['a scope that there is not', { scopes: ['execute' as TokenScope] }, 'scopes'],
    ['an end in the past', { expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
    ['an end that is no time', { expiresAt: 'tomorrow' }, 'expiresAt'],
  ])('error: INVALID_REQUEST for %s', async (_, input, path) => {
    const failed = await make(browser, input).catch((error: unknown) => error)
    expect(failed).toMatchObject({
      code: 'INVALID_REQUEST',
      data: { errors: [{ path: expect.stringMatching(`^${path}`) }] },
    })
  })

  test('error: TOO_MANY at the 51st, also of many at a time; expired ones do not count', async () => {
    const his = await signInAs(server, stranger)
    await make(his, { expiresAt: later(MINUTE) })
    server.pass(2 * MINUTE)
    const codes = await Promise.all(Array.from({ length: 55 }, () => codeOf(make(his))))
    expect(codes.filter((code) => code === 'no error')).toHaveLength(50)
    expect(codes.filter((code) => code === 'TOO_MANY')).toHaveLength(5)
    server.pass(-2 * MINUTE)
  })

  test('behavior: of a contract account: for thirty days at the most, and for its chain alone', async () => {
    const contract = await signInAsContract()
    expect(await codeOf(make(contract, { expiresAt: later(31 * DAY) }))).toBe('INVALID_REQUEST')
    const { id, script: as } = await make(contract)
    const end = new Date((await find(id, contract))?.expiresAt ?? 0).getTime()
    expect(Math.abs(end - Date.now() - 30 * DAY)).toBeLessThan(MINUTE)
    expect(await codeOf(call(as, getSafe, { chainId, safeAddress }))).toBe('SAFE_NOT_FOUND')
    expect(await codeOf(call(as, getSafe, { chainId: OTHER_CHAIN, safeAddress }))).toBe('ACCOUNT_ON_OTHER_CHAIN')
    // It outlives the session that made it.
    server.pass(2 * DAY)
    expect(await codeOf(call(contract, listSafes, {}))).toBe('SESSION_EXPIRED')
    await call(as, listSafes, {})
    server.pass(28 * DAY)
    expect(await codeOf(call(as, listSafes, {}))).toBe('TOKEN_EXPIRED')
    server.pass(-30 * DAY)
  })
})

describe('a request with an API token', () => {
  test('behavior: needs neither Origin nor cookies, and cookies count for nothing beside it', async () => {
    const { script: as } = await make(browser, { scopes: ['read', 'propose'] })
    await call(as, addSafe, { chainId, address: safeAddress })
    const his = await signInAs(server, bob)
    const both = { ...his, headers: { ...his.headers, ...as.headers } }
    expect((await call(both, listSafes, {})).safes).toMatchObject([{ role: 'owner', address: safeAddress }])
    expect(await codeOf(call(both, listSessions, {}))).toBe('SESSION_REQUIRED')
    // With cookies it may be a browser, and another site may have sent it.
    const foreign = { ...both, headers: { ...both.headers, origin: 'https://evil.example' } }
    expect(await codeOf(call(foreign, addSafe, { chainId, address: safeAddress }))).toBe('WRONG_ORIGIN')
    expect(await call(as, getSession, {})).toEqual({ session: null })
  })

  test('behavior: what a proxy in front adds is not taken for one', async () => {
    for (const authorization of ['Bearer eyJhbGciOi', 'Basic YWxhZGRpbjpvcGVu', 'Token csn_x', 'csn_x'])
      expect(
        (await call({ ...browser, headers: { ...browser.headers, authorization } }, listSafes, {})).safes,
      ).toHaveLength(1)
    expect(
      await codeOf(call({ baseUrl: server.origin, headers: { authorization: 'Bearer abc' } }, listSafes, {})),
    ).toBe('NOT_SIGNED_IN')
  })

  test('error: TOKEN_UNKNOWN, also beside a session; the token is not repeated', async () => {
    const unknown = script(`csn_${'A'.repeat(43)}`)
    const failed = await call(unknown, listSafes, {}).catch((error: unknown) => error)
    expect(failed).toMatchObject({ code: 'TOKEN_UNKNOWN' })
    expect(String(failed)).not.toContain('AAAA')
    expect(await codeOf(call({ ...browser, headers: { ...browser.headers, ...unknown.headers } }, listSafes, {}))).toBe(
      'TOKEN_UNKNOWN',
    )
  })

  test('error: TOKEN_EXPIRED; still listed, and removed after thirty days', async () => {
    const { id, script: as } = await make(browser, { expiresAt: later(2 * MINUTE) })
    await call(as, listSafes, {})
    server.pass(3 * MINUTE)
    expect(await codeOf(call(as, listSafes, {}))).toBe('TOKEN_EXPIRED')
    expect(await find(id)).toMatchObject({ id })
    const at = (milliseconds: number) => ({ db: server.db, clock: () => new Date(Date.now() + milliseconds) })
    await removeExpiredTokens(at(29 * DAY))
    expect(await find(id)).toBeDefined()
    await removeExpiredTokens(at(31 * DAY))
    expect(await find(id)).toBeUndefined()
    server.pass(-3 * MINUTE)
  })

  test('error: SCOPE_MISSING: each scope is for its own', async () => {
    const proposal = async (nonce: bigint) => ({
      chainId,
      safeAddress,
      ...(await signedTx(safeAddress, alice, { nonce })),
    })
    const [read, propose, confirm] = await Promise.all(
      (['read', 'propose', 'confirm'] as const).map(async (scope) => (await make(browser, { scopes: [scope] })).script),
    )
    if (!read || !propose || !confirm) throw new Error('unreachable')
    const first = await proposal(0n)
    for (const as of [read, confirm]) expect(await codeOf(call(as, proposeTransaction, first))).toBe('SCOPE_MISSING')
    await call(propose, proposeTransaction, first)
    const { safeTxHash, signature } = first
    for (const as of [read, propose])
      expect(await codeOf(call(as, confirmTransaction, { chainId, safeTxHash, signature }))).toBe('SCOPE_MISSING')
    await call(confirm, confirmTransaction, { chainId, safeTxHash, signature })
    for (const as of [propose, confirm])
      expect(await codeOf(call(as, listQueue, { chainId, safeAddress }))).toBe('SCOPE_MISSING')
    expect((await call(read, listQueue, { chainId, safeAddress })).transactions).toMatchObject([{ safeTxHash }])
  })

  test('error: SAFE_NOT_FOUND on a Safe of others, as if it were not there', async () => {
    const his = await make(await signInAs(server, demoAccounts[8]), { scopes: ['read', 'propose', 'confirm'] })
    const { safeTxHash, ...proposal } = await signedTx(safeAddress, alice, { nonce: 0n })
    expect(await codeOf(call(his.script, getSafe, { chainId, safeAddress }))).toBe('SAFE_NOT_FOUND')
    expect(await codeOf(call(his.script, listQueue, { chainId, safeAddress }))).toBe('SAFE_NOT_FOUND')
    const { signature } = proposal
    expect(await codeOf(call(his.script, confirmTransaction, { chainId, safeTxHash, signature }))).toBe(
      'TRANSACTION_NOT_FOUND',
    )
  })

  test('error: RATE_LIMITED by token: another one of the same account goes on', async () => {
    const [busy, calm] = [await make(), await make()]
    const batch = Array.from({ length: 100 }, (_, id) => ({ jsonrpc: '2.0' as const, id, method: 'eth_chainId' }))
    const ask = (as: ClientOptions) => codeOf(call(as, callNode, { chainId, body: batch }))
    const codes = await Promise.all(Array.from({ length: 30 }, () => ask(busy.script)))
    expect(new Set(codes)).toEqual(new Set(['no error', 'RATE_LIMITED']))
    expect(await ask(calm.script)).toBe('no error')
  })

  test('behavior: last use, with its address, is written at most once a minute', async () => {
    const { id, script: as } = await make()
    await call(as, listSafes, {})
    const first = await find(id)
    expect(first).toMatchObject({ lastUsedFrom: '127.0.0.1', lastUsedAt: expect.any(String) })
    server.pass(30_000)
    await call(as, listSafes, {})
    expect((await find(id))?.lastUsedAt).toBe(first?.lastUsedAt)
    server.pass(31_000)
    await call(as, listSafes, {})
    expect(Date.parse((await find(id))?.lastUsedAt ?? '') - Date.parse(first?.lastUsedAt ?? '')).toBeGreaterThan(60_000)
    server.pass(-61_000)
  })
})

describe('revokeApiToken', () => {
  test('default: ends it at once, with its live streams', async () => {
    const { id, script: as } = await make()
    const response = await fetch(`${server.origin}/api/events`, { headers: as.headers ?? {} })
    expect(response.status).toBe(200)
    let received = ''
    const ended = (async () => {
      for await (const chunk of response.body ?? []) received += new TextDecoder().decode(chunk)
    })()
    const { safeTxHash, ...rest } = await signedTx(safeAddress, alice, { nonce: 7n })
    await call(browser, proposeTransaction, { chainId, safeAddress, safeTxHash, ...rest })
    await eventually(async () => received.includes(safeTxHash))
    await call(browser, revokeApiToken, { id })
    await ended
    expect(await codeOf(call(as, listSafes, {}))).toBe('TOKEN_UNKNOWN')
    expect(await find(id)).toBeUndefined()
  })

  test('error: TOKEN_NOT_FOUND for one of somebody else, which goes on', async () => {
    const his = await make(await signInAs(server, bob))
    expect(await codeOf(call(browser, revokeApiToken, { id: his.id }))).toBe('TOKEN_NOT_FOUND')
    await call(his.script, listSafes, {})
    expect(await find(his.id)).toBeUndefined()
  })

  test('error: SESSION_REQUIRED: no token makes, lists or ends tokens', async () => {
    const { id, script: as } = await make(browser, { scopes: ['read', 'propose', 'confirm'] })
    expect(await codeOf(make(as))).toBe('SESSION_REQUIRED')
    expect(await codeOf(call(as, listApiTokens, {}))).toBe('SESSION_REQUIRED')
    expect(await codeOf(call(as, revokeApiToken, { id }))).toBe('SESSION_REQUIRED')
  })
})
