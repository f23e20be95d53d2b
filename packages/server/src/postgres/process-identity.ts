import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** A process that cannot be mistaken for a later one with the same pid. */
export type ProcessIdentity = {
  pid: number
  /** As the system writes it; null where it cannot be asked. */
  startTime: string | null
}

export function identifyProcess(pid: number): ProcessIdentity {
  return { pid, startTime: readStartTime(pid) }
}

/** Whether this very process still runs, not another that got its pid. */
export function isRunning({ pid, startTime }: ProcessIdentity): boolean {
  if (!isAlive(pid)) return false
  return startTime === null || readStartTime(pid) === startTime
}

export function isAlive(pid: number): boolean {
  if (isZombie(pid)) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: it lives, and belongs to someone else.
    return errorCode(error) === 'EPERM'
  }
}

/** The command line of a process, empty when it cannot be read. */
export function readCommandLine(pid: number): string {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
    if (process.platform === 'win32') return ''
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).trim()
  } catch {
    return ''
  }
}

export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

function readStartTime(pid: number): string | null {
  if (process.platform === 'linux') return readStat(pid)?.[19] ?? null
  if (process.platform === 'win32') return null
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || null
  } catch {
    return null
  }
}

function isZombie(pid: number): boolean {
  return process.platform === 'linux' && readStat(pid)?.[0] === 'Z'
}

/** The fields of /proc/PID/stat from the third on; the name before them may hold spaces and brackets. */
function readStat(pid: number): string[] | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return null
  }
}
