import type { Given } from '@countersign/review'
import { newSafeTx, type SafeState } from '@countersign/safe'
import { type Address, encodeFunctionData, parseAbi } from 'viem'
import { expect, test } from 'vitest'
import { swapPricesQuery, withPrices } from './swap-prices.ts'

const [safeAddress, router]: [Address, Address] = [
  '0x2222222222222222222222222222222222222222',
  '0x3333333333333333333333333333333333333333',
]
const data = encodeFunctionData({
  abi: parseAbi(['function swapExactTokensForETH(uint256,uint256,address[],address,uint256)']),
  args: [1n, 1n, [router, safeAddress], safeAddress, 1n],
})
const given: Given = {
  kind: 'transaction',
  chainId: 1,
  safeAddress,
  safeTx: newSafeTx({ to: router, data, nonce: 0n }),
  state: {} as SafeState,
  claimedHash: null,
  confirmations: [],
  others: [],
  account: null,
  origin: null,
  tokens: [],
}

test('swapPricesQuery: nobody is asked without a source, or before a run tells what a swap exchanges', () => {
  expect(swapPricesQuery(null, given, {}).enabled).toBe(false)
  expect(swapPricesQuery('USD', given, {}).enabled).toBe(false)
  expect(swapPricesQuery('USD', null, {}).enabled).toBe(false)
})

test('withPrices: what nobody answered is not among what a review is given', () => {
  expect(withPrices(given, undefined)).toBe(given)
  expect(withPrices(given, { currency: 'USD', ofAsset: {} }).prices).toEqual({ currency: 'USD', ofAsset: {} })
})
