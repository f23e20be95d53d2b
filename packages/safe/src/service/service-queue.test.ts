import { describe, expect, it } from 'vitest'
import { hashSafeTx, newSafeTx } from '../signing/safe-tx.ts'
import { parseServiceQueue } from './service-queue.ts'

const place = { chainId: 10, safeAddress: '0x2222222222222222222222222222222222222222', version: '1.4.1' } as const
const owners = ['0x70997970C51812dc3A010C7d01b50e0d17dc79C8', '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'] as const
const signature = `0x${'ab'.repeat(64)}1b`

/** A transaction as the service answers it in its first version (numbers) or its second (texts). */
function answered(nonce: number, fields: object = {}, isNumber = false) {
  const safeTx = newSafeTx({ to: '0x1234567890123456789012345678901234567890', value: 5n, nonce: BigInt(nonce) })
  const { safeTxHash } = hashSafeTx({ ...place, safeTx })
  const number = (value: bigint) => (isNumber ? Number(value) : String(value))
  const { safeTxGas, baseGas } = safeTx
  const numbers = { nonce: number(safeTx.nonce), safeTxGas: number(safeTxGas), baseGas: number(baseGas) }
  return {
    ...safeTx,
    ...numbers,
    value: String(safeTx.value),
    gasPrice: '0',
    data: null,
    safe: place.safeAddress,
    safeTxHash,
    isExecuted: false,
    origin: '{}',
    proposer: owners[1],
    trusted: true,
    confirmations: owners.map((owner) => ({ owner, signature, signatureType: 'EOA' })),
    ...fields,
  }
}

const read = (value: unknown) => parseServiceQueue(JSON.stringify(value), place)

describe('parseServiceQueue', () => {
  it('reads a page, a list of pages and a single transaction; by nonce, each once, the proposer first', () => {
    const [first, second] = [answered(1, {}, true), answered(2, { origin: 'rent' })]
    const page = { count: 2, next: 'http://elsewhere/loop', previous: null, results: [second, first] }
    const { proposals, ...rest } = read(page)
    expect(rest).toEqual({ unusable: [], executed: 0, beyond: 0 })
    expect(proposals.map(({ safeTxHash, origin }) => [safeTxHash, origin])).toEqual([
      [first.safeTxHash, null],
      [second.safeTxHash, 'rent'],
    ])
    expect(proposals[0]?.signatures.map(({ owner }) => owner)).toEqual([owners[1], owners[0]])
    expect(read([page, page]).proposals).toEqual(proposals)
    expect(read([first, second]).proposals).toEqual(proposals)
    expect(read(first).proposals).toEqual(proposals.slice(0, 1))
  })

  it('leaves out a field that is nested a hundred thousand deep, and a signature of a megabyte; reads the others', () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    const good = answered(1)
    const large = { owner: owners[0], signature: `0x${'ab'.repeat(1_000_000)}` }
    const entries = [
      JSON.stringify(answered(2, { data: 'here' })).replace('"here"', deep),
      JSON.stringify({ ...good, confirmations: [large, ...good.confirmations] }),
    ]
    const { proposals, unusable } = parseServiceQueue(`[${entries.join()}]`, place)
    expect(proposals.map(({ signatures, unreadable }) => [signatures.length, unreadable])).toEqual([[2, 1]])
    expect(unusable).toMatchObject([{ reason: 'unreadable', error: { data: { field: 'data', value: 'object' } } }])
  })

  it('counts what was executed, and leaves out by name what is of another Safe, another hash or unreadable', () => {
    const otherSafe = answered(2, { safe: owners[0] })
    const otherHash = answered(3, { value: '6' })
    const noHash = answered(3, { safeTxHash: undefined })
    const { proposals, unusable, executed } = read({
      results: [
        answered(1, { isExecuted: true }),
        otherSafe,
        otherHash,
        noHash,
        answered(4, { to: '<html>' }),
        7,
        null,
      ],
    })
    expect({ proposals, executed }).toEqual({ proposals: [], executed: 1 })
    expect(unusable.map(({ reason }) => reason)).toEqual([
      'other-safe',
      'other-hash',
      'other-hash',
      'unreadable',
      'unreadable',
      'unreadable',
    ])
    expect(unusable[1]).toMatchObject({ name: otherHash.safeTxHash })
  })

  it('refuses the hash of the same fields on another chain', () => {
    expect(parseServiceQueue(JSON.stringify(answered(1)), { ...place, chainId: 1 }).unusable).toMatchObject([
      { reason: 'other-hash' },
    ])
  })

  it('takes one signature of each owner, and counts what is none', () => {
    const more = [{ owner: owners[0], signature: '0x12' }, { owner: 'me', signature }, null, { owner: owners[1] }, 'x']
    const [proposal] = read(answered(1, { confirmations: [{ owner: owners[0], signature }, ...more] })).proposals
    expect(proposal).toMatchObject({ signatures: [{ owner: owners[0], signature }], unreadable: 4 })
    const many = Array.from({ length: 10_000 }, () => ({ owner: owners[0], signature }))
    const [large] = read(answered(1, { confirmations: many })).proposals
    expect(large).toMatchObject({ signatures: [{ owner: owners[0] }], unreadable: 9_900 })
  })

  it('bounds transactions, origins and characters', () => {
    const { proposals, beyond } = read(Array.from({ length: 100_000 }, () => null).with(0, answered(1) as never))
    expect([proposals.length, beyond]).toEqual([1, 99_500])
    // Five pages of a service that has more.
    const page = { count: 701, next: 'more', results: Array.from({ length: 100 }, () => null) }
    expect(read(Array.from({ length: 5 }, () => page)).beyond).toBe(201)
    expect(read({ count: 1e300, results: [answered(1)] }).beyond).toBe(0)
    expect(read(Array.from({ length: 300_000 }, () => ({ count: 9 }))).beyond).toBe(299_500)
    expect(read(answered(1, { origin: 'x'.repeat(1_000) })).proposals[0]?.origin).toHaveLength(200)
    expect(read(answered(1, { data: `0x${'00'.repeat(200_000)}` })).unusable).toMatchObject([{ reason: 'unreadable' }])
  })

  it('behavior: looks at 500 at a time, of a file and of a service that answers the rest', () => {
    const all = Array.from({ length: 1_200 }, (_, nonce) => answered(nonce, {}, true))
    const noncesOf = (value: unknown, lookout: object) => {
      const { proposals, beyond } = parseServiceQueue(JSON.stringify(value), { ...place, ...lookout })
      return [proposals[0]?.safeTx.nonce, proposals.at(-1)?.safeTx.nonce, beyond]
    }
    expect(noncesOf(all, {})).toEqual([0n, 499n, 700])
    expect(noncesOf(all, { after: 500 })).toEqual([500n, 999n, 200])
    expect(noncesOf(all, { after: 1_000 })).toEqual([1_000n, 1_199n, 0])
    expect(noncesOf(all, { after: 1_500 })).toEqual([undefined, undefined, 0])
    const rest = { count: 1_200, results: all.slice(1_000) }
    expect(noncesOf(rest, { after: 1_000, isRest: true })).toEqual([1_000n, 1_199n, 0])
    const next = { count: 1_200, results: all.slice(500, 600) }
    expect(noncesOf(next, { after: 500, isRest: true })).toEqual([500n, 599n, 600])
  })

  it.each([
    ['an HTML page', '<!doctype html>', 'file-not-json'],
    ['a number', '7', 'file-not-json'],
    ['too long', ' '.repeat(20_000_001), 'file-length'],
  ])('error: FIELD_MALFORMED, %s', (_name, text, reason) => {
    expect(() => parseServiceQueue(text, place)).toThrow(
      expect.objectContaining({ code: 'FIELD_MALFORMED', data: expect.objectContaining({ reason }) }),
    )
  })
})
