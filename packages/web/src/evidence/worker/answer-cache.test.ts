import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { forgetAnswers, remember } from './answer-cache.ts'

beforeEach(() => {
  vi.useFakeTimers()
  forgetAnswers()
})
afterEach(() => vi.useRealTimers())

/** Answers with how often it was read. */
function counter() {
  let count = 0
  return () => Promise.resolve(++count)
}

describe('remember', () => {
  test('default: reads once while an answer is kept, and again afterwards', async () => {
    const read = counter()
    const ask = () => remember('fact', read, () => 1_000)
    expect(await Promise.all([ask(), ask()])).toEqual([1, 1])
    await vi.advanceTimersByTimeAsync(999)
    expect(await ask()).toBe(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(await ask()).toBe(2)
  })

  test('behavior: an unsettled answer is not kept', async () => {
    const read = counter()
    const ask = () => remember('fact', read, (count) => (count === 1 ? 0 : 1_000))
    expect(await ask()).toBe(1)
    expect(await ask()).toBe(2)
    expect(await ask()).toBe(2)
  })

  test('error: a failure is not kept', async () => {
    await expect(
      remember(
        'fact',
        () => Promise.reject(new Error('refused')),
        () => 1_000,
      ),
    ).rejects.toThrow('refused')
    expect(await remember('fact', counter(), () => 1_000)).toBe(1)
  })

  test('behavior: an answer forgotten while it is read is read again for the next question', async () => {
    const read = counter()
    const before = remember('fact', read, () => 1_000)
    forgetAnswers()
    expect(await remember('fact', read, () => 1_000)).toBe(2)
    expect(await before).toBe(1)
    expect(await remember('fact', read, () => 1_000)).toBe(2)
  })
})
