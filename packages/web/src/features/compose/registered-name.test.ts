import { describe, expect, it } from 'vitest'
import { normalizeName } from './normalize-name.ts'
import { isNameTyped, nameRegistryFor } from './registered-name.ts'

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

describe('nameRegistryFor', () => {
  const chain = (chainId: number, nameRegistry: string | null) => ({ chainId, nameRegistry }) as never
  const [one, other] = ['0x00000000000C2E074eC69A0dFb2997BA6C7d2e1e', '0x90F79bf6EB2c4f870365E785982E1f101E93b906']

  it('takes that of the chain, else that of Ethereum where it is configured', () => {
    const chains = [chain(1, one), chain(10, null), chain(31337, other)]
    expect(nameRegistryFor(chains, 31337)).toEqual({ chainId: 31337, address: other })
    expect(nameRegistryFor(chains, 10)).toEqual({ chainId: 1, address: one })
    expect(nameRegistryFor(chains.slice(1), 10)).toBeNull()
    expect(nameRegistryFor([chain(1, null)], 1)).toBeNull()
  })
})
