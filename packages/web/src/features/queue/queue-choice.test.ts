import { describe, expect, test } from 'vitest'
import { parseQueueChoice } from './queue-choice.ts'

describe('parseQueueChoice', () => {
  test('default: what is chosen, and a nonce that came as a number', () => {
    expect(parseQueueChoice({ q: 'payroll', show: 'mine' })).toEqual({ q: 'payroll', show: 'mine' })
    expect(parseQueueChoice({ q: 17 })).toEqual({ q: '17' })
  })

  test('behavior: nothing that is no choice, and no endless words', () => {
    expect(parseQueueChoice({ q: '', show: 'all' })).toEqual({})
    expect(parseQueueChoice({ q: { toString: 'x' }, show: ['mine'] })).toEqual({})
    expect(parseQueueChoice({ q: 'x'.repeat(5_000) }).q).toHaveLength(100)
  })
})
