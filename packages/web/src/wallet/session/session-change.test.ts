import { listSafes, type Session } from '@countersign/contract'
import { CountersignError } from '@countersign/safe'
import type { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { api, refuseWrites } from '../../api/client.ts'
import { createQueryClient } from '../../api/query-client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { disconnectWallet, showWaiting, takeConnection } from '../connectors/connection.ts'
import type { Connector, WalletChange } from '../connectors/connector.ts'
import { endSession, sessionQuery, signOut, writeRefusal } from './session.ts'
import { mustBeThere } from './signer.ts'
import { verifier } from './verify-once.ts'

const anna = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const bruno = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

type Asked = { what: string; signal: AbortSignal | null; answer: (body: object, status?: number) => Promise<void> }

/** Waits until pending promises have continued. */
const settled = () => new Promise((resolve) => setImmediate(resolve))

/** A server that answers when the test tells it to, in any order. */
function startScripted() {
  const asked: Asked[] = []
  const send = (path: string, { method = 'GET', signal = null }: RequestInit = {}) =>
    new Promise<Response>((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason))
      const answer = async (body: object, status = 200) => {
        resolve(new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } }))
        await settled()
      }
      asked.push({ what: `${method} ${path}`, signal, answer })
    })
  vi.stubGlobal('fetch', send)
  const find = (what: string, nth = 0): Asked => {
    const found = asked.filter((request) => request.what === what)[nth]
    if (!found) throw new Error(`${what} was not asked; asked: ${asked.map(({ what }) => what).join(', ')}`)
    return found
  }
  return { asked, find }
}

function createWallet() {
  let tell: (change: WalletChange) => void = () => {}
  const connector: Connector = {
    id: 'fox',
    name: 'Fox',
    asksIn: 'extension',
    connect: async () => ({ accounts: [anna], chainId: 1 }),
    reconnect: async () => null,
    disconnect: async () => {},
    getProvider: () => ({ request: async () => null }),
    listen: (listener) => {
      tell = listener
      return () => {}
    },
  }
  return { connector, tell: (change: WalletChange) => tell(change) }
}

const sessionOf = (address: typeof anna | typeof bruno): Session => ({
  address,
  chainId: 1,
  provenBy: 'key',
  createdAt: '2026-01-01T00:00:00Z',
  expiresAt: '2026-02-01T00:00:00Z',
})

function openPage() {
  const server = startScripted()
  const wallet = createWallet()
  const queries = createQueryClient({ onSessionEnded: (error) => endSession(queries, error) })
  const verify = verifier(queries)
  const signInAs = (account: typeof anna | typeof bruno) => {
    const target = { connectorId: 'fox', account, chainId: 1 }
    const outcome = verify(target, { message: `as ${account}`, signature: '0x12' }, new AbortController().signal)
    return outcome.then(
      () => 'signed in',
      (error: CountersignError) => error.code,
    )
  }
  return {
    ...server,
    wallet,
    queries,
    signInAs,
    who: () => queries.getQueryData(sessionQuery.queryKey)?.session?.address,
  }
}

/** Asks for what no change of the session takes back. */
const write = (queries: QueryClient) =>
  queries
    .getMutationCache()
    .build(queries, { mutationFn: () => api(listSafes, {}) })
    .execute(undefined)
    .catch((error: CountersignError) => error.code)

beforeEach(() => {
  const page = new EventTarget()
  vi.stubGlobal('window', Object.assign(page, { parent: page }))
})
afterEach(() => {
  showWaiting(false)
  disconnectWallet()
  refuseWrites(null)
  vi.unstubAllGlobals()
})

describe('late answers about the session', () => {
  test('behavior: of two sign-ins the newer one wins, and the older is cancelled', async () => {
    const { find, signInAs, who } = openPage()
    const older = signInAs(anna)
    const newer = signInAs(bruno)
    await settled()
    expect(find('POST /api/session').signal?.aborted).toBe(true)
    await find('POST /api/session', 1).answer({ session: sessionOf(bruno) })
    await find('POST /api/session').answer({ session: sessionOf(anna) })
    expect([await older, await newer]).toEqual(['NOT_SIGNED_IN', 'signed in'])
    expect(who()).toBe(bruno)
  })

  test('behavior: the same message again waits for the first answer, and is neither sent nor cancelled', async () => {
    const { asked, find, signInAs, who } = openPage()
    const both = [signInAs(anna), signInAs(anna)]
    await settled()
    expect(asked).toHaveLength(1)
    await find('POST /api/session').answer({ session: sessionOf(anna) })
    expect(await Promise.all(both)).toEqual(['signed in', 'signed in'])
    expect(who()).toBe(anna)
  })

  test('behavior: signing out wins over an earlier sign-in', async () => {
    const { find, queries, signInAs, who } = openPage()
    const signingIn = signInAs(anna)
    const leaving = signOut(queries)
    await settled()
    await find('DELETE /api/session').answer({})
    await leaving
    await find('POST /api/session').answer({ session: sessionOf(anna) })
    expect(await signingIn).toBe('NOT_SIGNED_IN')
    expect(who()).toBeUndefined()
  })

  test('behavior: a sign-in wins over an earlier sign-out', async () => {
    const { find, queries, signInAs, who } = openPage()
    const leaving = signOut(queries).catch(() => 'taken back')
    const signingIn = signInAs(bruno)
    await settled()
    await find('POST /api/session').answer({ session: sessionOf(bruno) })
    await find('DELETE /api/session').answer({})
    expect([await leaving, await signingIn]).toEqual(['taken back', 'signed in'])
    expect(who()).toBe(bruno)
  })

  test.each([
    ['nobody', { session: null }],
    ['an end', { session: null, ended: { reason: 'expired', at: '2026-01-01T00:00:00Z' } }],
    ['somebody else', { session: sessionOf(bruno) }],
  ])('behavior: who was signed in before, asked before and answered late: %s', async (_, late) => {
    const { find, queries, signInAs, who } = openPage()
    const looking = queries.fetchQuery(sessionQuery).catch(() => null)
    const signingIn = signInAs(anna)
    await settled()
    await find('POST /api/session').answer({ session: sessionOf(anna) })
    await find('GET /api/session').answer(late)
    await Promise.all([looking, signingIn])
    expect(who()).toBe(anna)
  })

  test('behavior: a late answer to a request before signing out does not sign in again', async () => {
    const { find, queries, who } = openPage()
    queries.setQueryData(sessionQuery.queryKey, { session: sessionOf(anna) })
    const looking = queries.fetchQuery({ ...sessionQuery, staleTime: 0 }).catch(() => null)
    const leaving = signOut(queries)
    await settled()
    await find('DELETE /api/session').answer({})
    await leaving
    await find('GET /api/session').answer({ session: sessionOf(anna) })
    await looking
    expect(who()).toBeUndefined()
  })

  test.each([
    ['NOT_SIGNED_IN', {}],
    ['SESSION_EXPIRED', { reason: 'expired', endedAt: '2026-01-01T00:00:00Z' }],
    ['SESSION_REVOKED', { reason: 'revoked', endedAt: '2026-01-01T00:00:00Z' }],
  ])('error: %s to what the session before has asked ends nothing', async (code, data) => {
    const { find, queries, signInAs, who } = openPage()
    queries.setQueryData(sessionQuery.queryKey, { session: sessionOf(anna) })
    const writing = write(queries)
    await settled()
    const signingIn = signInAs(bruno)
    await settled()
    await find('POST /api/session').answer({ session: sessionOf(bruno) })
    await find('GET /api/safes').answer({ code, detail: '', data }, 401)
    expect(await writing).toBe(code)
    await signingIn
    expect(who()).toBe(bruno)
  })

  test('error: NOT_SIGNED_IN to what was asked before another tab opened a session ends nothing', async () => {
    const { find, queries, who } = openPage()
    queries.setQueryData(sessionQuery.queryKey, { session: sessionOf(anna) })
    queries.setQueryData(queryKeys.safes, 'of Anna')
    const writing = write(queries)
    await settled()
    const looking = queries.fetchQuery({ ...sessionQuery, staleTime: 0 })
    await settled()
    await find('GET /api/session').answer({ session: sessionOf(bruno) })
    await looking
    await find('GET /api/safes').answer({ code: 'NOT_SIGNED_IN', detail: '', data: {} }, 401)
    await writing
    expect(who()).toBe(bruno)
    expect(queries.getQueryData(queryKeys.safes)).toBeUndefined()
  })

  test('error: NOT_SIGNED_IN after the session was only looked at again ends it', async () => {
    const { find, queries, who } = openPage()
    queries.setQueryData(sessionQuery.queryKey, { session: sessionOf(anna) })
    const writing = write(queries)
    await settled()
    const looking = queries.fetchQuery({ ...sessionQuery, staleTime: 0 })
    await settled()
    await find('GET /api/session').answer({ session: sessionOf(anna) })
    await looking
    await find('GET /api/safes').answer({ code: 'NOT_SIGNED_IN', detail: '', data: {} }, 401)
    await writing
    expect(who()).toBeUndefined()
  })

  test('error: the same to what this session has asked ends it', () => {
    const { queries, who } = openPage()
    queries.setQueryData(sessionQuery.queryKey, { session: sessionOf(anna) })
    endSession(queries, new CountersignError('NOT_SIGNED_IN', 'over'))
    expect(who()).toBeUndefined()
  })
})

describe('an account that the wallet has left', () => {
  test('behavior: does not send a late signature', async () => {
    const { asked, wallet, signInAs } = openPage()
    takeConnection(wallet.connector, { accounts: [anna], chainId: 1 })
    wallet.tell({ accounts: [bruno] })
    expect(await signInAs(anna)).toBe('NOT_SIGNED_IN')
    expect(asked).toEqual([])
  })

  test.each<[string, WalletChange[], boolean]>([
    ['on the account', [], false],
    ['switched', [{ accounts: [bruno] }], true],
    ['locked and switched at once', ['disconnected', { accounts: [bruno] }], true],
    ['switched there and back', [{ accounts: [bruno] }, { accounts: [anna] }], false],
    ['on another chain', [{ chainId: 10 }], false],
    ['locked', ['disconnected'], false],
  ])('behavior: %s: the very next write knows', (_, changes, isRefused) => {
    const { queries, wallet } = openPage()
    queries.setQueryData(sessionQuery.queryKey, { session: sessionOf(anna) })
    takeConnection(wallet.connector, { accounts: [anna], chainId: 1 })
    for (const change of changes) wallet.tell(change)
    expect(writeRefusal(queries)?.code).toBe(isRefused ? 'ACCOUNT_MISMATCH' : undefined)
    // While another wallet is waited for, requests still go to the connected one.
    showWaiting(true)
    expect(writeRefusal(queries)?.code).toBe(isRefused ? 'ACCOUNT_MISMATCH' : undefined)
  })

  test('behavior: does not ask it to sign after the chain was switched', () => {
    const { wallet } = openPage()
    takeConnection(wallet.connector, { accounts: [anna], chainId: 1 })
    mustBeThere(wallet.connector, anna)
    wallet.tell({ accounts: [bruno] })
    expect(() => mustBeThere(wallet.connector, anna)).toThrow(expect.objectContaining({ code: 'ACCOUNT_MISMATCH' }))
    wallet.tell('disconnected')
    expect(() => mustBeThere(wallet.connector, anna)).toThrow(expect.objectContaining({ code: 'WALLET_NOT_CONNECTED' }))
  })
})
