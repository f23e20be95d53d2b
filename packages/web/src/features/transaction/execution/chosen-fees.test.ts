import { describe, expect, it } from 'vitest'
import { noFees, parseFees } from './chosen-fees.tsx'

describe('parseFees', () => {
  it('default: what is left empty the wallet decides', () => {
    expect(parseFees(noFees)).toEqual({ fees: {}, errors: {} })
    expect(parseFees({ most: '1.5', tip: '0.000000001', gas: '210000', nonce: '0' })).toEqual({
      fees: { maxFeePerGas: 1_500_000_000n, maxPriorityFeePerGas: 1n, gas: 210_000n, nonce: 0 },
      errors: {},
    })
  })

  it.each([
    ['most', '1,5'],
    ['most', '-1'],
    ['most', '1e9'],
    ['tip', '0.0000000001'],
    ['gas', '0x5208'],
    ['gas', '99999999999'],
    ['nonce', '1.5'],
    ['nonce', '9007199254740993'],
  ] as const)('behavior: refuses %s of %s at its field', (name, value) => {
    const { fees, errors } = parseFees({ ...noFees, [name]: value })
    expect([Object.keys(errors), fees]).toEqual([[name], {}])
  })

  it('behavior: the tip is a part of the highest fee', () => {
    expect(Object.keys(parseFees({ ...noFees, most: '1', tip: '2' }).errors)).toEqual(['tip'])
    expect(parseFees({ ...noFees, most: '2', tip: '2' }).errors).toEqual({})
  })
})
