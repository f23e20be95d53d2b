import { type Address, encodeAbiParameters, type Hex, keccak256, pad, toHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { account, otherOwner, outsider, safeAddress, state, stranger } from '../scene.ts'
import type { SafeConfiguration } from '../types.ts'
import { changedSafeSlots, configurationAfter, nameSlots } from './safe-slots.ts'

const { singleton, owners, threshold, modules, guard, moduleGuard, fallbackHandler } = state
const before: SafeConfiguration = { singleton, owners, threshold, modules, guard, moduleGuard, fallbackHandler }
const slotOf = (key: Address, place: bigint) =>
  keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [key, place]))
const change = (slot: Hex, after: Hex) => ({ account: safeAddress, slot, before: pad('0x'), after: pad(after) })

describe('configurationAfter', () => {
  test.each<[string, Partial<SafeConfiguration>]>([
    ['an owner is added', { owners: [outsider.address, ...owners], threshold: 1 }],
    ['an owner is removed', { owners: [account.address], threshold: 1 }],
    ['owners are swapped', { owners: [account.address, outsider.address] }],
    ['a module is enabled', { modules: [stranger] }],
    ['guards and the handler are set', { guard: stranger, moduleGuard: outsider.address, fallbackHandler: stranger }],
    ['the singleton is replaced', { singleton: stranger }],
  ])('default: %s', (_, changed) => {
    const after = { ...before, ...changed }
    expect(configurationAfter(before, changedSafeSlots(safeAddress, { before, after, nonce: 5n }))).toEqual(after)
    const back = changedSafeSlots(safeAddress, { before: after, after: before, nonce: 6n })
    expect(configurationAfter(after, back)).toEqual(before)
  })

  test('behavior: a list that does not end has no members', () => {
    expect(configurationAfter(before, [change(slotOf(otherOwner, 2n), stranger)])).toBeNull()
    expect(configurationAfter(before, [change(slotOf(otherOwner, 2n), account.address)])).toBeNull()
    expect(configurationAfter(before, [change(slotOf(account.address, 2n), toHex(2n ** 200n))])).toBeNull()
  })
})

describe('nameSlots', () => {
  const hash = keccak256('0x01')
  const name = (slot: Hex, after: Hex = '0x01') =>
    nameSlots([change(slot, after)], { before, hashes: [hash] })(slot.toUpperCase().replace('0X', '0x') as Hex)

  test('default: names fields, places in lists and what stands under a hash', () => {
    expect(name(pad('0x'))).toEqual({ name: 'singleton' })
    expect(name(pad('0x04'))).toEqual({ name: 'threshold' })
    expect(name(slotOf(account.address, 2n))).toEqual({ name: 'owners', of: account.address.toLowerCase() })
    const ofHash = (place: Hex) =>
      keccak256(encodeAbiParameters([{ type: 'bytes32' }, { type: 'bytes32' }], [hash, place]))
    expect(name(ofHash(pad('0x07')))).toEqual({ name: 'signedMessages', of: hash })
    expect(name(ofHash(slotOf(otherOwner, 8n)))).toEqual({ name: 'approvedHashes', of: otherOwner })
  })

  test('behavior: a newcomer is found by the slot that points to it', () => {
    const slot = slotOf(stranger, 1n)
    const changes = [change(slotOf('0x0000000000000000000000000000000000000001', 1n), stranger), change(slot, '0x01')]
    expect(nameSlots(changes, { before, hashes: [] })(slot)).toEqual({ name: 'modules', of: stranger })
  })

  test('behavior: a slot of nobody who is known has no name', () => {
    expect(name(slotOf(stranger, 2n))).toBeNull()
    expect(name(keccak256('0x'))).toBeNull()
  })
})
