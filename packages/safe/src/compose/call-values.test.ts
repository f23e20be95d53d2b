import { parseUnits } from 'viem'
import { describe, expect, test } from 'vitest'
import { parseGivenFunctions } from '../calls/given-abi.ts'
import { encodeTypedCall } from './call-values.ts'

const abi = (type: string) => parseGivenFunctions(`function f(${type} x)`)[0]

function read(typed: string, type = 'uint256'): bigint | string | undefined {
  const called = abi(type)
  const encoded = called && encodeTypedCall(called, [typed])
  if (!encoded?.ok) return encoded?.problems[0]?.reason
  const value = BigInt(`0x${encoded.data.slice(10)}`)
  return type.startsWith('int') ? BigInt.asIntN(256, value) : value
}

describe('encodeTypedCall', () => {
  test.each([
    ['1.5 ether', parseUnits('1.5', 18)],
    ['1.5ether', parseUnits('1.5', 18)],
    ['20 Gwei', parseUnits('20', 9)],
    ['7 wei', 7n],
    ['0.000000000000000001 ether', 1n],
    ['1250.5e6', parseUnits('1250.5', 6)],
    ['1e18', 10n ** 18n],
    ['1.500e1', 15n],
    ['0 ether', 0n],
    ['007 wei', 7n],
    ['1500000', 1_500_000n],
    ['0x10', 16n],
  ])('behavior: a number with its unit, exactly: %s', (typed, value) => {
    expect(read(typed)).toBe(value)
  })

  test.each([
    ['1.5', 'not-a-number'],
    ['1.5 wei', 'not-a-number'],
    ['0.0000000000000000001 ether', 'not-a-number'],
    ['1,5 ether', 'not-a-number'],
    ['1.5 finney', 'not-a-number'],
    ['1e', 'not-a-number'],
    ['1e999', 'not-a-number'],
    ['0x1 ether', 'not-a-number'],
    ['1e78', 'not-a-number'],
    ['-1 ether', 'out-of-range'],
    ['999999999999999999999999999999999999999999999999999999999999 ether', 'out-of-range'],
  ])('behavior: nothing that would be rounded or guessed: %s', (typed, reason) => {
    expect(read(typed)).toBe(reason)
  })

  test.each(['(uint8 a, uint8 b)', '(uint8, uint8)', '(uint8 a, uint8 a)'])(
    'behavior: members of %s in their order',
    (type) => {
      const called = abi(type)
      if (called === undefined) throw new Error(type)
      const data = `${called.selector}${'01'.padStart(64, '0')}${'02'.padStart(64, '0')}`
      expect(encodeTypedCall(called, ['[1, 2]'])).toEqual({ ok: true, data })
      if (type.includes('b')) expect(encodeTypedCall(called, ['{"b": 2, "a": 1}'])).toEqual({ ok: true, data })
    },
  )

  test('behavior: the sign and the range of the type stay', () => {
    expect(read('-1.5 gwei', 'int256')).toBe(-1_500_000_000n)
    expect(read('1 gwei', 'uint8')).toBe('out-of-range')
  })
})
