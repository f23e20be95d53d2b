import { describe, expect, test } from 'vitest'
import { parseTour } from './tour-step.ts'

describe('parseTour', () => {
  test('default: open at a step, left at a step, or neither', () => {
    expect(parseTour('3')).toEqual({ step: 3, isOpen: true })
    expect(parseTour('-3')).toEqual({ step: 3, isOpen: false })
    expect(parseTour('0')).toBeNull()
    expect(parseTour(null)).toBeNull()
  })

  test('behavior: what nobody stored here is no step', () => {
    for (const stored of ['6', '-6', '1.5', 'x', '1e99', '']) expect(parseTour(stored)).toBeNull()
  })
})
