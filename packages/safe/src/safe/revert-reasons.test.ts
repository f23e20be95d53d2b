import fc from 'fast-check'
import { encodeErrorResult, type Hex, parseAbi } from 'viem'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../../scripts/testing/random-tests.mjs'
import { describeRevertReason, explainRevert, revertReasons } from './revert-reasons.ts'

function revert(words: string): Hex {
  return encodeErrorResult({ abi: parseAbi(['error Error(string message)']), errorName: 'Error', args: [words] })
}

describe('describeRevertReason', () => {
  it('behavior: every sentence has a cause and a remedy', () => {
    for (const words of revertReasons) {
      const { cause, remedy, code } = describeRevertReason(words) ?? {}
      expect(code).toBe(words)
      expect(cause).toMatch(/^[A-Z].*\.$/)
      expect(remedy).toMatch(/^[A-Z].*\.$/)
    }
  })

  it('behavior: a sentence of an old release means what the code means today', () => {
    expect(describeRevertReason('Invalid owner provided')).toMatchObject({
      cause: describeRevertReason('GS026')?.cause,
      versions: ['1.0.0', '1.2.0'],
    })
    expect(describeRevertReason('toString')).toBeNull()
  })
})

describe('explainRevert', () => {
  it('default', () => {
    const data: Hex =
      '0x08c379a0000000000000000000000000000000000000000000000000000000000000002000000000000000000000000000000000000000000000000000000000000000054753303133000000000000000000000000000000000000000000000000000000'
    expect(explainRevert(data)).toMatchObject({ kind: 'safe', reason: { code: 'GS013' } })
    expect(explainRevert(revert('Hash has not been approved'))).toMatchObject({ kind: 'safe' })
  })

  it('behavior: words of another contract stay its words', () => {
    expect(explainRevert(revert('transfer failed: GS013'))).toEqual({
      kind: 'message',
      message: 'transfer failed: GS013',
    })
    expect(explainRevert('0xe450d38c')).toEqual({ kind: 'custom-error', selector: '0xe450d38c', data: '0xe450d38c' })
    expect(explainRevert(`0x4e487b71${'11'.padStart(64, '0')}`)).toEqual({ kind: 'panic', code: 17n })
    expect(explainRevert('0x')).toEqual({ kind: 'empty' })
    expect(explainRevert('0x4753')).toEqual({ kind: 'unreadable', data: '0x4753' })
    expect(explainRevert(`0x08c379a0${'ff'.repeat(64)}`)).toMatchObject({ kind: 'unreadable' })
  })

  it('behavior: answers whatever it is given', () => {
    const bytes = fc.uint8Array({ maxLength: 200 }).map((drawn): Hex => `0x${Buffer.from(drawn).toString('hex')}`)
    fc.assert(
      fc.property(fc.boolean(), bytes, (isError, data) => {
        explainRevert(isError ? `0x08c379a0${data.slice(2)}` : data)
      }),
      runs(100),
    )
  })
})
