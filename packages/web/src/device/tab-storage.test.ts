import { afterEach, expect, it, vi } from 'vitest'
import { readTab, writeTab } from './tab-storage.ts'

afterEach(() => vi.unstubAllGlobals())

/** The storage of a tab that has room for so many characters, as browsers give it. */
function storageOf(room: number) {
  const kept = new Map<string, string>()
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    removeItem: (key: string) => kept.delete(key),
    setItem: (key: string, value: string) => {
      if (value.length > room) throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
      kept.set(key, value)
    },
  }
}

it('answers what was written last, also where the storage has no room for it and kept what was before', () => {
  vi.stubGlobal('sessionStorage', storageOf(10))
  writeTab('draft', 'short')
  writeTab('draft', 'longer than the room')
  expect(readTab('draft')).toBe('longer than the room')
  writeTab('draft', null)
  expect(readTab('draft')).toBeNull()
})
