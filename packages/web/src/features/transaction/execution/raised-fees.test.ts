import { describe, expect, it } from 'vitest'
import { raisedFees } from './raised-fees.ts'

describe('raisedFees', () => {
  it('default: the same nonce, a quarter more of both fees', () => {
    const waiting = { nonce: '0x7', maxFeePerGas: '0x64', maxPriorityFeePerGas: '0x4', gasPrice: '0x63' }
    expect(raisedFees(waiting, 10n)).toEqual({ nonce: 7, maxFeePerGas: 126n, maxPriorityFeePerGas: 6n })
  })

  it('behavior: stays above a base fee that has risen, and of nothing something is left', () => {
    const waiting = { nonce: '0x0', maxFeePerGas: '0x1', maxPriorityFeePerGas: '0x0' }
    expect(raisedFees(waiting, 500n)).toEqual({ nonce: 0, maxFeePerGas: 1001n, maxPriorityFeePerGas: 1n })
  })

  it('behavior: a transaction with one price stays one', () => {
    expect(raisedFees({ nonce: '0x1', gasPrice: '0x64' }, null)).toEqual({ nonce: 1, gasPrice: 126n })
  })

  it.each([[{}], [{ nonce: '0x1' }], [{ nonce: 7, gasPrice: '0x1' }]])(
    'is nothing without nonce or fees: %j',
    (waiting) => {
      expect(raisedFees(waiting, 1n)).toBeNull()
    },
  )
})
