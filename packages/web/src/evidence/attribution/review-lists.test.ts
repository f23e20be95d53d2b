import type { NamedAddress } from '@countersign/contract'
import type { Address } from 'viem'
import { describe, expect, test } from 'vitest'
import { listsThatCount, noLists } from './review-lists.ts'
import type { TeamAbi } from './team-abis.ts'

const [alice, bob, carol, dave, contract] = ['a1', 'b2', 'c3', 'd4', 'e5'].map(
  (digits): Address => `0x${digits.repeat(20)}`,
) as [Address, Address, Address, Address, Address]
const poke = JSON.stringify([{ type: 'function', name: 'poke', inputs: [] }])
const other = JSON.stringify([{ type: 'function', name: 'prod', inputs: [] }])
const by = (author: Address, abi = poke, isSigned = true): TeamAbi => ({
  contract,
  name: 'Poker',
  abi,
  author,
  signature: null,
  isSigned,
  updatedAt: '2026-01-01T00:00:00Z',
})

describe('listsThatCount', () => {
  const owners = [alice, bob, carol]
  const read = (abis: TeamAbi[], change: Partial<Parameters<typeof listsThatCount>[1]> = {}) =>
    listsThatCount({ ...noLists, abis }, { reader: carol, owners, threshold: 2, ...change }).abis.map(
      ({ functions }) => functions[0]?.name,
    )

  test('default: an ABI counts for the owner who gave it, and for all once enough owners gave the same', () => {
    expect(read([by(alice)])).toEqual([])
    expect(read([by(alice)], { reader: alice })).toEqual(['poke'])
    expect(read([by(alice), by(bob)]).length).toBeGreaterThan(0)
    expect(read([by(alice), by(bob)], { threshold: 3 })).toEqual([])
    expect(read([by(alice), by(bob)], { threshold: 1 }).length).toBeGreaterThan(0)
    expect(read([by(alice)], { threshold: 1 })).toEqual([])
  })

  test('behavior: neither a proposer, nor a former owner, nor another text, nor one owner twice helps', () => {
    expect(read([by(alice), by(dave)])).toEqual([])
    expect(read([by(alice), by(bob)], { owners: [alice, carol] })).toEqual([])
    expect(read([by(alice), by(bob, other)])).toEqual([])
    expect(read([by(alice), by(alice)])).toEqual([])
    expect(read([by(dave)], { reader: dave })).toEqual([])
    expect(read([], { owners: [], threshold: 0 })).toEqual([])
  })

  test('behavior: one that its author did not sign counts for nobody, whatever the server says', () => {
    expect(read([by(carol, poke, false)])).toEqual([])
    expect(read([by(alice, poke, false), by(bob, poke, false)])).toEqual([])
    expect(read([by(alice), by(bob, poke, false)])).toEqual([])
  })

  test('behavior: where the reader gave another one than the others, the reader’s own reads the call', () => {
    expect(read([by(carol, other), by(alice), by(bob)]).at(-1)).toBe('prod')
  })
})

describe('listsThatCount, of names', () => {
  const owners = [alice, bob, carol]
  const named = (author: Address, name = 'Studio Ligne'): NamedAddress => ({
    address: contract,
    name,
    author,
    signature: null,
    updatedAt: '2026-01-01T00:00:00Z',
  })
  const read = (names: NamedAddress[], change: Partial<Parameters<typeof listsThatCount>[1]> = {}) =>
    listsThatCount({ ...noLists, names, signedNames: names }, { reader: carol, owners, threshold: 2, ...change })
  const isFamiliar = (...input: Parameters<typeof read>) => read(...input).familiar.length > 0

  test('default: an address is familiar to the owner who named it or endorsed the name, and to all once enough owners did', () => {
    expect(isFamiliar([named(alice)])).toBe(false)
    expect(isFamiliar([named(alice)], { reader: alice })).toBe(true)
    expect(isFamiliar([named(dave), named(carol)])).toBe(true)
    expect(isFamiliar([named(alice), named(bob)])).toBe(true)
    expect(isFamiliar([named(alice), named(bob)], { threshold: 3 })).toBe(false)
    expect(isFamiliar([named(alice)], { owners: [alice], threshold: 1, reader: null })).toBe(true)
  })

  test('behavior: a proposer, a former owner, another spelling and one owner twice make nothing familiar', () => {
    expect(isFamiliar([named(alice), named(dave)])).toBe(false)
    expect(isFamiliar([named(dave)], { reader: dave })).toBe(false)
    expect(isFamiliar([named(alice), named(bob)], { owners: [alice, carol] })).toBe(false)
    expect(isFamiliar([named(alice), named(bob, 'studio ligne')])).toBe(false)
    expect(isFamiliar([named(alice), named(alice)])).toBe(false)
    expect(isFamiliar([named(alice)], { owners: [], threshold: 0, reader: alice })).toBe(false)
  })

  test('behavior: an unsigned name makes an address recognized and not familiar, for whom a signed one counts', () => {
    const unsigned = (names: NamedAddress[], signedNames: NamedAddress[] = []) => {
      const lists = { ...noLists, names, signedNames }
      const { familiar, recognized } = listsThatCount(lists, { reader: carol, owners, threshold: 2 })
      return { familiar, recognized }
    }
    expect(unsigned([named(carol)])).toEqual({ familiar: [], recognized: [contract] })
    expect(unsigned([named(alice), named(bob)])).toEqual({ familiar: [], recognized: [contract] })
    expect(unsigned([named(alice), named(bob)], [named(bob)])).toEqual({ familiar: [], recognized: [contract] })
    expect(unsigned([named(alice)])).toEqual({ familiar: [], recognized: [] })
    expect(unsigned([named(dave)], [named(dave)])).toEqual({ familiar: [], recognized: [] })
  })

  test('behavior: what any owner named is compared with, whoever reads', () => {
    expect(read([named(alice), named(dave)]).named).toEqual([contract])
  })
})
