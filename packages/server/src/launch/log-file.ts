import { createWriteStream, existsSync, mkdirSync, renameSync, statSync, type WriteStream } from 'node:fs'
import { dirname } from 'node:path'
import { errorCode } from '../postgres/process-identity.ts'

const maxSize = 16 * 1024 * 1024

/**
 * Appends lines; at the start an old file that has grown large is put aside. A file that cannot be written, as on a full
 * disk, is opened again a while later; until then lines are lost, and `warn` says so once.
 */
export function openLogFile(
  path: string,
  warn: (line: string) => void,
  retryMilliseconds = 10_000,
): { write(line: string): void; close(): Promise<void> } {
  let stream: WriteStream | null = null
  let failedAt = Number.NEGATIVE_INFINITY

  function open(): void {
    try {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
      if (existsSync(path) && statSync(path).size > maxSize) renameSync(path, `${path}.1`)
      stream = createWriteStream(path, { flags: 'a', mode: 0o600 }).on('error', lose)
    } catch (error) {
      lose(error)
    }
  }

  function lose(error: unknown): void {
    stream = null
    if (failedAt === Number.NEGATIVE_INFINITY)
      warn(`The log \`${path}\` cannot be written (${errorCode(error)}); what is logged until it can is lost`)
    failedAt = performance.now()
  }

  open()
  return {
    write(line) {
      if (!stream && performance.now() - failedAt > retryMilliseconds) open()
      stream?.write(`${line}\n`)
    },
    close: () => new Promise((resolve) => (stream ? stream.end(resolve) : resolve())),
  }
}

/** A warning or an error in a JSON log line, as one readable line; null for everything else. */
export function parseComplaint(line: string): string | null {
  const level = /"level":(\d+)/.exec(line)
  // A fatal error is told by the child itself, when it ends.
  if (!line.startsWith('{') || !level || Number(level[1]) < 40 || Number(level[1]) >= 60) return null
  try {
    const entry: Record<string, unknown> = JSON.parse(line)
    const { msg, err } = entry
    const reason = typeof err === 'object' && err !== null && 'message' in err ? err.message : err
    const values = Object.entries(entry)
      .filter(([key, value]) => !hidden.has(key) && (typeof value === 'string' || typeof value === 'number'))
      .map(([key, value]) => `${key} ${value}`)
    return [msg, reason, values.join(', ')].filter((part) => typeof part === 'string' && part !== '').join('; ')
  } catch {
    return line
  }
}

const hidden = new Set(['level', 'time', 'pid', 'hostname', 'name', 'msg', 'err', 'requestId'])
