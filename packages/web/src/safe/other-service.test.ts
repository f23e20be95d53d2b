import { otherServiceLimits } from '@countersign/contract'
import { hashSafeTx, newSafeTx } from '@countersign/safe'
import { parseServiceQueue } from '@countersign/safe/service'
import { zeroAddress, zeroHash } from 'viem'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { nextNonceOver, readPages } from './other-service.ts'

afterEach(() => vi.unstubAllGlobals())

const at = (nonce: bigint) => ({
  safeTx: newSafeTx({ to: zeroAddress, nonce }),
  safeTxHash: zeroHash,
  origin: null,
  signatures: [],
  unreadable: 0,
})
const there = (...nonces: bigint[]) => ({ waiting: nonces.map(at) })

it('is free here and there', () => {
  expect(nextNonceOver([], null, 5n)).toBe(5n)
  expect(nextNonceOver([{ nonce: 6n }], there(5n), 5n)).toBe(7n)
  expect(nextNonceOver([{ nonce: 6n }], there(5n, 9n), 5n)).toBe(7n)
  expect(nextNonceOver([], { waiting: null }, 5n)).toBe(5n)
})

describe('readPages', () => {
  const place = { chainId: 1, safeAddress: '0x5FbDB2315678afecb367f032d93F642f64180aa3' } as const
  const safe = { ...place, version: '1.4.1' }
  const queued = (nonce: bigint) => {
    const safeTx = newSafeTx({ to: zeroAddress, nonce })
    const { operation, ...fields } = safeTx
    const written = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, String(field)]))
    return { ...written, operation, safe: place.safeAddress, ...hashSafeTx({ ...safe, safeTx }) }
  }
  const page = (results: unknown[], more: object = {}) => JSON.stringify({ count: results.length, results, ...more })

  /** A server that passes on what a service answers to each page, and the pages that it was asked for. */
  function serving(contentOf: (page: number) => string): { asked: string[]; others: string[] } {
    const seen: { asked: string[]; others: string[] } = { asked: [], others: [] }
    vi.stubGlobal('fetch', async (given: unknown) => {
      const url = new URL(String(given instanceof Request ? given.url : given), 'http://localhost')
      const isOurs = url.host === 'localhost' && url.pathname.endsWith(`${place.safeAddress}/other-service`)
      if (isOurs) seen.asked.push(url.searchParams.get('page') ?? '')
      else seen.others.push(url.href)
      return Response.json({ content: contentOf(Number(url.searchParams.get('page'))) })
    })
    return seen
  }

  it('default: page by page, to the one that is not full', async () => {
    const of = (at: number) =>
      Array.from({ length: at === 3 ? 7 : 100 }, (_, entry) => queued(BigInt(100 * at + entry)))
    const seen = serving((at) => page(of(at), { count: 207 }))
    const { proposals, unusable, beyond } = parseServiceQueue(await readPages(place, 'transactions'), safe)
    expect([proposals.length, unusable, beyond]).toEqual([207, [], 0])
    expect(seen).toEqual({ asked: ['1', '2', '3'], others: [] })
  })

  it('behavior: more than 500 are read on from where the last reading ended, until none is left', async () => {
    const of = (at: number) =>
      at > 12 ? [] : Array.from({ length: at === 12 ? 34 : 100 }, (_, entry) => 100 * at + entry)
    const seen = serving((at) =>
      page(
        of(at).map((nonce) => queued(BigInt(nonce))),
        { count: 1_134 },
      ),
    )
    const found: [number, number][] = []
    const nonces = new Set<bigint>()
    for (let after = 0; found.at(-1)?.[1] !== 0; after += 500) {
      const text = await readPages(place, 'transactions', after)
      const { proposals, beyond } = parseServiceQueue(text, { ...safe, after, isRest: true })
      for (const { safeTx } of proposals) nonces.add(safeTx.nonce)
      found.push([proposals.length, beyond])
    }
    expect(found).toEqual([
      [500, 634],
      [500, 134],
      [134, 0],
    ])
    expect(nonces.size).toBe(1_134)
    expect(seen.asked).toEqual(Array.from({ length: 12 }, (_, at) => String(at + 1)))
  })

  it('behavior: pages that loop, or lead elsewhere, end after five; each transaction counts once', async () => {
    const first = Array.from({ length: 100 }, (_, entry) => queued(BigInt(entry)))
    const next = `https://elsewhere.example/api/v2/safes/${place.safeAddress}/multisig-transactions/?offset=0`
    const seen = serving(() => page(first, { count: Number.MAX_SAFE_INTEGER, next, previous: next }))
    const { proposals, beyond } = parseServiceQueue(await readPages(place, 'transactions'), safe)
    expect(proposals).toHaveLength(100)
    expect(new Set(proposals.map(({ safeTxHash }) => safeTxHash)).size).toBe(100)
    // The rest that it claims to have is told, and not asked for.
    expect(beyond).toBe(Number.MAX_SAFE_INTEGER - otherServiceLimits.page * otherServiceLimits.pages)
    expect(seen).toEqual({ asked: ['1', '2', '3', '4', '5'], others: [] })
  })

  it('behavior: of 100,000 entries in each page the first 500 are looked at, and the others counted', async () => {
    const many = page(Array.from({ length: 100_000 }, () => 0))
    const seen = serving((at) => (at === 1 ? page([queued(0n), ...Array.from({ length: 99_999 }, () => ({}))]) : many))
    const { proposals, unusable, beyond } = parseServiceQueue(await readPages(place, 'transactions'), safe)
    expect([proposals.length, unusable.length, beyond]).toEqual([1, 499, 499_500])
    expect(seen.asked).toHaveLength(otherServiceLimits.pages)
  })

  it.each(['', 'null', '<html>busy</html>', '{"results":{"length":100}}', '{"results":[]}],[{"results":[]}'])(
    'behavior: what is no page is the last one: %s',
    async (content) => {
      const seen = serving(() => content)
      await readPages(place, 'messages')
      expect(seen.asked).toEqual(['1'])
    },
  )
})
