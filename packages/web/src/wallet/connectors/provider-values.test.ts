import { describe, expect, test } from 'vitest'
import { parseAccounts, parseChainId } from './provider-values.ts'

const anna = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

describe('parseChainId', () => {
  test.each([
    [1, 1],
    [31337n, 31337],
    ['137', 137],
    ['0x89', 137],
    [' 0x89 ', 137],
    ['eip155:10', 10],
    ['solana:10', undefined],
    ['-1', undefined],
    [0, undefined],
    [Number.NaN, undefined],
    [1.5, undefined],
    [Number.POSITIVE_INFINITY, undefined],
    ['99999999999999999999', undefined],
    ['', undefined],
    [null, undefined],
    [{ toString: () => '1' }, undefined],
  ])('default: %s is %s', (value, chainId) => expect(parseChainId(value)).toBe(chainId))
})

describe('parseAccounts', () => {
  test.each([
    ['in any case', [anna.toLowerCase()], [anna]],
    ['in capitals, prefix too', [anna.toUpperCase()], [anna]],
    ['twice', [anna, anna.toLowerCase()], [anna]],
    ['between what is none', [null, 7, '0x', `${anna}00`, anna], [anna]],
    ['none', [], []],
    ['no list', { 0: anna, length: 1 }, null],
    ['a text', anna, null],
    ['nothing', undefined, null],
  ])('default: %s', (_, value, accounts) => expect(parseAccounts(value)).toEqual(accounts))
})
