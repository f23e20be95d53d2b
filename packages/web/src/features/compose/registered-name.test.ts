import { describe, expect, it } from 'vitest'
import { isNameTyped } from './registered-name.ts'

describe('isNameTyped', () => {
  it.each(['supplier.eth', ' Supplier.ETH ', 'a.b.c.xyz', '名前.eth', 'pay.example.com'])('takes %s', (typed) => {
    expect(isNameTyped(typed)).toBe(true)
  })

  it.each([
    '',
    '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
    'supplier',
    'supplier.',
    '.eth',
    '1.5',
    'two words.eth',
    `${'a'.repeat(300)}.eth`,
  ])('takes no %s', (typed) => {
    expect(isNameTyped(typed)).toBe(false)
  })
})
