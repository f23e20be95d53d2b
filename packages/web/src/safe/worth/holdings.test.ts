import type { TokenReading } from '@countersign/safe'
import type { Address } from 'viem'
import { expect, test } from 'vitest'
import { assetOf, countedDecimals, holdingsOf } from './holdings.ts'

const usdc: Address = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const configured = {
  address: usdc,
  symbol: 'USDC',
  name: 'USD Coin',
  decimals: 6,
}
const listed = { ...configured, lists: ['A list'] }
const reading = (own: number | null): TokenReading => ({
  address: usdc,
  balance: 5_000_000n,
  decimals: own,
  name: null,
  symbol: null,
})

test('countedDecimals: those of the configuration stand alone; those of a list only where the contract says the same', () => {
  expect([countedDecimals(configured, null), countedDecimals(configured, 6), countedDecimals(configured, 18)]).toEqual([
    6,
    6,
    null,
  ])
  expect([countedDecimals(listed, null), countedDecimals(listed, 6), countedDecimals(listed, 18)]).toEqual([
    null,
    6,
    null,
  ])
})

test('holdingsOf: nothing is counted that was not read, or counts otherwise', () => {
  const of = (own: number | null) => holdingsOf([listed], new Map([[listed.address.toLowerCase(), reading(own)]]))[0]
  expect(of(6)).toEqual({ token: listed.address, amount: 5_000_000n, decimals: 6 })
  expect(of(18)?.amount).toBeNull()
  expect(holdingsOf([listed], new Map())[0]?.amount).toBeNull()
})

test('assetOf: the coin has no address, and addresses have no case', () => {
  expect(assetOf(null)).toBe('native')
  expect(assetOf(usdc.toLowerCase())).toBe(usdc)
})
