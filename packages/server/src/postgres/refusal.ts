import { accessSync, constants, existsSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { CountersignError } from '@countersign/safe-core'
import { errorCode } from './process-identity.ts'

/** Room for the next segments of PostgreSQL's log, without which it stops. */
export const NEEDED_BYTES = 32 * 1024 * 1024

/** What it means that the file system refuses to write `path`, and what to do about it. */
export function asRefusal(path: string, cause: unknown): CountersignError {
  const reason = reasonOf(path, cause)
  if (reason === 'ENOSPC' || reason === 'EDQUOT')
    return new CountersignError('DISK_FULL', `The disk of \`${path}\` is full (${reason}).`, {
      data: { path, reason },
      cause,
    })
  const message = `The data directory \`${path}\` cannot be written${describe(reason)} (${reason}).`
  return new CountersignError('DATA_NOT_WRITABLE', message, { data: { directory: path, reason }, cause })
}

/** Node says ENOENT of a directory that cannot be made on a read-only file system: whatever is there already says why. */
function reasonOf(path: string, cause: unknown): string {
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

function describe(reason: string): string {
  if (reason === 'EROFS') return ': its file system is mounted read-only'
  if (reason === 'EACCES' || reason === 'EPERM') return `: user ${process.getuid?.() ?? 'unknown'} may not`
  return ''
}

/** An error that says how much is free where less is than is needed; null where there is enough, or nobody can tell. */
export function findShortage(path: string, neededBytes = NEEDED_BYTES): CountersignError | null {
  let at = path
  while (!existsSync(at) && at !== dirname(at)) at = dirname(at)
  const free = readFree(at)
  if (free === null || free >= neededBytes) return null
  const megabytes = (bytes: number) => Math.floor(bytes / 1024 / 1024)
  return new CountersignError(
    'DISK_FULL',
    `The disk of \`${path}\` has \`${megabytes(free)}\` MiB left; Countersign needs \`${megabytes(neededBytes)}\` MiB there.`,
    { data: { path, freeBytes: free, neededBytes } },
  )
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
