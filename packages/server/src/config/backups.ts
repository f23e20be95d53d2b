import { resolve } from 'node:path'
import { z } from 'zod'
import type { BackupSchedule } from '../backup/keep-backups.ts'
import { HOUR_MS, YEAR_HOURS } from './durations.ts'

export const backup = z.strictObject({
  directory: z.string().min(1).max(4_096),
  everyHours: z.number().min(0.05).max(YEAR_HOURS).default(24),
  keep: z.number().int().min(1).max(1_000).default(7),
})

export function parseBackups(given: z.output<typeof backup> | undefined): BackupSchedule | null {
  if (given === undefined) return null
  const { directory, everyHours, keep } = given
  return { directory: resolve(directory), everyMilliseconds: everyHours * HOUR_MS, keep }
}
