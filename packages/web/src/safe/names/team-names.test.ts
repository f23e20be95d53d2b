import { describe, expect, test } from 'vitest'
import { chooseName, sayName } from './team-names.ts'

const [alice, bob, carol, dave] = ['a1', 'b2', 'c3', 'd4'].map((digits) => `0x${digits.repeat(20)}` as const) as [
  `0x${string}`,
  `0x${string}`,
  `0x${string}`,
  `0x${string}`,
]
const owners = [alice, bob, carol]
const given = (author: `0x${string}`, day: number, name = 'Timelock') => ({
  name,
  author,
  updatedAt: new Date(Date.UTC(2026, 0, day)).toISOString(),
})
const said = (names: ReturnType<typeof given>[], readers: { owners: string[]; reader: string | null }) => {
  const chosen = chooseName(names, readers)
  return chosen && sayName(chosen, readers)
}

describe('sayName', () => {
  test('default: who gave a name first wrote it, owners who gave it later endorsed it', () => {
    expect(said([given(bob, 2), given(alice, 1), given(carol, 3)], { owners, reader: carol })).toBe(
      '“Timelock” (named by owner 1; endorsed by owner 2, you)',
    )
    expect(said([given(alice, 1)], { owners, reader: alice })).toBe('“Timelock” (named by you)')
  })

  test('behavior: of a name that an owner endorsed the proposer stays the writer, and no proposer endorses', () => {
    expect(said([given(dave, 1), given(alice, 2)], { owners, reader: bob })).toBe(
      '“Timelock” (named by 0xd4d4…d4d4, not an owner; endorsed by owner 1)',
    )
    expect(said([given(alice, 1), given(dave, 2)], { owners, reader: bob })).toBe('“Timelock” (named by owner 1)')
  })

  test('behavior: an endorsement falls away with the owner who gave it', () => {
    const names = [given(alice, 1), given(bob, 2)]
    expect(said(names, { owners: [alice, carol], reader: carol })).toBe('“Timelock” (named by owner 1)')
    expect(said(names, { owners: [bob, carol], reader: carol })).toBe(
      '“Timelock” (named by 0xa1a1…a1a1, not an owner; endorsed by owner 1)',
    )
  })
})

describe('chooseName', () => {
  test('default: the reader’s own name, else the one that most owners gave, else the first', () => {
    const names = [given(dave, 1, 'DAO'), given(alice, 2, 'Kasse'), given(bob, 3), given(carol, 4)]
    expect(chooseName(names, { owners, reader: alice })?.name).toBe('Kasse')
    expect(chooseName(names, { owners, reader: null })?.name).toBe('Timelock')
    expect(chooseName(names.slice(0, 1), { owners, reader: null })).toMatchObject({ name: 'DAO', by: 'other' })
    expect(chooseName([], { owners, reader: null })).toBeUndefined()
  })
})
