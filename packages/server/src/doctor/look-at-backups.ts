import { accessSync, constants, existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { type BackupSchedule, madeUntil } from '../backup/keep-backups.ts'
import { durationOf, type Finding, fault, good, notice } from './finding.ts'

/** Looks whether backups are written by themselves, and whether that still works. Changes nothing. */
export function lookAtBackups(schedule: BackupSchedule | null, now: Date): Finding {
  if (!schedule)
    return notice(
      'Backups',
      'none are written by themselves',
      'Set `backup` in countersign.config.json: queue, signatures and names are stored here alone.',
    )
  const { directory, everyMilliseconds } = schedule
  if (!isWritable(directory))
    return fault(
      'Backups',
      `none can be written to ${directory}`,
      'Let the user that runs the product write there, or name another directory in `backup`.',
    )
  const newest = madeUntil(now, directory).at(-1)
  if (!newest)
    return notice(
      'Backups',
      `none in ${directory} yet`,
      'Start the product, which writes the first within a minute; where it does not, its log says why.',
    )
  const age = now.getTime() - newest.madeAt.getTime()
  const says = `the newest in ${directory} is ${durationOf(age / 1000)} old`
  return age > 2 * everyMilliseconds
    ? fault('Backups', says, 'Start the product; where it runs, its log says why no backup could be written.')
    : good('Backups', says)
}

/** Whether a directory, or what it would be made in, can be written. */
function isWritable(directory: string): boolean {
  let at = directory
  while (!existsSync(at) && at !== dirname(at)) at = dirname(at)
  try {
    accessSync(at, constants.W_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}
