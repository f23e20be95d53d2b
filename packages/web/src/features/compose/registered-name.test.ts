import { describe, expect, it } from 'vitest'
import { normalizeName } from '../../review/registered/normalize-name.ts'
import { isNameTyped } from './registered-name.ts'

describe('isNameTyped', () => {
  it.each(['supplier.eth', ' Supplier.ETH ', 'a.b.c.xyz', '名前.eth', 'pay.example.com'])('takes %s', (typed) => {
    expect(isNameTyped(typed)).toBe(true)
  })

  it.each([
    ...['', '0x90F79bf6EB2c4f870365E785982E1f101E93b906', 'supplier', 'supplier.', '.eth', '1.5', 'two words.eth'],
    `${'a'.repeat(300)}.eth`,
  ])('takes no %s', (typed) => {
    expect(isNameTyped(typed)).toBe(false)
  })
})

describe('normalizeName', () => {
  it('has one way of writing a name, and none for what imitates another', () => {
    expect(normalizeName('SUPPLIER.eth')).toBe('supplier.eth')
    expect(normalizeName('sup\u200bplier.eth')).toBe('supplier.eth')
    // A Cyrillic letter among Latin ones, a change of direction, a part that is empty.
    for (const name of ['suppl\u0456er.eth', 'sup\u202eplier.eth', 'a..eth']) expect(normalizeName(name)).toBeNull()
  })
})
