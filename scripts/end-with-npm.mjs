import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const LOOK_MS = 500

/**
 * Between npm and us is a shell that passes no signal on: told to end, or killed, npm ends and we would stay. Sends this
 * process SIGTERM when the npm that started it has ended. Who was started without npm is left alone.
 */
export function endWithNpm() {
  if (!process.env.npm_lifecycle_event || process.platform === 'win32') return
  const parent = process.ppid
  const { command, ppid } = readProcess(parent)
  // A shell that has replaced itself by us leaves npm as our parent; npm's own parent may end when it likes.
  const isShell = /(start|dev)\.mjs/.test(command)
  const look = setInterval(() => {
    if (process.ppid === parent && (!isShell || readProcess(parent).ppid === ppid)) return
    clearInterval(look)
    process.kill(process.pid, 'SIGTERM')
  }, LOOK_MS)
  look.unref()
}

function readProcess(pid) {
  try {
    if (process.platform !== 'linux') {
      const [, ppid, command] = /(\d+)\s+(.*)/.exec(
        execFileSync('ps', ['-o', 'ppid=,command=', '-p', String(pid)], { encoding: 'utf8' }),
      )
      return { ppid: Number(ppid), command }
    }
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return {
      ppid: Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]),
      command: readFileSync(`/proc/${pid}/cmdline`, 'utf8'),
    }
  } catch {
    return { ppid: 0, command: '' }
  }
}
