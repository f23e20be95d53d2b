import { accessSync, constants, existsSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { fail } from '@countersign/contract'
import type { CountersignError } from '@countersign/safe'
import { errorCode } from './process-identity.ts'

/** Room for the next segments of PostgreSQL's log, without which it stops. */
export const NEEDED_BYTES = 32 * 1024 * 1024

/** Explains a refusal by the file system to write `path`, and the remedy. */
export function asRefusal(path: string, cause: unknown): CountersignError {
  const systemError = systemErrorOf(path, cause)
  if (systemError === 'ENOSPC' || systemError === 'EDQUOT')
    return fail('DISK_FULL', { reason: 'full', path, systemError }, cause)
  return fail('DATA_NOT_WRITABLE', { ...describe(systemError), directory: path, systemError }, cause)
}

/** Explains a refusal by the file system to write under `directory`; null for an error of another kind. */
export function findRefusal(directory: string, cause: unknown): CountersignError | null {
  if (!(cause instanceof Error) || !('syscall' in cause)) return null
  // A write that finds no room names no path, unlike what opens or renames; nor does a connection that breaks.
  const hasNoRoom = errorCode(cause) === 'ENOSPC' || errorCode(cause) === 'EDQUOT'
  return hasNoRoom || 'path' in cause ? asRefusal(directory, cause) : null
}

/** Node says ENOENT of a directory that cannot be made on a read-only file system: whatever is there already says why. */
function systemErrorOf(path: string, cause: unknown): string {
  const code = errorCode(cause) ?? 'unknown'
  if (code !== 'ENOENT') return code
  let at = path
  while (!existsSync(at) && at !== dirname(at)) at = dirname(at)
  try {
    accessSync(at, constants.W_OK)
    return code
  } catch (error) {
    return errorCode(error) ?? code
  }
}

function describe(systemError: string) {
  if (systemError === 'EROFS') return { reason: 'read-only' } as const
  if (systemError === 'EACCES' || systemError === 'EPERM')
    return { reason: 'user', user: process.getuid?.() ?? 'unknown' } as const
  return { reason: 'file' } as const
}

/** An error that says how much is free where less is than is needed; null where there is enough, or nobody can tell. */
export function findShortage(path: string, neededBytes = NEEDED_BYTES): CountersignError | null {
  let at = path
  while (!existsSync(at) && at !== dirname(at)) at = dirname(at)
  const free = readFree(at)
  if (free === null || free >= neededBytes) return null
  const mebibytes = (bytes: number) => Math.floor(bytes / 1024 / 1024)
  return fail('DISK_FULL', {
    reason: 'shortage',
    path,
    freeBytes: free,
    neededBytes,
    freeMebibytes: mebibytes(free),
    neededMebibytes: mebibytes(neededBytes),
  })
}

function readFree(path: string): number | null {
  try {
    const { bavail, blocks, bsize } = statfsSync(path)
    // Some file systems do not say how large they are.
    return blocks === 0 ? null : bavail * bsize
  } catch {
    return null
  }
}
