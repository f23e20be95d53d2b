import type { NeededFact, ReadFact } from '@countersign/review'
import { describe, expect, test } from 'vitest'
import { askAgainAfter } from './facts.ts'

const needed: NeededFact = { id: 'contractSignatures', need: null }
const read = (fields: Partial<ReadFact> = {}): ReadFact => ({
  answer: {},
  grade: 'proved',
  isRefused: false,
  isIncomplete: false,
  at: null,
  ...fields,
})
const once = { status: 'success', dataUpdateCount: 1, errorUpdateCount: 0 } as const

describe('askAgainAfter', () => {
  test('default: a fact that is answered is not asked for again by time', () => {
    expect(askAgainAfter(needed, { ...once, data: read({ answer: { '0xa': true } }) })).toBe(false)
    expect(askAgainAfter(needed, { ...once, status: 'pending', data: undefined })).toBe(false)
  })

  test('behavior: an owner’s contract that does not accept yet is asked every 10 seconds', () => {
    const open = { ...once, data: read({ answer: { '0xa': false } }) }
    expect([1, 2, 9].map((dataUpdateCount) => askAgainAfter(needed, { ...open, dataUpdateCount }))).toEqual(
      Array(3).fill(10_000),
    )
  })

  test('behavior: a node that failed is asked again, less often each time', () => {
    const failed = { ...once, status: 'error', data: undefined, dataUpdateCount: 0 } as const
    expect([1, 2, 3, 4, 99].map((errorUpdateCount) => askAgainAfter(needed, { ...failed, errorUpdateCount }))).toEqual([
      10_000, 20_000, 40_000, 60_000, 60_000,
    ])
    expect(askAgainAfter(needed, { ...once, data: read({ isIncomplete: true }) })).toBe(10_000)
    expect(askAgainAfter(needed, { ...once, status: 'error', data: read({ answer: { '0xa': true } }) })).toBe(10_000)
  })
})
