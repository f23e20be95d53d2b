import { randomUUID } from 'node:crypto'
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fail } from '@countersign/contract'
import type { CountersignError } from '@countersign/safe'
import { errorCode, identifyProcess, isRunning, type ProcessIdentity } from './process-identity.ts'
import { asRefusal } from './refusal.ts'

export type DirectoryLock = { release(): void }

/**
 * Takes a directory for this process alone. The lock of a process that has died is taken over, aloud.
 * Raises DATA_IN_USE when another live process holds it, DATA_NOT_WRITABLE, DISK_FULL.
 */
export function lockDirectory(directory: string, log: (line: string) => void = () => undefined): DirectoryLock {
  const path = join(directory, 'lock.json')
  const ours = join(directory, `lock.${randomUUID()}`)
  const text = JSON.stringify(identifyProcess(process.pid))
  try {
    writeFileSync(ours, text, { mode: 0o600 })
  } catch (cause) {
    rmSync(ours, { force: true })
    throw asRefusal(directory, cause)
  }
  try {
    // A hard link appears whole or not at all, and never over another.
    for (let attempt = 0; attempt < 10; attempt++) {
      try {
        linkOrWrite(ours, path, text)
        return { release: () => releaseLock(path, text) }
      } catch (error) {
        if (errorCode(error) !== 'EEXIST') throw error
      }
      removeStaleLock(path, directory, log)
    }
  } finally {
    rmSync(ours, { force: true })
  }
  throw inUse(directory, null)
}

function linkOrWrite(ours: string, path: string, text: string): void {
  try {
    linkSync(ours, path)
  } catch (error) {
    // Some file systems have no hard links.
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(errorCode(error) ?? '')) throw error
    writeFileSync(path, text, { mode: 0o600, flag: 'wx' })
  }
}

function removeStaleLock(path: string, directory: string, log: (line: string) => void): void {
  const holder = readHolder(path)
  if (holder === 'gone') return
  if (holder && isRunning(holder)) throw inUse(directory, holder.pid)
  const aside = `${path}.${randomUUID()}`
  try {
    renameSync(path, aside)
  } catch {
    return
  }
  // Between reading and renaming another starter may have put its own lock there: give it back.
  const moved = readHolder(aside)
  if (moved && moved !== 'gone' && isRunning(moved)) {
    renameSync(aside, path)
    throw inUse(directory, moved.pid)
  }
  rmSync(aside, { force: true })
  log(`Process ${holder?.pid ?? 'unknown'} left its lock in ${directory} and no longer runs; the lock is removed`)
}

function releaseLock(path: string, text: string): void {
  try {
    if (readFileSync(path, 'utf8') === text) rmSync(path, { force: true })
  } catch {
    // The directory may have been removed meanwhile; then there is nothing to give back.
  }
}

/** Finds the process that holds a directory by its lock; null where the lock cannot be read. */
export function readHolder(path: string): ProcessIdentity | null | 'gone' {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (typeof value !== 'object' || value === null || !('pid' in value) || typeof value.pid !== 'number') return null
    const startTime = 'startTime' in value && typeof value.startTime === 'string' ? value.startTime : null
    return { pid: value.pid, startTime }
  } catch (error) {
    return errorCode(error) === 'ENOENT' ? 'gone' : null
  }
}

function inUse(directory: string, pid: number | null): CountersignError {
  return fail(
    'DATA_IN_USE',
    pid === null ? { reason: 'unknown', directory, pid } : { reason: 'process', directory, pid },
  )
}
