import { call, createApiToken, type TokenScope, tokenScopes } from '@countersign/contract'
import ApiKit from '@safe-global/api-kit'
import type { Browser, TestServer } from './test-server.ts'

/** Answer of the other transport. `body` is '' for an empty one, `text` what it was parsed from. */
export type TxAnswer = {
  status: number
  text: string
  statusText: string
  // biome-ignore lint/suspicious/noExplicitAny: whatever it is, tests compare it by value
  body: any
  headers: Headers
}

/** A program that speaks the wire format of the Safe Transaction Service: raw, and through api-kit. */
export type TxClient = {
  ask: (path: string, init?: RequestInit) => Promise<TxAnswer>
  post: (path: string, body: unknown, method?: 'POST' | 'DELETE') => Promise<TxAnswer>
  kit: ApiKit
}

/** @param browser whose account makes the API token; null: nobody who is known */
export async function newTxClient(
  { origin }: Pick<TestServer, 'origin'>,
  browser: Browser | null,
  { scopes = [...tokenScopes], chainId = 31337 }: { scopes?: TokenScope[]; chainId?: number } = {},
): Promise<TxClient> {
  const made = browser && (await call(browser, createApiToken, { name: 'script', scopes, expiresAt: null }))
  const base = `${origin}/tx-service/${chainId}/api`
  const authorization: Record<string, string> = made ? { authorization: `Bearer ${made.token}` } : {}

  async function ask(path: string, init: RequestInit = {}): Promise<TxAnswer> {
    const headers = new Headers({ ...authorization, ...Object.fromEntries(new Headers(init.headers)) })
    const response = await fetch(`${base}${path}`, { ...init, headers, redirect: 'manual' })
    const text = await response.text()
    const body: TxAnswer['body'] = text === '' ? '' : JSON.parse(text)
    return { status: response.status, text, statusText: response.statusText, body, headers: response.headers }
  }

  return {
    ask,
    post: (path, body, method = 'POST') =>
      ask(path, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    kit: new ApiKit({ chainId: BigInt(chainId), txServiceUrl: base, ...(made ? { apiKey: made.token } : {}) }),
  }
}
