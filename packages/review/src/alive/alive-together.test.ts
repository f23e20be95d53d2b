import { newSafeTx, officialDeployment, type SafeTx, safeAbi } from '@countersign/safe'
import { encodeMultiSend } from '@countersign/safe/calls'
import { type Address, encodeFunctionData, type Hex, pad, toFunctionSelector } from 'viem'
import { describe, expect, test } from 'vitest'
import { safeAddress, state, stranger } from '../scene.ts'
import { findAliveTogether, TOGETHER_BUDGET } from './alive-together.ts'

// The property test of the devnet holds this against the contracts. Here is what a reader looks up, and what it cannot ask.

const [alice, bob, carol, dave] = ['0xa1', '0xb0', '0xca', '0xda'].map((start) => start.padEnd(42, '0') as Address)
if (!alice || !bob || !carol || !dave) throw new Error('Four accounts are needed.')
const safe = { ...state, owners: [alice, bob, carol], threshold: 2, nonce: 5n }

function signed(nonce: bigint, fields: Partial<SafeTx>, ...owners: Address[]) {
  const safeTx = newSafeTx({ to: stranger, data: '0x', nonce, ...fields })
  return { nonce, safeTx, confirmations: owners.map((owner) => ({ owner })) }
}

const lower = settings(encodeFunctionData({ abi: safeAbi, functionName: 'changeThreshold', args: [1n] }))
const addDave = settings(encodeFunctionData({ abi: safeAbi, functionName: 'addOwnerWithThreshold', args: [dave, 2n] }))
const refused = encodeFunctionData({ abi: safeAbi, functionName: 'changeThreshold', args: [9n] })

function settings(data: Hex) {
  return { to: safeAddress, data }
}

function find(transactions: ReturnType<typeof signed>[], executor: Address | null = null, messages: Address[][] = []) {
  const listed = messages.map((owners) => ({ confirmations: owners.map((owner) => ({ owner })) }))
  const [found] = findAliveTogether({ transactions, messages: listed }, safe, [executor])
  if (found === undefined) throw new Error('Nothing was found for the executor.')
  return found
}

describe('findAliveTogether', () => {
  test('default: a lower threshold and an owner added back complete what waits', () => {
    const first = signed(5n, lower, alice, bob)
    const second = signed(6n, {}, carol)
    expect(find([second, first]).transactions).toEqual([{ signed: second, after: [first], open: 0n }])
    const back = signed(5n, addDave, alice, bob)
    const theirs = signed(6n, {}, dave, carol)
    expect(find([back, theirs]).transactions).toEqual([{ signed: theirs, after: [back], open: 0n }])
    expect(find([signed(5n, addDave, alice), theirs]).transactions).toEqual([])
  })

  test('behavior: one after the other, in a batch too, and with nonces between them that nothing uses yet', () => {
    const to = officialDeployment('multi-send-call-only', '1.4.1')?.address ?? stranger
    const data = encodeMultiSend([{ ...addDave, value: 0n }])
    const first = signed(5n, { to, data, operation: 1 }, alice, bob)
    const second = signed(7n, lower, dave, carol)
    const third = signed(8n, {}, bob)
    expect(find([first, second, third]).transactions).toEqual([
      { signed: second, after: [first], open: 1n },
      { signed: third, after: [first, second], open: 1n },
    ])
  })

  test('behavior: an owner who executes all of them approves by that, where somebody has signed', () => {
    const first = signed(5n, lower, alice)
    const second = signed(6n, {}, carol)
    const unsigned = signed(7n, {})
    expect(find([first, second, unsigned]).transactions).toEqual([])
    expect(find([first, second, unsigned], bob).transactions).toEqual([])
    // Bob could execute the second with his own approval anyway; Carol, who signed it, only after the first.
    expect(find([first, second, unsigned], carol).transactions).toEqual([{ signed: second, after: [first], open: 0n }])
  })

  test('behavior: a message counts at once', () => {
    const first = signed(5n, lower, alice, bob)
    expect(find([first], null, [[carol], [alice, bob], [dave]]).messages).toEqual([
      { signed: { confirmations: [{ owner: carol }] }, after: [first], open: 0n },
    ])
  })

  test('behavior: a change that the Safe refuses makes nothing possible, and takes the whole with it without gas of its own', () => {
    const later = signed(6n, lower, alice, bob)
    const last = signed(7n, {}, carol)
    const failing = signed(5n, settings(refused), alice, bob)
    expect(find([failing, later, last]).transactions).toEqual([{ signed: last, after: [later], open: 1n }])
    const withGas = signed(5n, { ...settings(refused), safeTxGas: 100_000n }, alice, bob)
    expect(find([withGas, later, last]).transactions).toEqual([{ signed: last, after: [later], open: 0n }])
  })

  test('behavior: what nobody can read is named, not followed', () => {
    const last = signed(6n, {}, carol)
    const foreign = signed(5n, { to: stranger, data: '0x12345678', operation: 1 }, alice, bob)
    expect(find([foreign, last])).toEqual({ transactions: [], messages: [], unread: [foreign], isWhole: true })
    const inner = encodeFunctionData({
      abi: safeAbi,
      functionName: 'execTransaction',
      args: [stranger, 0n, '0x', 0, 0n, 0n, 0n, stranger, stranger, '0x'],
    })
    const odd = ['0x12345678', `${lower.data}ff`, inner] as const
    for (const data of odd) expect(find([signed(5n, settings(data), alice, bob), last]).unread).toHaveLength(1)
    expect(find([signed(5n, { to: stranger, data: '0x12345678' }, alice, bob), last]).unread).toEqual([])
    // Another singleton may have another domain, in which the signatures on later transactions do not count.
    const to = officialDeployment('migration', '1.4.1')?.address ?? stranger
    const data = toFunctionSelector('migrateSingleton()')
    const migration = signed(5n, { to, data, operation: 1 }, alice, bob)
    expect(find([migration, last]).unread).toEqual([migration])
  })

  test('behavior: what is followed has a bound, and it says when there was more', () => {
    const add = (digit: number) => {
      const owner = pad(`0x${digit + 16}`, { size: 20 })
      return settings(encodeFunctionData({ abi: safeAbi, functionName: 'addOwnerWithThreshold', args: [owner, 2n] }))
    }
    const chain = Array.from({ length: 9 }, (_, at) => signed(BigInt(5 + at), add(at), alice, bob))
    expect(find(chain.slice(0, TOGETHER_BUDGET.changes - 1)).isWhole).toBe(true)
    expect(find(chain).isWhole).toBe(false)
    const wide = Array.from({ length: 200 }, (_, at) => signed(5n, add(at + 100), alice, bob))
    expect(find(wide).isWhole).toBe(false)
  })

  test('behavior: many accounts share one budget, and what was left out is said', () => {
    const executors = Array.from({ length: 40 }, (_, at) => pad(`0x${at + 4_096}`, { size: 20 }) as Address)
    const crowd = { ...safe, owners: [...safe.owners, ...executors], threshold: 1 }
    const raise = settings(encodeFunctionData({ abi: safeAbi, functionName: 'changeThreshold', args: [2n] }))
    const few = [signed(5n, raise, alice), signed(6n, {}, bob)]
    const many = [...few, ...Array.from({ length: 20 }, (_, at) => signed(BigInt(7 + at), {}, alice, bob))]
    const wide = Array.from({ length: 200 }, (_, at) => {
      const owner = pad(`0x${at + 9_000}`, { size: 20 })
      const args = [owner, 1n] as const
      const data = encodeFunctionData({ abi: safeAbi, functionName: 'addOwnerWithThreshold', args })
      return signed(BigInt(7 + at), settings(data), alice)
    })
    const isWholeFor = (transactions: typeof few) =>
      findAliveTogether({ transactions, messages: [] }, crowd, [null, ...executors]).map(({ isWhole }) => isWhole)
    expect(new Set(isWholeFor(few))).toEqual(new Set([true]))
    expect(new Set(isWholeFor(many))).toEqual(new Set([true]))
    expect(new Set(isWholeFor(wide))).toEqual(new Set([false]))
  })
})
