import { describe, expect, test } from 'vitest'
import { askAgainAfter, askAgainOnline } from './ask-again.ts'

const settled = { isOpen: false, isIncomplete: false }
const once = { status: 'success', dataUpdateCount: 1, errorUpdateCount: 0, data: settled } as const

describe('askAgainAfter', () => {
  test('default: a settled answer is not asked for again after a time', () => {
    expect(askAgainAfter(once)).toBe(false)
    expect(askAgainAfter({ ...once, status: 'pending', data: undefined })).toBe(false)
  })

  test('behavior: an answer that may change without notice is asked for every 10 seconds', () => {
    const open = { ...once, data: { ...settled, isOpen: true } }
    expect([1, 2, 9].map((dataUpdateCount) => askAgainAfter({ ...open, dataUpdateCount }))).toEqual(
      Array(3).fill(10_000),
    )
  })

  test('behavior: a node that failed is asked again, less often each time', () => {
    const failed = { ...once, status: 'error', data: undefined, dataUpdateCount: 0 } as const
    expect([1, 2, 3, 4, 99].map((errorUpdateCount) => askAgainAfter({ ...failed, errorUpdateCount }))).toEqual([
      10_000, 20_000, 40_000, 60_000, 60_000,
    ])
    expect(askAgainAfter({ ...once, data: { ...settled, isIncomplete: true } })).toBe(10_000)
    expect(askAgainAfter({ ...once, status: 'error' })).toBe(10_000)
  })
})

describe('askAgainOnline', () => {
  test('default: a failed or incomplete answer is asked for again once the network is back', () => {
    expect(askAgainOnline({ state: once })).toBe(false)
    expect(askAgainOnline({ state: { status: 'error', data: undefined } })).toBe('always')
    expect(askAgainOnline({ state: { ...once, data: { ...settled, isIncomplete: true } } })).toBe('always')
  })
})
