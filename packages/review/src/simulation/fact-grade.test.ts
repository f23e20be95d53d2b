import { describe, expect, it } from 'vitest'
import { lowestGrade } from './fact-grade.ts'

describe('the grade of what rests on several facts', () => {
  it('is that of the weakest', () => {
    expect(lowestGrade(['proved', 'proved'])).toBe('proved')
    expect(lowestGrade(['proved', 'one-node', 'proved'])).toBe('one-node')
    expect(lowestGrade(['one-node', 'unknown', 'proved'])).toBe('unknown')
  })

  it('is unknown where nothing was read', () => {
    expect(lowestGrade([])).toBe('unknown')
  })
})
