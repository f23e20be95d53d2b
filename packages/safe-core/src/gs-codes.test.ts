import { describe, expect, it } from 'vitest'
import { describeGsCode, findGsCode } from './gs-codes.ts'

describe('GS codes', () => {
  it('are explained', () => {
    expect(describeGsCode('GS026')?.cause).toContain('not from a current owner')
    expect(describeGsCode('GS999')).toBeNull()
    expect(describeGsCode('constructor')).toBeNull()
  })

  it('are found in text and in revert data', () => {
    expect(findGsCode('execution reverted: GS013')).toBe('GS013')
    expect(
      findGsCode(
        '0x08c379a0000000000000000000000000000000000000000000000000000000000000002000000000000000000000000000000000000000000000000000000000000000054753303133000000000000000000000000000000000000000000000000000000',
      ),
    ).toBe('GS013')
    expect(findGsCode('execution reverted: GS999')).toBeNull()
    expect(findGsCode('out of funds')).toBeNull()
  })
})
