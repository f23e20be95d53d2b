import { describe, expect, test } from 'vitest'
import { openTokenList, readEntries } from './parse-token-list.ts'

const usdc = {
  chainId: 1,
  address: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  symbol: 'USDC',
  name: 'USD Coin',
  decimals: 6,
}
const dai = {
  chainId: 1,
  address: '0x6B175474E89094C44Da98b954EedeAC495271d0F',
  symbol: 'DAI',
  name: 'Dai',
  decimals: 18,
}

function listOf(tokens: readonly unknown[], more: object = {}): string {
  return JSON.stringify({
    name: 'Test',
    timestamp: '2026-11-01T00:00:00Z',
    version: { major: 1, minor: 2, patch: 3 },
    tokens,
    ...more,
  })
}

async function read(tokens: readonly unknown[]) {
  const opened = openTokenList(listOf(tokens))
  if ('fault' in opened) throw new Error(opened.fault)
  return readEntries(opened, new Set([1, 100]))
}

/** Why an entry is refused; null where it is taken. */
async function refusalOf(entry: unknown): Promise<string | null> {
  const { tokens, refused } = await read([entry])
  expect(tokens.length + refused.length).toBe(1)
  return refused[0]?.reason ?? null
}

describe('openTokenList', () => {
  test('default: name, time and version', () => {
    expect(openTokenList(listOf([usdc]))).toEqual({
      name: 'Test',
      madeAt: new Date('2026-11-01T00:00:00Z'),
      version: '1.2.3',
      entries: [usdc],
    })
    expect(openTokenList('{"name":"Bare","timestamp":"no time","tokens":[]}')).toMatchObject({
      madeAt: null,
      version: null,
    })
  })

  test('behavior: a name hides nothing', () => {
    expect(openTokenList(listOf([], { name: '\u202eevil\u200b list' }))).toMatchObject({ name: 'evil list' })
  })

  test.each([
    ['not-json', '<html>busy</html>'],
    ['no-list', '[]'],
    ['no-list', '{"name":"Test","tokens":{}}'],
    ['no-list', 'null'],
    ['too-many', listOf(new Array(50_001).fill(0))],
    ['too-large', `${listOf([])}${' '.repeat(10_000_001)}`],
  ])('behavior: %s', (fault, text) => {
    expect(openTokenList(text)).toMatchObject({ fault })
  })
})

describe('readEntries', () => {
  test('default: the entries of configured chains', async () => {
    const { tokens, otherChains, refused } = await read([
      usdc,
      { ...dai, logoURI: 'ipfs://x', tags: ['stable'] },
      { ...usdc, chainId: 5 },
    ])
    expect(tokens).toEqual([usdc, dai])
    expect({ otherChains, refused }).toEqual({ otherChains: 1, refused: [] })
  })

  test('behavior: an address in one case has no checksum; a wrong one is refused', async () => {
    const lower = usdc.address.toLowerCase()
    expect((await read([{ ...usdc, address: lower }])).tokens).toEqual([usdc])
    expect(await refusalOf({ ...usdc, address: `0x${lower.slice(2).toUpperCase()}` })).toBeNull()
    expect(await refusalOf({ ...usdc, address: usdc.address.replace('A0b8', 'a0b8') })).toBe('checksum')
  })

  test.each([
    ['malformed', 7],
    ['malformed', null],
    ['malformed', { ...usdc, chainId: '1' }],
    ['malformed', { ...usdc, chainId: 1.5 }],
    ['malformed', { ...usdc, address: '0x12' }],
    ['malformed', { ...usdc, decimals: -1 }],
    ['malformed', { ...usdc, decimals: 6.5 }],
    ['malformed', { ...usdc, decimals: 256 }],
    ['malformed', { ...usdc, symbol: undefined }],
    ['text', { ...usdc, symbol: '' }],
    ['text', { ...usdc, symbol: 'US\u202eDC' }],
    ['text', { ...usdc, symbol: 'USDC\u200b' }],
    ['text', { ...usdc, symbol: ' USDC' }],
    ['text', { ...usdc, symbol: 'U'.repeat(21) }],
    ['text', { ...usdc, name: 'USD\nCoin' }],
    ['text', { ...usdc, name: 'x'.repeat(61) }],
  ])('behavior: refused as %s: %j', async (reason, entry) => {
    expect(await refusalOf(entry)).toBe(reason)
  })

  test('behavior: an entry that is nested a hundred thousand deep is refused like any other, and the rest is read', async () => {
    const opened = openTokenList(listOf([usdc]).replace('[', `[${'['.repeat(100_000)}${']'.repeat(100_000)},`))
    if ('fault' in opened) throw new Error(opened.fault)
    const { tokens, refused } = await readEntries(opened, new Set([1]))
    expect(tokens).toEqual([usdc])
    expect(refused).toEqual([{ reason: 'malformed', count: 1, examples: ['["…"]'] }])
  })

  test('behavior: what stands twice counts once, the first time', async () => {
    const { tokens, refused } = await read([
      usdc,
      { ...usdc, symbol: 'USDX' },
      { ...usdc, address: usdc.address.toLowerCase() },
    ])
    expect(tokens).toEqual([usdc])
    expect(refused).toEqual([
      { reason: 'twice', count: 2, examples: [`USDX ${usdc.address}`, `USDC ${usdc.address.toLowerCase()}`] },
    ])
  })
})
