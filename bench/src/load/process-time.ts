import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** Linux counts a process's time in hundredths of a second, whatever the kernel's own clock. */
const TICKS_PER_SECOND = 100

/**
 * Processor seconds that the descendants of a process have used whose command line holds `name`; on Linux alone,
 * elsewhere null. Unlike the clock it does not count what other programs of the machine take.
 */
export function processSeconds(ancestor: number, name: string): number | null {
  if (!existsSync('/proc/self/stat')) return null
  return descendants(ancestor, name).reduce((sum, { seconds }) => sum + seconds, 0)
}

/** Processor seconds that a process has used by itself; on Linux alone, elsewhere null. */
export function ownSeconds(pid: number): number | null {
  return readProcess(pid)?.seconds ?? null
}

/** The one process below another whose command line holds `name`; on Linux alone. */
export function processBelow(ancestor: number, name: string): number {
  const [found] = descendants(ancestor, name)
  if (!found) throw new Error(`process ${ancestor} has no \`${name}\` below it, or this is not Linux`)
  return found.pid
}

/** The most memory that a process has held at once, in bytes; on Linux alone, elsewhere null. */
export function peakMemory(pid: number): number | null {
  return memoryOf(pid, 'VmHWM')
}

/** The memory that a process holds now, in bytes; 0 where the system does not tell. */
export function residentMemory(pid: number): number {
  return memoryOf(pid, 'VmRSS') ?? 0
}

function memoryOf(pid: number, name: 'VmHWM' | 'VmRSS'): number | null {
  if (!existsSync('/proc/self/status')) return null
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`^${name}:\\s*(\\d+) kB$`, 'm').exec(status)?.[1]) * 1024
}

function descendants(ancestor: number, name: string) {
  const processes = new Map(
    readdirSync('/proc')
      .filter((entry) => /^\d+$/.test(entry))
      .flatMap((entry) => {
        const found = readProcess(Number(entry))
        return found ? [[found.pid, found] as const] : []
      }),
  )
  const isBelow = (pid: number): boolean => {
    const parent = processes.get(pid)?.parent
    return parent !== undefined && (parent === ancestor || isBelow(parent))
  }
  return [...processes.values()].filter(({ pid, command }) => command.includes(name) && isBelow(pid))
}

function readProcess(pid: number): { pid: number; parent: number; seconds: number; command: string } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name in parentheses may hold spaces: fields are counted from behind it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return {
      pid,
      parent: Number(fields[1]),
      seconds: (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND,
      command: readFileSync(`/proc/${pid}/cmdline`, 'utf8'),
    }
  } catch {
    return null
  }
}
