import { describe, expect, test } from 'vitest'
import { formatHashForDevice, groupHash, isHashFromDevice } from './device-format.ts'

const hash = '0xcb8bbe7bf8f8a1f3f57658e450d07d4422356ac042d96a87ba425b19e67a78a1'

describe('formatHashForDevice', () => {
  test('default: capitals after a small x, or none', () => {
    expect(formatHashForDevice(hash, 'upper')).toBe(
      '0xCB8BBE7BF8F8A1F3F57658E450D07D4422356AC042D96A87BA425B19E67A78A1',
    )
    expect(formatHashForDevice('0xAB', 'lower')).toBe('0xab')
  })
})

describe('groupHash', () => {
  test('default: 16 groups of four, or 8 of eight, that make up the hash', () => {
    expect(groupHash(hash, 4)).toHaveLength(16)
    expect(groupHash(hash, 8)).toEqual([
      'cb8bbe7b',
      'f8f8a1f3',
      'f57658e4',
      '50d07d44',
      '22356ac0',
      '42d96a87',
      'ba425b19',
      'e67a78a1',
    ])
    expect(`0x${groupHash(formatHashForDevice(hash, 'upper'), 4).join('')}`).toBe(formatHashForDevice(hash, 'upper'))
  })
})

describe('isHashFromDevice', () => {
  test('default: whatever the case and the spaces', () => {
    expect(isHashFromDevice(groupHash(formatHashForDevice(hash, 'upper'), 4).join(' '), hash)).toBe(true)
    expect(isHashFromDevice(` ${hash}\n`, hash)).toBe(true)
  })

  test('behavior: a part, a wrong digit or nothing is not the hash', () => {
    expect(isHashFromDevice(hash.slice(0, -1), hash)).toBe(false)
    expect(isHashFromDevice(`${hash.slice(0, -1)}0`, hash)).toBe(false)
    expect(isHashFromDevice('', hash)).toBe(false)
    expect(isHashFromDevice('0x', '0x')).toBe(false)
  })
})
