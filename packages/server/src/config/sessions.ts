import { z } from 'zod'
import { HOUR_MS, YEAR_HOURS } from './durations.ts'

const hours = (value: number) => z.number().min(0.05).max(YEAR_HOURS).default(value)

export const session = z
  .strictObject({ idleHours: hours(7 * 24), absoluteHours: hours(30 * 24), contractAccountHours: hours(8) })
  .refine(({ idleHours, absoluteHours }) => idleHours <= absoluteHours, {
    path: ['idleHours'],
    error: 'must not be more than `absoluteHours`',
  })

/** When a session ends by itself. */
export type SessionLimits = {
  /** Since it was last used. */
  idleMilliseconds: number
  absoluteMilliseconds: number
  /** Absolute limit for a contract account, because its signers can change without notice. */
  contractMilliseconds: number
}

export function parseSessionLimits(given: z.output<typeof session>): SessionLimits {
  return {
    idleMilliseconds: given.idleHours * HOUR_MS,
    absoluteMilliseconds: given.absoluteHours * HOUR_MS,
    contractMilliseconds: given.contractAccountHours * HOUR_MS,
  }
}
