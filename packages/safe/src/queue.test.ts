import fc from 'fast-check'
import type { Address } from 'viem'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../scripts/testing/random-tests.mjs'
import { canExecute } from './permissions.ts'
import {
  countConfirmations,
  findExecutable,
  findExecutableInTurn,
  groupQueue,
  isWaitingFor,
  nextFreeNonce,
} from './queue.ts'

const [first, second, third, outsider] = [
  '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
] as const
const safe = { owners: [first, second, third], threshold: 2, nonce: 3n }

function proposal(nonce: bigint, owners: readonly Address[] = [], isExecuted = false) {
  return { nonce, isExecuted, confirmations: owners.map((owner) => ({ owner })) }
}

describe('groupQueue', () => {
  it('default: conflicts side by side, and what blocks what', () => {
    const groups = groupQueue([proposal(4n), proposal(3n), proposal(3n), proposal(7n)], 3n)
    expect(groups.map(({ nonce, transactions, waitsFor }) => [nonce, transactions.length, waitsFor])).toEqual([
      [3n, 2, null],
      [4n, 1, { nonce: 3n, isProposed: true }],
      [7n, 1, { nonce: 5n, isProposed: false }],
    ])
  })

  it('behavior: leaves out what is used up or executed, and knows nothing without the nonce', () => {
    expect(groupQueue([proposal(1n), proposal(2n), proposal(2n, [], true)], 2n)).toMatchObject([
      { nonce: 2n, transactions: [{ isExecuted: false }] },
    ])
    expect(groupQueue([proposal(1n)], null)[0]?.waitsFor).toBeNull()
  })

  it('behavior: is not stopped by an absurd nonce', () => {
    expect(groupQueue([proposal((1n << 256n) - 1n)], 0n)[0]?.waitsFor).toEqual({ nonce: 0n, isProposed: false })
  })
})

describe('nextFreeNonce', () => {
  it('default', () => {
    expect(nextFreeNonce([], 5n)).toBe(5n)
    expect(nextFreeNonce([proposal(5n), proposal(6n)], 5n)).toBe(7n)
    expect(nextFreeNonce([proposal(2n)], 5n)).toBe(5n)
    expect(nextFreeNonce([proposal(9n), proposal(5n)], 5n)).toBe(6n)
  })

  it('behavior: is above a long queue, and is moved by no proposal behind a hole, near or far', () => {
    const queue = Array.from({ length: 3_000 }, (_, index) => proposal(5n + BigInt(index)))
    expect(nextFreeNonce(queue.toReversed(), 5n)).toBe(3_005n)
    for (const far of [7n, 1_004n, 1_005n, 2n ** 53n, 2n ** 256n - 1n])
      expect(nextFreeNonce([proposal(far), proposal(5n), proposal(far)], 5n)).toBe(6n)
    const steps = Array.from({ length: 2_000 }, (_, index) => proposal(5n + 999n * BigInt(index + 1)))
    expect(nextFreeNonce(steps, 5n)).toBe(5n)
  })
})

describe('countConfirmations', () => {
  it('behavior: counts current owners, each once, however the address is written', () => {
    const lower: Address = `0x${second.slice(2).toLowerCase()}`
    const { confirmations } = proposal(3n, [lower, second, outsider])
    expect(countConfirmations(confirmations, safe.owners)).toEqual({ confirmed: [second], missing: [first, third] })
  })
})

describe('isWaitingFor', () => {
  it('default', () => {
    expect(isWaitingFor(proposal(3n, [second]), first, safe)).toBe(true)
    expect(isWaitingFor(proposal(3n, [second]), second, safe)).toBe(false)
    expect(isWaitingFor(proposal(3n, [second]), outsider, safe)).toBe(false)
    expect(isWaitingFor(proposal(3n, [second, third]), first, safe)).toBe(false)
    expect(isWaitingFor(proposal(3n, [], true), first, safe)).toBe(false)
  })
})

describe('findExecutable', () => {
  it('default', () => {
    const ready = proposal(3n, [first, second])
    const rival = proposal(3n, [second, third])
    const others = [proposal(3n, [first, outsider]), proposal(4n, [first, second]), proposal(3n, [first, second], true)]
    expect(findExecutable([...others, ready, rival], safe)).toEqual([ready, rival])
  })

  it('behavior: says the same as canExecute', () => {
    const people = fc.subarray<Address>([first, second, third, outsider])
    const proposals = fc.record({ nonce: fc.bigInt({ min: 0n, max: 5n }), isExecuted: fc.boolean(), people })
    fc.assert(
      fc.property(proposals, people, fc.integer({ min: 1, max: 4 }), (drawn, owners, threshold) => {
        const transaction = proposal(drawn.nonce, drawn.people, drawn.isExecuted)
        const facts = { owners, threshold, nonce: 3n }
        const isListed = findExecutable([transaction], facts).length === 1
        expect(canExecute({ safe: facts, transaction, account: outsider }).ok).toBe(isListed)
      }),
      runs(100),
    )
  })
})

describe('findExecutableInTurn', () => {
  const ready = (nonce: bigint) => proposal(nonce, [first, second])
  const nonces = (queue: ReturnType<typeof proposal>[], most = 20) =>
    findExecutableInTurn(queue, safe, most).map(({ nonce }) => nonce)

  it('default: in the order of their nonces, however they are listed', () => {
    expect(nonces([ready(5n), ready(3n), ready(4n), ready(2n)])).toEqual([3n, 4n, 5n])
    expect(nonces([ready(5n), ready(3n), ready(4n)], 2)).toEqual([3n, 4n])
  })

  it('behavior: ends at a gap, at one that lacks confirmations, and where somebody has to choose', () => {
    expect(nonces([ready(3n), ready(5n)])).toEqual([3n])
    expect(nonces([ready(3n), proposal(4n, [first, outsider]), ready(5n)])).toEqual([3n])
    expect(nonces([ready(3n), ready(4n), ready(4n), ready(5n)])).toEqual([3n])
    expect(nonces([ready(3n), ready(4n), proposal(4n, [third]), ready(5n)])).toEqual([3n, 4n, 5n])
    expect(nonces([ready(4n)])).toEqual([])
  })
})
