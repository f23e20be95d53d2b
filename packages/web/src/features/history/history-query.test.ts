import { getAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import {
  exportUrl,
  type HistoryChoice,
  isChosen,
  noChoice,
  parseBound,
  parseChoice,
  toFilter,
  unitOf,
  writeChoice,
} from './history-query.ts'

const dollar = getAddress('0x00000000000000000000000000000000000a55e7')
const other = getAddress('0x000000000000000000000000000000000000beef')
const chain = {
  chainId: 1,
  name: 'Chain',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  publicRpcUrl: null,
  nameRegistry: null,
  bringFrom: null,
  listRevision: null,
  explorerUrl: null,
  isDevnet: false,
  index: 'tracked' as const,
  status: 'ok' as const,
  proof: { sources: 1, wallet: false, maxBlocksBehind: 25 },
  tokens: [{ address: dollar, name: 'Test Dollar', symbol: 'TUSD', decimals: 6 }],
}

function filterOf(part: Partial<HistoryChoice>) {
  return toFilter({ ...noChoice, ...part }, chain)
}

describe('toFilter', () => {
  test('default: nothing chosen filters nothing', () => {
    expect(filterOf({})).toEqual({})
    expect(isChosen(noChoice)).toBe(false)
    expect(isChosen({ ...noChoice, nonce: '0' })).toBe(true)
  })

  test('behavior: an amount counts in the unit of the asset', () => {
    expect(filterOf({ token: 'native', minAmount: '1.5' })).toEqual({ token: 'native', minAmount: 15n * 10n ** 17n })
    expect(filterOf({ token: dollar, minAmount: '1', maxAmount: '2.5' })).toEqual({
      token: dollar,
      minAmount: 1_000_000n,
      maxAmount: 2_500_000n,
    })
    expect(filterOf({ token: 'other', tokenAddress: other, maxAmount: '7' })).toEqual({ token: other, maxAmount: 7n })
  })

  test('behavior: an amount without an asset filters nothing', () => {
    expect(filterOf({ minAmount: '1' })).toEqual({})
    expect(unitOf(noChoice, chain)).toBeNull()
  })

  test('behavior: what is half typed or wrong filters nothing yet', () => {
    const choice = { token: 'other', tokenAddress: '0x12', counterparty: 'bob', nonce: '1.5', minAmount: '1,000' }
    expect(filterOf(choice)).toEqual({})
    expect(parseBound('1,000', { decimals: 6 })).toMatchObject({ ok: false, problem: 'separator' })
  })

  test('behavior: kinds, nonce, counterparty, days of the reader', () => {
    expect(filterOf({ group: 'unexplained' }).kinds).toEqual(['unexplained-in', 'unexplained-out', 'unexplained-nonce'])
    expect(filterOf({ nonce: '0', counterparty: other.toLowerCase() })).toEqual({ nonce: 0n, counterparty: other })
    const { since, until } = filterOf({ since: '2026-03-01', until: '2026-03-01' })
    expect(new Date(since ?? '').getDate()).toBe(1)
    expect(new Date(until ?? '').getDate()).toBe(2)
  })
})

describe('exportUrl', () => {
  test('default: the same filters as the screen', () => {
    const url = exportUrl(1, other, filterOf({ group: 'settings', token: 'native', maxAmount: '1' }))
    const query = new URL(url, 'http://here').searchParams
    expect(query.get('kinds')?.split(',')).toContain('owner-added')
    expect(query.get('maxAmount')).toBe('1000000000000000000')
  })
})

describe('parseChoice', () => {
  test('default: what was written comes back, and only what is chosen is written', () => {
    const choice = { ...noChoice, group: 'sent', token: 'native', minAmount: '0.5', nonce: '7' } as const
    expect(writeChoice(choice)).toEqual({ group: 'sent', token: 'native', minAmount: '0.5', nonce: '7' })
    expect(parseChoice(writeChoice(choice))).toEqual(choice)
    expect(writeChoice(noChoice)).toEqual({})
  })

  test('behavior: an address that somebody made up filters nothing that is none, and numbers are as typed', () => {
    expect(parseChoice({ group: 'constructor', nonce: 7, token: { toString: 1 }, other: 'x' })).toEqual({
      ...noChoice,
      nonce: '7',
    })
    expect(parseChoice({ counterparty: 'x'.repeat(10_000) }).counterparty).toHaveLength(100)
  })
})
