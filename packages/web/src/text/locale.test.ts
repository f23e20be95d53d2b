import { describe, expect, test } from 'vitest'
import {
  chooseLocale,
  formatDuration,
  formatNumber,
  formatTime,
  locale,
  pluralForm,
  startLocale,
  storeLocale,
} from './locale.ts'

describe('chooseLocale', () => {
  test.each([
    ['nothing known', null, [], 'en', 'en-GB'],
    ['the language of the browser', null, ['en-US', 'de'], 'en', 'en-US'],
    ['a language without a catalogue', null, ['nl-BE'], 'en', 'en-GB'],
    ['the words of one, the customs of its region', null, ['nl-BE', 'en-AU'], 'en', 'en-AU'],
    ['a catalogue and the customs of a region', null, ['de-CH', 'en-AU'], 'de', 'de-CH'],
    ['a stored choice', 'en', ['de-CH'], 'en', 'en-GB'],
    ['a stored choice that the browser does not prefer', 'zh', ['de-CH'], 'zh', 'zh-CN'],
    ['a stored nonsense', '../../x', ['en-US'], 'en', 'en-US'],
    ['a malformed tag of the browser', null, ['en_US', 'en-'], 'en', 'en-GB'],
  ])('%s', (_, stored, preferred, language, formats) => {
    expect(chooseLocale(stored, preferred)).toEqual({ language, formats })
  })
})

describe('plural', () => {
  test('behavior: a language with more forms than English', () => {
    expect([1, 2, 5, 21].map((count) => pluralForm(count, 'cardinal', 'ru'))).toEqual(['one', 'few', 'many', 'one'])
    expect([1, 2, 5].map((count) => pluralForm(count))).toEqual(['one', 'other', 'other'])
    expect(pluralForm(2, 'ordinal')).toBe('two')
  })
})

describe('startLocale', () => {
  test('default: what was chosen earlier, and formats by the reader', () => {
    const kept = new Map<string, string>()
    const storage = {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
    }
    storeLocale(storage, 'en')
    storeLocale(storage, '../../x')
    const date = new Date('2026-11-21T16:05:00Z')
    try {
      startLocale(storage, ['en-US'])
      expect(locale).toEqual({ language: 'en', formats: 'en-US' })
      expect(formatTime(date)).toMatch(/^Nov 2[12], 2026, .*[A-Z]/)
      startLocale(storage, ['en-IN'])
      expect(formatNumber(1_234_567)).toBe('12,34,567')
    } finally {
      startLocale(storage, [])
    }
    expect(formatTime(date)).toMatch(/^2[12] Nov 2026, \d\d:\d\d .+$/)
  })
})

describe('formatDuration', () => {
  test.each([
    [86_400_000, '24 hours, 0 minutes'],
    [86_399_000, '23 hours, 59 minutes'],
    [3_600_000, '1 hour, 0 minutes'],
    [125_000, '2 minutes'],
    [59_001, '1 minute'],
    [1_000, '1 second'],
    [-5, '0 seconds'],
  ])('%s ms: %s', (milliseconds, words) => expect(formatDuration(milliseconds)).toBe(words))
})
