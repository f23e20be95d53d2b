import { newSafeTx, type SafeState, safeAbi } from '@countersign/safe'
import { type Address, encodeFunctionData, type Hex, keccak256, pad, toHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { findAliveWays } from './alive-ways.ts'

const account = (digit: number): Address => pad(toHex(digit), { size: 20 })
const [safe, alice, bob, carol] = [16, 1, 2, 3].map(account) as [Address, Address, Address, Address]
const state: SafeState = {
  chainId: 1,
  address: safe,
  blockNumber: 1n,
  owners: [alice, bob, carol],
  threshold: 2,
  nonce: 0n,
  balance: 0n,
  proxyCodeHash: keccak256('0x'),
  isOfficialProxy: true,
  singleton: safe,
  singletonCodeHash: keccak256('0x'),
  version: '1.4.1',
  reportedVersion: '1.4.1',
  modules: [],
  guard: null,
  moduleGuard: null,
  fallbackHandler: null,
}
const lower = encodeFunctionData({ abi: safeAbi, functionName: 'changeThreshold', args: [1n] })

function signed(nonce: bigint, data: Hex, ...owners: Address[]) {
  const safeTx = newSafeTx({ to: safe, data, nonce })
  return {
    hash: keccak256(toHex(`${nonce} ${data}`)),
    nonce,
    safeTx,
    confirmations: owners.map((owner) => ({ owner })),
  }
}

describe('findAliveWays', () => {
  const payment = signed(1n, '0x', carol)
  const message = { hash: keccak256('0x01'), confirmations: [{ owner: carol }] }

  test('default: what anybody can have executed stands alone', () => {
    const first = signed(0n, lower, alice, bob)
    const found = findAliveWays({ state, transactions: [first, payment], messages: [message] })
    const way = { by: null, after: [first.hash], open: 0n }
    expect(found).toEqual({ ways: { [payment.hash]: [way], [message.hash]: [way] }, unread: [], isWhole: true })
  })

  test('behavior: what takes an owner names those who can', () => {
    const first = signed(0n, lower, alice)
    const { ways } = findAliveWays({ state, transactions: [first, payment], messages: [message] })
    // Carol has signed it and cannot complete it otherwise; any other owner could anyway.
    expect(ways[payment.hash]).toEqual([{ by: [carol], after: [first.hash], open: 0n }])
    expect(ways[message.hash]).toEqual([{ by: [bob, carol], after: [first.hash], open: 0n }])
  })

  test('behavior: what is enough without another one has no way', () => {
    const first = signed(0n, lower, alice, bob)
    const enough = signed(1n, '0x', alice, bob)
    expect(findAliveWays({ state, transactions: [first, enough], messages: [] }).ways).toEqual({})
  })
})
