import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from 'pino'

import { openClient } from '../db/one-client.ts'
import { toLogEntry } from '../to-log-entry.ts'
import { nameBackup, type WrittenBackup, writeBackup } from './write-backup.ts'

const LOOK_MS = 60_000
/** A backup that a process was writing when it was killed, which touched it all the time until then. */
const PARTIAL = /^\.countersign-.+\.partial$/
const LEFT_MS = 3_600_000
const NAME = /^countersign-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z\.backup\.gz$/
/** One process writes at a time, where several share one database. */
const BACKUP_LOCK = 4_100_005

export type BackupSchedule = {
  /** Absolute path. */
  directory: string
  everyMilliseconds: number
  /** How many of the newest stay; older ones are removed once a new one is whole. */
  keep: number
}

/** Backups of a directory, oldest first. */
export function listBackups(directory: string): { path: string; madeAt: Date }[] {
  let names: string[]
  try {
    names = readdirSync(directory)
  } catch {
    return []
  }
  return names
    .flatMap((name) => {
      const [, day, hour, minute, second] = NAME.exec(name) ?? []
      return day === undefined
        ? []
        : [{ path: join(directory, name), madeAt: new Date(`${day}T${hour}:${minute}:${second}Z`) }]
    })
    .sort((a, b) => a.madeAt.getTime() - b.madeAt.getTime())
}

/** Backups of the past: one that a wrong clock dated later would keep the next from being due, and push the others out. */
export function madeUntil(now: Date, directory: string): ReturnType<typeof listBackups> {
  return listBackups(directory).filter(({ madeAt }) => madeAt <= now)
}

/**
 * Writes the next backup when it is due, and then removes those that are too many.
 *
 * @returns null where none is due, or another process writes one
 */
export async function keepBackups(
  databaseUrl: string,
  { directory, everyMilliseconds, keep }: BackupSchedule,
  now: Date,
): Promise<WrittenBackup | null> {
  const newest = madeUntil(now, directory).at(-1)
  if (newest && now.getTime() - newest.madeAt.getTime() < everyMilliseconds) return null
  const client = await openClient(databaseUrl, 'countersign backup')
  try {
    const { rows } = await client.query<{ isOurs: boolean }>('select pg_try_advisory_lock($1) as "isOurs"', [
      BACKUP_LOCK,
    ])
    if (!rows[0]?.isOurs) return null
    const written = await writeBackup(databaseUrl, join(directory, nameBackup(now)), now)
    removeLeft(directory)
    for (const { path } of madeUntil(now, directory).slice(0, -keep)) rmSync(path, { force: true })
    return written
  } finally {
    await client.end()
  }
}

/** Removes what killed processes have left: each may be as large as a backup. */
function removeLeft(directory: string): void {
  for (const name of readdirSync(directory)) {
    const path = join(directory, name)
    const touchedAt = PARTIAL.test(name) ? statSync(path, { throwIfNoEntry: false })?.mtimeMs : undefined
    if (touchedAt !== undefined && Date.now() - touchedAt > LEFT_MS) rmSync(path, { force: true })
  }
}

/** Looks each minute whether a backup is due, until it is stopped. */
export function startBackups({
  databaseUrl,
  schedule,
  clock,
  log,
}: {
  databaseUrl: string
  schedule: BackupSchedule
  clock: () => Date
  log: Logger
}): { stop: () => Promise<void> } {
  let running: Promise<void> | null = null
  const look = async () => {
    try {
      const written = await keepBackups(databaseUrl, schedule, clock())
      if (written) log.info({ path: written.path, rows: written.rows, bytes: written.bytes }, 'backup written')
    } catch (error) {
      log.error({ err: toLogEntry(error), directory: schedule.directory }, 'no backup could be written')
    }
  }
  const timer = setInterval(() => {
    running ??= look().finally(() => {
      running = null
    })
  }, LOOK_MS)
  running = look().finally(() => {
    running = null
  })
  return {
    async stop() {
      clearInterval(timer)
      await running
    },
  }
}
