import { expect, test } from 'vitest'
import { noteSignedIn, wasSignedIn } from './seen-signed-in.ts'

test('wasSignedIn: is what was noted last, and false for whatever else is stored', () => {
  const kept = new Map<string, string>()
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  }
  expect(wasSignedIn(storage)).toBe(false)
  noteSignedIn(storage, true)
  expect(wasSignedIn(storage)).toBe(true)
  noteSignedIn(storage, false)
  expect(wasSignedIn(storage)).toBe(false)
  for (const stored of ['true', '1', '']) {
    for (const key of kept.keys()) kept.set(key, stored)
    expect(wasSignedIn(storage)).toBe(false)
  }
})
