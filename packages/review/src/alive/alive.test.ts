import type { Address } from 'viem'
import { describe, expect, test } from 'vitest'
import { findAliveMessages, findAliveTransactions, groupAlive, isCompletedBy } from './alive.ts'

// The rules are proven against the contracts by the property test of the devnet. Here is what a reader looks up.

const [alice, bob, carol, dave] = ['0xa1', '0xb0', '0xca', '0xda'].map((start) => start.padEnd(42, '0') as Address)
if (!alice || !bob || !carol || !dave) throw new Error('Four accounts are needed.')
const safe = { owners: [alice, bob, carol], threshold: 2, nonce: 5n, hasModules: false }

function signed(nonce: bigint, ...owners: Address[]) {
  return { nonce, confirmations: owners.map((owner) => ({ owner })) }
}

describe('findAliveTransactions', () => {
  test('default: says how far signatures reach, by nonce', () => {
    const [next, ahead, ...others] = findAliveTransactions([signed(7n, alice), signed(5n, bob, alice)], safe)
    expect(next).toMatchObject({ waits: 0n, counted: [alice, bob], missing: 0, others: [carol], former: [] })
    expect(ahead).toMatchObject({ waits: 2n, counted: [alice], missing: 1, others: [bob, carol] })
    expect(others).toEqual([])
  })

  test('behavior: a used nonce and a transaction that nobody signed are not alive', () => {
    expect(findAliveTransactions([signed(4n, alice, bob), signed(5n)], safe)).toEqual([])
  })

  test('behavior: the signature of a former owner counts once they are added back, which needs an earlier nonce', () => {
    const transactions = [signed(5n, dave, alice), signed(6n, dave, alice, dave)]
    const [now, later] = findAliveTransactions(transactions, safe)
    expect(now).toMatchObject({ former: [], missing: 1, missingIfAddedBack: 1 })
    expect(later).toMatchObject({ former: [dave], missing: 1, missingIfAddedBack: 0 })
    const [byModule] = findAliveTransactions(transactions, { ...safe, hasModules: true })
    expect(byModule).toMatchObject({ former: [dave], missingIfAddedBack: 0 })
    expect(findAliveTransactions([signed(5n, dave)], safe)).toEqual([])
  })

  test('behavior: what a change of owners or threshold makes executable', () => {
    const transactions = [signed(6n, dave, alice)]
    const after = { ...safe, nonce: 6n }
    expect(findAliveTransactions(transactions, after)[0]?.missing).toBe(1)
    expect(findAliveTransactions(transactions, { ...after, threshold: 1 })[0]?.missing).toBe(0)
    expect(findAliveTransactions(transactions, { ...after, owners: [alice, bob, dave] })[0]?.missing).toBe(0)
  })

  test('behavior: only one of those at one nonce can be executed', () => {
    const alive = findAliveTransactions([signed(7n, alice), signed(5n, bob), signed(7n, carol)], safe)
    expect(groupAlive(alive).map(({ nonce, entries }) => [nonce, entries.length])).toEqual([
      [5n, 1],
      [7n, 2],
    ])
  })

  test('behavior: a history of many nonces is walked once', () => {
    const many = Array.from({ length: 20_000 }, (_, index) => signed(BigInt(index + 5), alice))
    let read = 0
    const alive = findAliveTransactions(many, safe).map((transaction) => ({
      ...transaction,
      get transaction() {
        read += 1
        return transaction.transaction
      },
    }))
    expect(groupAlive(alive)).toHaveLength(20_000)
    expect(read).toBeLessThan(100_000)
  })

  test('behavior: addresses are the same however they are written', () => {
    const upper = alice.toUpperCase().replace('0X', '0x') as Address
    expect(findAliveTransactions([signed(5n, upper)], safe)[0]?.counted).toEqual([alice])
  })
})

describe('findAliveMessages', () => {
  test('default: a message has no nonce, and former owners count again at any time', () => {
    const [message] = findAliveMessages([signed(0n, alice, dave)], safe)
    expect(message).toMatchObject({ counted: [alice], missing: 1, former: [dave], missingIfAddedBack: 0 })
    expect(findAliveMessages([signed(0n)], safe)).toEqual([])
  })
})

describe('isCompletedBy', () => {
  test('default: an owner who executes approves by that, once', () => {
    const [found] = findAliveTransactions([signed(5n, alice)], safe)
    if (!found) throw new Error('It is alive.')
    expect([alice, bob, dave].map((account) => isCompletedBy(found, account))).toEqual([false, true, false])
    expect(isCompletedBy({ ...found, missing: 0 }, dave)).toBe(true)
    expect(isCompletedBy({ ...found, missing: 2 }, bob)).toBe(false)
  })
})
