import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../../scripts/testing/random-tests.mjs'
import { parseTime } from './rfc-3339.ts'

describe('parseTime', () => {
  it('behavior: agrees with the calendar of the runtime', () => {
    const dates = fc.date({
      min: new Date('0001-01-01T00:00:00Z'),
      max: new Date('9999-12-31T23:59:59Z'),
      noInvalidDate: true,
    })
    fc.assert(
      fc.property(dates, (date) => {
        expect(parseTime(date.toISOString())).toBe(date.getTime())
      }),
      runs(100),
    )
  })

  it.each([
    ['1985-04-12T23:20:50.52Z', Date.UTC(1985, 3, 12, 23, 20, 50, 520)],
    ['1996-12-19T16:39:57-08:00', Date.UTC(1996, 11, 20, 0, 39, 57)],
    ['1990-12-31T15:59:60-08:00', Date.UTC(1991, 0, 1)],
    ['2000-02-29t00:00:00z', Date.UTC(2000, 1, 29)],
    ['2016-12-31T23:59:60.999Z', Date.UTC(2017, 0, 1) + 999],
    ['2017-01-01T00:29:60+00:30', Date.UTC(2017, 0, 1)],
    ['2025-01-01T00:00:00.123456789012Z', Date.UTC(2025, 0, 1) + 123],
    ['2025-01-01T00:00:00-00:00', Date.UTC(2025, 0, 1)],
    ['9999-12-31T23:59:59Z', Date.UTC(9999, 11, 31, 23, 59, 59)],
  ])('%s', (text, time) => {
    expect(parseTime(text)).toBe(time)
  })

  it.each([
    '2025-02-29T00:00:00Z',
    '1900-02-29T00:00:00Z',
    '2025-00-01T00:00:00Z',
    '2025-04-31T00:00:00Z',
    '2025-01-01T24:00:00Z',
    '2025-01-01T00:60:00Z',
    '2025-01-01T12:00:60Z',
    '2025-01-15T23:59:60Z',
    '2025-01-31T23:59:61Z',
    '10000-01-01T00:00:00Z',
    '２025-01-01T00:00:00Z',
    '2025-01-01T00:00:00,5Z',
    '2025-01-01T00:00:00+0100',
    '2025-1-01T00:00:00Z',
    '2025-01-01T00:00Z',
    '2025-01-01T00:00:00Z ',
    '2025-01-01T00:00:00Z\n',
    '2025-01-01T00:00:00+24:00',
    '2025-01-01T00:00:00',
    '2025-01-01 00:00:00Z',
    '2025-01-01T00:00:00.Z',
    '+002025-01-01T00:00:00Z',
    '2025-01-01',
  ])('refuses %s', (text) => {
    expect(parseTime(text)).toBeNull()
  })
})
