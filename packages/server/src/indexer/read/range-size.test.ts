import { describe, expect, test } from 'vitest'
import { createRangeSize } from './range-size.ts'

/** Asks a node that takes `most` blocks for many. @returns what it was asked for, each time */
function read(
  blocks: number,
  most: (at: number) => number,
  hint: number | null = null,
): { asked: number[]; refused: number } {
  const size = createRangeSize()
  const asked: number[] = []
  let refused = 0
  for (let at = 0; at < blocks; ) {
    const width = Math.min(size.next(), blocks - at)
    asked.push(width)
    if (width > most(at)) {
      refused += 1
      size.refused(width, hint)
    } else {
      size.accepted(width, 0)
      at += width
    }
  }
  return { asked, refused }
}

describe('createRangeSize', () => {
  test('default: larger each time that a node takes it', () => {
    expect(read(200_000, () => 1e9).asked).toEqual([
      200, 400, 800, 1_600, 3_200, 6_400, 12_800, 25_600, 50_000, 50_000, 49_000,
    ])
  })

  test.each([1, 2, 7, 100, 500, 1_000, 2_000, 3_333, 10_000, 10_001, 45_000])(
    'behavior: of a node that takes %i blocks that many are asked for, and hardly ever more',
    (most) => {
      const { asked, refused } = read(most * 1_000, () => most)
      expect(refused).toBeLessThan(30)
      expect(asked.filter((size) => size >= most * 0.98).length).toBeGreaterThan(950)
    },
  )

  test('behavior: a node that says how many it takes is asked for as many next', () => {
    const { asked, refused } = read(40_000, () => 1_234, 1_234)
    expect(refused).toBe(1)
    expect(asked.slice(0, 6)).toEqual([200, 400, 800, 1_600, 1_234, 1_234])
  })

  test('behavior: it comes back to wide ranges after a stretch that was too full', () => {
    const { asked } = read(3_000_000, (at) => (at > 100_000 && at < 120_000 ? 200 : 1e9))
    expect(asked.at(-2)).toBe(50_000)
    expect(asked.length).toBeLessThan(1_000)
  })

  test('behavior: only as many blocks as leave room in the memory for their logs', () => {
    const size = createRangeSize()
    size.accepted(200, 100_000)
    expect(size.next()).toBe(10)
    size.accepted(10, 6_000)
    expect(size.next()).toBe(10)
    size.accepted(10, 4_000)
    expect(size.next()).toBe(20)
  })
})
