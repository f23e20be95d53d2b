import { zeroHash } from 'viem'
import { describe, expect, it } from 'vitest'
import { type KeptPayout, splitSoFar, withBatch, withSent } from './saved-payout.ts'

const empty: KeptPayout = { id: 1, file: new Blob([]), assets: [], count: 300, batches: [] }
const first = { from: 0, count: 200, gas: 9n }
const sent = { hash: zeroHash, nonce: 4n }

describe('withBatch', () => {
  it('takes each transaction once, in order, whichever tab has measured it', () => {
    const one = withBatch(empty, first)
    expect(one?.batches).toEqual([{ ...first, sent: [] }])
    expect(withBatch(one, { from: 0, count: 190, gas: 8n })).toBe(one)
    expect(withBatch(one, { from: 190, count: 110, gas: 8n })).toBe(one)
    const both = withBatch(one, { from: 200, count: 100, gas: null })
    expect(both && splitSoFar(both)).toBe(300)
  })

  it('is nothing of a payout that was discarded meanwhile', () => {
    expect(withBatch(null, first)).toBeNull()
    expect(withSent(null, 0, sent)).toBeNull()
  })
})

describe('withSent', () => {
  it('remembers each hash of a transaction once, and leaves the others', () => {
    const two = withBatch(withBatch(empty, first), { from: 200, count: 100, gas: 1n })
    const once = withSent(two, 200, sent)
    expect(withSent(once, 200, sent)?.batches.map(({ sent: hashes }) => hashes)).toEqual([[], [sent]])
  })
})
