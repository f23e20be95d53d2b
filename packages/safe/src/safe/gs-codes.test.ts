import { describe, expect, it } from 'vitest'
import { describeGsCode, findGsCode, gsCodes } from './gs-codes.ts'

describe('describeGsCode', () => {
  it('default', () => {
    expect(describeGsCode('GS026')?.cause).toContain('not from a current owner')
    expect(describeGsCode('GS013')?.versions).toEqual(['1.3.0', '1.4.1'])
    expect(describeGsCode('GS999')).toBeNull()
    expect(describeGsCode('constructor')).toBeNull()
  })

  it('behavior: every code has a cause and a remedy', () => {
    for (const code of gsCodes) {
      const { cause, remedy } = describeGsCode(code) ?? {}
      expect(cause).toMatch(/^[A-Z].*\.$/)
      expect(remedy).toMatch(/^[A-Z].*\.$/)
    }
  })
})

describe('findGsCode', () => {
  it('default', () => {
    expect(findGsCode('execution reverted: GS013')).toBe('GS013')
    expect(findGsCode('execution reverted: GS999')).toBeNull()
    expect(findGsCode('out of funds')).toBeNull()
  })
})
