import { describe, expect, test } from 'vitest'
import { formatHashForDevice } from './device-format.ts'

const hash = '0xcb8bbe7bf8f8a1f3f57658e450d07d4422356ac042d96a87ba425b19e67a78a1'

describe('formatHashForDevice', () => {
  test('default: capitals after a small x, or none', () => {
    expect(formatHashForDevice(hash, 'upper')).toBe(
      '0xCB8BBE7BF8F8A1F3F57658E450D07D4422356AC042D96A87BA425B19E67A78A1',
    )
    expect(formatHashForDevice('0xAB', 'lower')).toBe('0xab')
  })
})
