import { existsSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { NEEDED_BYTES } from '../postgres/refusal.ts'
import { type Finding, fault, good, notice } from './finding.ts'

const GIGABYTE = 1024 ** 3
/** Room that a history, its indices and a backup of them take in time. */
const USUAL_BYTES = 2 * GIGABYTE
/** The clock of this machine and those of blocks may differ so much, in seconds. */
const CLOCK_SECONDS = 30

/** Looks how much room there is for the data. `free` stands in for what the file system says. */
export function lookAtDisk(path: string, free = freeBytes(path)): Finding {
  const says = `${(free / GIGABYTE).toFixed(1)} GB free at ${path}`
  if (free < NEEDED_BYTES)
    return fault('Disk', says, 'Free space or move the data with COUNTERSIGN_DATA: PostgreSQL stops without room.')
  if (free < USUAL_BYTES) return notice('Disk', says, 'Keep 2 GB free: histories and backups grow.')
  return good('Disk', says)
}

function freeBytes(path: string): number {
  let at = path
  while (!existsSync(at) && at !== dirname(at)) at = dirname(at)
  const { bavail, bsize } = statfsSync(at)
  return bavail * bsize
}

/**
 * Compares the clock with the newest blocks, whose clocks no honest chain lets run ahead. Signatures of sign-in and ends of
 * sessions are told by it.
 *
 * @param blockTimes seconds since 1970, of the newest block of each chain
 */
export function lookAtClock(now: Date, blockTimes: readonly number[]): Finding {
  const newest = Math.max(...blockTimes)
  if (blockTimes.length === 0)
    return notice('Clock', 'not compared, as no node answered', 'Make a node answer, then look again.')
  const behind = Math.round(newest - now.getTime() / 1000)
  if (behind > CLOCK_SECONDS)
    return fault(
      'Clock',
      `${behind} seconds behind the newest block`,
      'Set the clock of this machine by NTP: sign-in refuses what lies in the future.',
    )
  return good('Clock', `not behind the newest block, ${now.toISOString()}`)
}
