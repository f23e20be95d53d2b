import { getAddress, numberToHex, pad, zeroAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import { imitatedSymbol, isHeldOrUnread, joinPages } from './assets.ts'

const listed = getAddress('0x00000000000000000000000000000000000a55e7')
const chain = {
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  tokens: [{ address: listed, name: 'Test Dollar', symbol: 'TUSD', decimals: 6 }],
}

describe('imitatedSymbol', () => {
  test('default: a listed symbol, and letters that look like it', () => {
    const imitations = ['TUSD', 'tusd', '\u0422USD', 'T\u200bUSD']
    for (const symbol of imitations) expect(imitatedSymbol({ name: null, symbol }, chain)).toBe('TUSD')
  })

  test("behavior: the chain's own coin, and a name that is a symbol", () => {
    expect(imitatedSymbol({ name: null, symbol: 'ETH' }, chain)).toBe('ETH')
    expect(imitatedSymbol({ name: 'TUSD', symbol: 'X' }, chain)).toBe('TUSD')
  })

  test('behavior: nothing for other names, and for none', () => {
    expect(imitatedSymbol({ name: 'Points', symbol: 'PTS' }, chain)).toBeNull()
    expect(imitatedSymbol({ name: null, symbol: null }, chain)).toBeNull()
    expect(imitatedSymbol({ name: '', symbol: '' }, chain)).toBeNull()
  })
})

describe('joinPages', () => {
  const item = (tokenId: bigint) => ({ address: listed, kind: 'erc721' as const, tokenId, balance: 1n })
  const collection = (...ids: bigint[]) => ({ address: listed, name: null, symbol: null, items: ids.map(item) })

  test('default: a collection on two pages stands once, with all items', () => {
    const other = { ...collection(5n), address: zeroAddress }
    const { collections } = joinPages([
      { tokens: [], collections: [collection(1n, 2n), other], nextCursor: 'more' },
      { tokens: [], collections: [collection(3n)], nextCursor: null },
    ])
    expect(collections.map(({ items }) => items.map(({ tokenId }) => tokenId))).toEqual([[1n, 2n, 3n], [5n]])
  })
})

describe('isHeldOrUnread', () => {
  test('default: what could not be read is not taken for nothing', () => {
    expect([0n, 1n, 'failed' as const, 'unread' as const].map((balance) => isHeldOrUnread({ balance }))).toEqual([
      false,
      true,
      true,
      true,
    ])
  })
})

describe('5,000 tokens', () => {
  test('behavior: are put together and looked through before anybody waits', () => {
    const name = (index: number) => `Token number ${index} with a name of some length`
    const pages = Array.from({ length: 100 }, (_, page) => ({
      tokens: Array.from({ length: 50 }, (_, at) => {
        const index = page * 50 + at
        const address = getAddress(pad(numberToHex(index + 1), { size: 20 }))
        return {
          address,
          name: name(index),
          symbol: index === 4_999 ? '\u0422USD' : `T${index}`,
          decimals: 18,
          balance: 1n,
        }
      }),
      collections: [],
      nextCursor: null,
    }))
    const many = { ...chain, tokens: Array.from({ length: 500 }, (_, index) => listedToken(index)) }
    const { tokens } = joinPages(pages)
    const imitations = tokens.filter(isHeldOrUnread).filter((token) => imitatedSymbol(token, many) !== null)
    expect(tokens).toHaveLength(5_000)
    expect(imitations.map(({ symbol }) => symbol)).toEqual(['\u0422USD'])
  })
})

function listedToken(index: number) {
  return index === 0
    ? { address: listed, name: 'Test Dollar', symbol: 'TUSD', decimals: 6 }
    : {
        address: getAddress(pad(numberToHex(900_000 + index), { size: 20 })),
        name: `Listed ${index}`,
        symbol: `LST${index}x`,
        decimals: 18,
      }
}
