import * as contract from '@countersign/contract'
import { callNode, findListedTokens, findPastPrices, findPayments, findPrices } from '@countersign/contract'
import { CountersignError } from '@countersign/safe'
import { zeroAddress } from 'viem'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { api, refuseWrites } from './client.ts'

type AnyEndpoint = Parameters<typeof api>[0]

const isEndpoint = (value: unknown): value is AnyEndpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'name' in value
const all = Object.values(contract).filter(isEndpoint)
const writing = all.filter(({ method, path }) => method !== 'GET' && !path.startsWith('/api/session'))

afterEach(() => {
  refuseWrites(null)
  vi.unstubAllGlobals()
})

async function isAsked(endpoint: AnyEndpoint): Promise<boolean> {
  const ask = vi.fn<typeof fetch>(async () => new Response('{}'))
  vi.stubGlobal('fetch', ask)
  const input = { chainId: 1, safeAddress: zeroAddress, blockNumber: 1, body: [] } as never
  const error = await api(endpoint, input).catch((failure: unknown) => failure)
  if (ask.mock.calls.length === 0) expect(error).toMatchObject({ code: 'ACCOUNT_MISMATCH' })
  return ask.mock.calls.length > 0
}

describe('api', () => {
  test('behavior: while the wallet has another account, no endpoint that writes is asked', async () => {
    refuseWrites(() => new CountersignError('ACCOUNT_MISMATCH', 'another account'))
    const asked: string[] = []
    for (const endpoint of writing) if (await isAsked(endpoint)) asked.push(endpoint.name)
    expect(writing.length).toBeGreaterThan(30)
    // They ask by POST, and change nothing.
    expect(asked.sort()).toEqual([
      callNode.name,
      findListedTokens.name,
      findPastPrices.name,
      findPayments.name,
      findPrices.name,
    ])
  })

  test('behavior: what is read ends in time, by whichever method; what is written is waited for', async () => {
    const limited: string[] = []
    const ask = vi.fn<typeof fetch>(async () => new Response('{}'))
    vi.stubGlobal('fetch', ask)
    const input = { chainId: 1, safeAddress: zeroAddress, blockNumber: 1, body: [] } as never
    for (const endpoint of all) {
      await api(endpoint, input).catch(() => null)
      if (ask.mock.lastCall?.[1]?.signal) limited.push(endpoint.name)
    }
    const posted = [callNode, findListedTokens, findPastPrices, findPayments, findPrices]
    const reading = [...all.filter(({ method }) => method === 'GET'), ...posted]
    expect(limited.sort()).toEqual(reading.map(({ name }) => name).sort())
  })

  test('behavior: whatever is read is asked, also what no token may', async () => {
    refuseWrites(() => new CountersignError('ACCOUNT_MISMATCH', 'another account'))
    const reading = all.filter(({ method }) => method === 'GET')
    expect(reading.length).toBeGreaterThan(30)
    for (const endpoint of reading) expect(await isAsked(endpoint), endpoint.name).toBe(true)
  })
})
