import { type Address, concat, type Hex, toHex, zeroAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import { hashCowOrder, orderOf, parseCowOrder, parseOrderUid } from './cow-order.ts'

const safeAddress: Address = '0x2222222222222222222222222222222222222222'
const stranger: Address = '0x1234567890123456789012345678901234567890'
const token: Address = '0x4444444444444444444444444444444444444444'

const fields = {
  sellToken: token,
  buyToken: stranger,
  receiver: safeAddress,
  sellAmount: '5',
  buyAmount: '4',
  validTo: 9,
  appData: `0x${'00'.repeat(32)}`,
  feeAmount: '1',
  kind: 'sell',
  partiallyFillable: true,
}
const read = (change: object = {}) => parseCowOrder(JSON.stringify({ ...fields, ...change }))
const uidOf = (order: ReturnType<typeof read>, owner: Hex = safeAddress) =>
  concat([hashCowOrder(order, 1), owner, toHex(order.validTo, { size: 4 })])

describe('hashCowOrder', () => {
  test('default: each field changes the digest', () => {
    const changes = [
      { sellToken: stranger },
      { buyToken: token },
      { receiver: stranger },
      { sellAmount: '6' },
      { buyAmount: '5' },
      { validTo: 10 },
      { appData: `0x${'11'.repeat(32)}` },
      { feeAmount: '2' },
      { kind: 'buy' },
      { partiallyFillable: false },
      { sellTokenBalance: 'internal' },
      { buyTokenBalance: 'internal' },
    ]
    const digests = [{}, ...changes].map((change) => hashCowOrder(read(change), 1))
    expect(new Set([...digests, hashCowOrder(read(), 10)]).size).toBe(changes.length + 2)
  })
})

describe('parseCowOrder', () => {
  test('behavior: alone, in typed data, or as the service answers it', () => {
    const order = read()
    expect(parseCowOrder(JSON.stringify({ message: fields, domain: {} }))).toEqual(order)
    expect(parseCowOrder(JSON.stringify({ ...fields, appData: '{}', appDataHash: fields.appData, uid: '0x' }))).toEqual(
      order,
    )
    expect(read({ receiver: null }).receiver).toBe(zeroAddress)
  })

  test.each<[string, object]>([
    ['a token', { sellToken: '0x12' }],
    ['an amount', { sellAmount: '1e18' }],
    ['an amount that is too large', { sellAmount: String(2n ** 256n) }],
    ['a number that JSON has rounded', { sellAmount: 1e30 }],
    ['an end', { validTo: String(2n ** 32n) }],
    ['a kind', { kind: 'SELL' }],
    ['a kind of prototypes', { kind: 'constructor' }],
    ['a balance', { buyTokenBalance: 'external' }],
    ['what stands beside it', { appData: '{}' }],
    ['whether it is filled in parts', { partiallyFillable: 'yes' }],
  ])('error: FIELD_MALFORMED, %s', (_, change) => {
    expect(() => read(change)).toThrow(/The field/)
  })

  test.each([
    '',
    '[]',
    'null',
    '{"message":[]}',
    '{"__proto__":{"kind":"sell"}}',
    '['.repeat(50_000),
    'x'.repeat(100_001),
  ])('error: FIELD_MALFORMED, %#', (text) => {
    expect(() => parseCowOrder(text)).toThrow()
  })
})

describe('orderOf', () => {
  const order = read()

  test('default', () => {
    expect(parseOrderUid(uidOf(order))).toMatchObject({ owner: safeAddress, validTo: 9 })
    expect(orderOf(uidOf(order), [read({ kind: 'buy' }), order], { chainId: 1, owner: safeAddress })).toEqual(order)
  })

  test.each<[string, Hex, number]>([
    ['of another owner', uidOf(order, stranger), 1],
    ['on another chain', uidOf(order), 10],
    ['of another order', uidOf(read({ buyAmount: '3' })), 1],
    ['that ends at another time', concat([hashCowOrder(order, 1), safeAddress, toHex(10, { size: 4 })]), 1],
    ['that is cut off', hashCowOrder(order, 1), 1],
  ])('behavior: a uid %s is none of it', (_, uid, chainId) => {
    expect(orderOf(uid, [order], { chainId, owner: safeAddress })).toBeNull()
  })
})
