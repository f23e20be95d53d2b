const pattern =
  /^([0-9]{4})-([0-9]{2})-([0-9]{2})[Tt]([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]+))?(?:[Zz]|([+-])([0-9]{2}):([0-9]{2}))$/
const DAY_SECONDS = 86_400

/**
 * Reads a date and time of RFC 3339 (`date-time`): `2025-01-31T12:00:00Z`, `…T12:00:00.5+02:00`. A day that the calendar
 * does not have is refused, and so is a 60th second anywhere but at the end of a month in UTC (RFC 3339 §5.7).
 *
 * @returns milliseconds since 1970-01-01T00:00:00Z, as `Date.parse` counts them; null when it is anything else.
 * @example
 * parseTime('2025-01-31T12:00:00Z') // 1738324800000
 */
export function parseTime(text: string): number | null {
  const found = pattern.exec(text)
  if (found === null) return null
  const [, year, month, day, hour, minute, second, fraction = '', sign, offsetHour = '0', offsetMinute = '0'] = found
  const date = { year: Number(year), month: Number(month), day: Number(day) }
  if (date.month < 1 || date.month > 12 || date.day < 1 || date.day > daysOfMonth(date)) return null
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60) return null
  if (Number(offsetHour) > 23 || Number(offsetMinute) > 59) return null
  const offset = (Number(offsetHour) * 60 + Number(offsetMinute)) * (sign === '-' ? -1 : 1)
  const minutes = Number(hour) * 60 + Number(minute) - offset
  if (second === '60' && !isEndOfMonth(date, minutes)) return null
  const seconds = daysSince1970(date) * DAY_SECONDS + minutes * 60 + Number(second)
  return seconds * 1000 + Number(fraction.slice(0, 3).padEnd(3, '0'))
}

/** Whether these minutes after the start of a date, in UTC, are the last one of a month: of this one, or of the one before. */
function isEndOfMonth(date: CalendarDate, minutes: number): boolean {
  return (minutes === 1439 && date.day === daysOfMonth(date)) || (minutes === -1 && date.day === 1)
}

type CalendarDate = { year: number; month: number; day: number }

function isLeapYear(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
}

function daysOfMonth({ year, month }: CalendarDate): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28
  return [4, 6, 9, 11].includes(month) ? 30 : 31
}

function daysSince1970({ year, month, day }: CalendarDate): number {
  const yearsBefore = year - 1
  const leapDays = Math.floor(yearsBefore / 4) - Math.floor(yearsBefore / 100) + Math.floor(yearsBefore / 400)
  let days = yearsBefore * 365 + leapDays - 719_162
  for (let before = 1; before < month; before += 1) days += daysOfMonth({ year, month: before, day: 1 })
  return days + day - 1
}
