import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** Linux counts a process's time in hundredths of a second, whatever the kernel's own clock. */
const TICKS_PER_SECOND = 100

/**
 * Processor seconds that the descendants of a process have used whose command line holds `name`; on Linux alone,
 * elsewhere null. Unlike the clock it does not count what other programs of the machine take.
 */
export function processSeconds(ancestor: number, name: string): number | null {
  if (!existsSync('/proc/self/stat')) return null
  const processes = new Map(
    readdirSync('/proc')
      .filter((entry) => /^\d+$/.test(entry))
      .flatMap((entry) => {
        const found = readProcess(Number(entry))
        return found ? [[Number(entry), found] as const] : []
      }),
  )
  const isBelow = (pid: number): boolean => {
    const parent = processes.get(pid)?.parent
    return parent !== undefined && (parent === ancestor || isBelow(parent))
  }
  let seconds = 0
  for (const [pid, found] of processes) if (isBelow(pid) && found.command.includes(name)) seconds += found.seconds
  return seconds
}

function readProcess(pid: number): { parent: number; seconds: number; command: string } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name in parentheses may hold spaces: fields are counted from behind it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return {
      parent: Number(fields[1]),
      seconds: (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND,
      command: readFileSync(`/proc/${pid}/cmdline`, 'utf8'),
    }
  } catch {
    return null
  }
}
