import { readdirSync, readFileSync } from 'node:fs'
import { afterEach, expect, test, vi } from 'vitest'
import { noteServerTime, serverNow } from './server-time.ts'

const answerAt = (date: string | null) => ({ headers: new Headers(date === null ? {} : { date }) })

afterEach(() => vi.useRealTimers())

test('default: the clock of the server, whatever is done to that of the browser', () => {
  vi.useFakeTimers({ now: Date.UTC(1999, 0, 1) })
  expect(serverNow()).toBe(Date.UTC(1999, 0, 1))
  noteServerTime(answerAt('Thu, 01 Jan 2026 00:00:00 GMT'))
  expect(serverNow()).toBe(Date.UTC(2026, 0, 1))
  vi.advanceTimersByTime(90_000)
  expect(serverNow()).toBe(Date.UTC(2026, 0, 1, 0, 1, 30))
  for (const year of [1970, 2031]) {
    vi.setSystemTime(Date.UTC(year, 0, 1))
    expect(serverNow()).toBe(Date.UTC(2026, 0, 1, 0, 1, 30))
  }
  for (const nothing of [answerAt(null), answerAt('yesterday')]) noteServerTime(nothing)
  expect(serverNow()).toBe(Date.UTC(2026, 0, 1, 0, 1, 30))
  noteServerTime(answerAt('Thu, 01 Jan 2026 12:00:00 GMT'))
  expect(serverNow()).toBe(Date.UTC(2026, 0, 1, 12))
})

test('behavior: nothing else in the page reads the clock of the browser', () => {
  const source = new URL('../', import.meta.url)
  const readers = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !path.includes('.test.'))
    .filter((path) => /\bDate\.now\b|new Date\(\)/.test(readFileSync(new URL(path, source), 'utf8')))
  expect(readers).toEqual(['device/server-time.ts'])
})
