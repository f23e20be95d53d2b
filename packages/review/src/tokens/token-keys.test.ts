import { expect, test } from 'vitest'
import { questionKeys } from './token-keys.ts'

test('default: ends of addresses and how names look, each once', () => {
  const usdc = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
  expect(questionKeys({ addresses: [usdc], names: ['USDC', 'USDC'] })).toEqual(['a048', '~usdc'])
})

test('behavior: a name that would be spelled out in hundreds of characters looks like no token', () => {
  // One letter stands for eighteen characters.
  expect(questionKeys({ addresses: [], names: ['ﷺ'.repeat(14), 'USDC'] })).toEqual(['~usdc'])
})
