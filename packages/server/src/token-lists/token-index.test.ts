import type { Address } from 'viem'
import { describe, expect, test } from 'vitest'
import type { TokenEntry } from './parse-token-list.ts'
import { readEntries } from './parse-token-list.ts'
import { readReleaseList } from './release-list.ts'
import { buildTokenIndex, findInIndex, type IndexedChain } from './token-index.ts'

const at = (digit: string): Address => `0x${digit.repeat(40)}`
const token = (address: Address, symbol: string, more: Partial<TokenEntry> = {}): TokenEntry => ({
  chainId: 1,
  address,
  symbol,
  name: `The ${symbol} token`,
  decimals: 18,
  ...more,
})
const chain: IndexedChain = {
  chainId: 1,
  coin: 'ETH',
  own: [{ address: at('1'), symbol: 'OWN', name: 'Own', decimals: 6 }],
}

/** Lists the tokens that are found after all these lists, and why the rest is not. */
async function listed(...lists: (readonly TokenEntry[])[]) {
  const named = lists.map((tokens, index) => ({ name: `list ${index}`, isTrusted: false, tokens }))
  const { index, refused } = await buildTokenIndex([chain], named)
  const addresses = [...new Set(lists.flat().map(({ address }) => address))]
  return { tokens: findInIndex(index, 1, { addresses, names: [] }), refused, index }
}

describe('buildTokenIndex', () => {
  test('default: tokens with the lists that have them, the first one’s words', async () => {
    const { tokens } = await listed([token(at('2'), 'AAA')], [token(at('2'), 'AAAA'), token(at('3'), 'BBB')])
    expect(tokens).toEqual([
      {
        address: at('2'),
        symbol: 'AAA',
        name: 'The AAA token',
        decimals: 18,
        lists: ['list 0', 'list 1'],
        isReleased: false,
      },
      { address: at('3'), symbol: 'BBB', name: 'The BBB token', decimals: 18, lists: ['list 1'], isReleased: false },
    ])
  })

  test('behavior: other decimals than what comes before are refused, also of the operator’s own token', async () => {
    const { tokens, refused } = await listed(
      [token(at('2'), 'AAA')],
      [token(at('2'), 'AAA', { decimals: 6 }), token(at('1'), 'OWN')],
    )
    expect(tokens).toMatchObject([{ decimals: 18, lists: ['list 0'] }])
    expect(refused[1]).toMatchObject([{ reason: 'differs', count: 2 }])
  })

  test.each([
    ['the coin', token(at('4'), 'ETH')],
    ['the coin, in other letters', token(at('4'), 'ΕΤΗ')],
    ['a token of the configuration', token(at('4'), 'OWN')],
    ['a token of an earlier list', token(at('4'), 'AAA')],
    ['a token of an earlier list, in other letters', token(at('4'), 'ААА')],
    ['a symbol, by its name', token(at('4'), 'XYZ', { name: 'AAA' })],
  ])('behavior: refused because it looks like %s', async (_, imitation) => {
    const { tokens, refused } = await listed([token(at('2'), 'AAA')], [imitation])
    expect(tokens.map(({ address }) => address)).toEqual([at('2')])
    expect(refused[1]).toMatchObject([{ reason: 'imitates', count: 1 }])
  })

  test('behavior: within one list the plain letters count, wherever they stand', async () => {
    const { tokens, refused } = await listed([token(at('3'), 'ААА'), token(at('2'), 'AAA'), token(at('5'), 'AAA')])
    expect(tokens.map(({ address }) => address)).toEqual([at('2'), at('5')])
    expect(refused[0]).toMatchObject([{ reason: 'imitates', examples: [`ААА ${at('3')}`] }])
  })
})

describe('findInIndex', () => {
  test('default: nothing but what shares a key: at an address, alike to it, or called like a name', async () => {
    const alike: Address = `0x22${'7'.repeat(36)}22`
    const { index } = await listed([token(at('2'), 'AAA'), token(at('3'), 'BBB'), token(alike, 'CCC')])
    const found = (addresses: Address[], names: string[] = []) =>
      findInIndex(index, 1, { addresses, names }).map(({ symbol }) => symbol)
    expect(found([at('3')])).toEqual(['BBB'])
    expect(found([at('2')])).toEqual(['AAA', 'CCC'])
    expect(found([], ['ВВВ'])).toEqual(['BBB'])
    expect(found([at('9')], ['ZZZ', ''])).toEqual([])
    // The page has those of the configuration.
    expect(found([at('1')], ['OWN'])).toEqual([])
    expect(findInIndex(index, 5, { addresses: [at('2')], names: [] })).toEqual([])
  })

  test('behavior: 50,000 tokens that are alike are told in part, and the one that is asked for always', async () => {
    const many = Array.from({ length: 50_000 }, (_, index) =>
      token(`0xab${index.toString(16).padStart(36, '0')}cd`, `T${index}`),
    )
    const { index } = await listed(many)
    const last = many.at(-1)?.address ?? at('0')
    const found = findInIndex(index, 1, { addresses: [last], names: [] })
    expect(found.length).toBeLessThanOrEqual(21)
    expect(found[0]?.address).toBe(last)
  })
})

describe('readReleaseList', () => {
  test('default: every entry can be used, with what people know', async () => {
    const opened = readReleaseList()
    const chainIds = new Set(opened.entries.map((entry) => (entry as TokenEntry).chainId))
    const read = await readEntries(opened, chainIds)
    expect(read).toMatchObject({ otherChains: 0, refused: [] })
    const chains = [...chainIds].map((chainId) => ({ chainId, coin: 'ETH', own: [] }))
    const { index, refused } = await buildTokenIndex(chains, [
      { name: read.name, isTrusted: true, tokens: read.tokens },
    ])
    expect(refused).toEqual([[]])
    const usdc: Address = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
    const [found] = findInIndex(index, 1, { addresses: [usdc], names: [] })
    const facts = { symbol: 'USDC', name: 'USD Coin', decimals: 6, lists: ['Aave token list'], isReleased: true }
    expect(found).toEqual({ address: usdc, ...facts })
  })
})
