import { gasToOffer, MAX_TRANSACTION_GAS, mostGas } from '@countersign/safe/calls'
import { describe, expect, it } from 'vitest'
import { runOf } from '../findings/simulation/runs.ts'
import { excessGas } from './excess-gas.ts'

const given = { signatures: 2, safeTxGas: 0n }
const failure = { kind: 'halt', reason: 'out of gas' } as const
const failed = { outcome: { kind: 'reverted', failure, began: [] } } as const

describe('mostGas', () => {
  it('default: no more than a block, and no more than any transaction may have', () => {
    expect([30_000_000n, 8_000_000n].map((gasLimit) => mostGas({ gasLimit }))).toEqual([
      MAX_TRANSACTION_GAS,
      8_000_000n,
    ])
  })
})

describe('gasToOffer', () => {
  it('behavior: never more than one transaction may have', () => {
    expect(gasToOffer(15_000_000n, given, MAX_TRANSACTION_GAS)).toBe(MAX_TRANSACTION_GAS)
    expect(gasToOffer(10_000_000n, given, MAX_TRANSACTION_GAS)).toBe(12_024_000n)
  })
})

describe('excessGas', () => {
  it('default: what a failing run takes with more gas than there is', () => {
    const run = runOf({ ...failed, gasWanted: 18_000_000n })
    expect(excessGas(run, given)).toEqual({ gas: gasToOffer(18_000_000n, given), most: MAX_TRANSACTION_GAS })
  })

  it('behavior: null where it fails however much it has, or less than the limit does', () => {
    expect(excessGas(runOf(failed), given)).toBeNull()
    expect(excessGas(runOf({ ...failed, gasWanted: 10_000_000n }), given)).toBeNull()
  })

  it('behavior: one that succeeds has room, however near to the limit', () => {
    expect(excessGas(runOf({ gasPeak: 16_777_216n }), given)).toBeNull()
  })

  it('behavior: what its bytes cost at least, and the creation of the Safe before it, count as well', () => {
    expect(excessGas(runOf({ gasPeak: 16_777_217n }), given)).not.toBeNull()
    const activated = { code: '0x', slots: [], gasUsed: 16_777_216n } as const
    expect(excessGas(runOf({ activated }), given)).not.toBeNull()
  })
})
