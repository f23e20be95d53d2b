import { text } from '../../text/text.ts'
import { Time } from '../text/time.tsx'
import { SelectField } from './field.tsx'

const DAY = 86_400_000
const spans = ['7', '30', '90', '365'] as const

/** How long something is to hold: days, or without an end. */
export type Span = (typeof spans)[number] | 'none'

/** Null: no end. @param now by the clock that it will be compared with */
export function endOf(span: Span, now: number): string | null {
  return span === 'none' ? null : new Date(now + Number(span) * DAY).toISOString()
}

/** Chooses how long; the day that comes of it stands below. */
export function EndField({
  label,
  value,
  onChange,
  hint,
  now,
}: {
  label: string
  value: Span
  onChange: (span: Span) => void
  hint?: string
  now: number
}) {
  const end = endOf(value, now)
  return (
    <SelectField
      label={label}
      value={value}
      hint={
        <>
          {end === null ? text('end.never') : <Time value={end} />}
          {hint && ` · ${hint}`}
        </>
      }
      onChange={(event) => onChange(spans.find((days) => days === event.target.value) ?? 'none')}
    >
      {spans.map((days) => (
        <option key={days} value={days}>
          {text('end.days', { count: Number(days) })}
        </option>
      ))}
      <option value="none">{text('end.none')}</option>
    </SelectField>
  )
}
