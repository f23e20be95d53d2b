import { describe, expect, it } from 'vitest'
import { noFees, readFees } from './chosen-fees.tsx'

describe('readFees', () => {
  it('default: what is left empty the wallet decides', () => {
    expect(readFees(noFees)).toEqual({ fees: {}, errors: {} })
    expect(readFees({ most: '1.5', tip: '0.000000001', gas: '210000', nonce: '0' })).toEqual({
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
    const { fees, errors } = readFees({ ...noFees, [name]: value })
    expect([Object.keys(errors), fees]).toEqual([[name], {}])
  })

  it('behavior: the tip is a part of the highest fee', () => {
    expect(Object.keys(readFees({ ...noFees, most: '1', tip: '2' }).errors)).toEqual(['tip'])
    expect(readFees({ ...noFees, most: '2', tip: '2' }).errors).toEqual({})
  })
})
