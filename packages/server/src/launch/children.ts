import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  errorCode,
  identifyProcess,
  isRunning,
  type ProcessIdentity,
  readCommandLine,
} from '../postgres/process-identity.ts'

export type Message = { type: string } & Record<string, unknown>

export type Child = {
  name: string
  /** Resolves when it has ended, asked to or not. */
  exited: Promise<number | null>
  /** The end of what it wrote. */
  lastLines(): string[]
  send(message: Message): void
  /** The next message of one of these types; null when the child ended before it came. */
  next(...types: string[]): Promise<Message | null>
  /** Asks it to end, and kills it and what it started when it does not. */
  stop(): Promise<void>
  kill(): void
}

/**
 * Starts a child in its own process group, so that Ctrl-C in the terminal does not reach it: the launcher stops its
 * children in order. Each is recorded in `registry` until it has ended, for the start after a kill -9.
 */
export function startChild(options: {
  name: string
  args: string[]
  env?: NodeJS.ProcessEnv
  registry: ChildRegistry
  onLine?: (line: string, stream: 'stdout' | 'stderr') => void
  onMessage?: (message: Message) => void
  stopWithin?: number
}): Child {
  const { name, registry } = options
  const child = spawn(process.execPath, options.args, {
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: process.platform !== 'win32',
    windowsHide: true,
  })
  const identity = identifyProcess(child.pid ?? 0)
  if (child.pid) registry.add(name, identity)

  const lines: string[] = []
  for (const stream of ['stdout', 'stderr'] as const) {
    const source = child[stream]
    if (!source) continue
    createInterface({ input: source }).on('line', (line) => {
      lines.push(line)
      if (lines.length > 20) lines.shift()
      options.onLine?.(line, stream)
    })
  }

  let hasEnded = false
  const exited = new Promise<number | null>((resolve) => {
    child.once('error', (error) => {
      lines.push(String(error))
      if (!child.pid) resolve(null)
    })
    child.once('close', (code) => resolve(code))
  }).then((code) => {
    hasEnded = true
    registry.remove(name)
    return code
  })

  const waiting = new Set<{ types: string[]; resolve: (message: Message | null) => void }>()
  child.on('message', (message) => {
    if (!isMessage(message)) return
    options.onMessage?.(message)
    for (const wait of waiting) {
      if (!wait.types.includes(message.type)) continue
      waiting.delete(wait)
      wait.resolve(message)
    }
  })
  void exited.then(() => {
    for (const wait of waiting) wait.resolve(null)
    waiting.clear()
  })

  return {
    name,
    exited,
    lastLines: () => lines.slice(-12),
    send: (message) => {
      if (child.connected) child.send(message, () => undefined)
    },
    next: (...types) => (hasEnded ? Promise.resolve(null) : new Promise((resolve) => waiting.add({ types, resolve }))),
    kill: () => {
      if (!hasEnded) signalGroup(child, 'SIGKILL')
    },
    stop: async () => {
      if (hasEnded) return
      child.kill('SIGTERM')
      // One that was stopped would not hear it.
      signalGroup(child, 'SIGCONT')
      const isEnded = await Promise.race([
        exited.then(() => true),
        sleep(options.stopWithin ?? 10_000, false, { ref: false }),
      ])
      if (isEnded) return
      signalGroup(child, 'SIGKILL')
      await exited
    },
  }
}

/** The processes of this run, in a file that the next start reads when this one was killed. */
export class ChildRegistry {
  readonly #path: string
  readonly #warn: (line: string) => void
  readonly #children = new Map<string, ProcessIdentity>()

  constructor(dataDirectory: string, warn: (line: string) => void) {
    this.#path = join(dataDirectory, 'children.json')
    this.#warn = warn
  }

  add(name: string, identity: ProcessIdentity): void {
    this.#children.set(name, identity)
    this.#write()
  }

  remove(name: string): void {
    this.#children.delete(name)
    this.#write()
  }

  #write(): void {
    try {
      if (this.#children.size > 0) {
        // Whole or not at all, also on a full disk.
        writeFileSync(`${this.#path}.new`, JSON.stringify(Object.fromEntries(this.#children)), { mode: 0o600 })
        renameSync(`${this.#path}.new`, this.#path)
      } else rmSync(this.#path, { force: true })
    } catch (error) {
      this.#warn(
        `\`${this.#path}\` cannot be written (${errorCode(error)}): a start after a kill -9 may not find what was left`,
      )
    }
  }

  /** Ends what an earlier run left: exactly the recorded processes, and what they started with our data directory. */
  async endLeftovers(dataDirectory: string, log: (line: string) => void): Promise<void> {
    const left = Object.entries(this.#read())
    for (const [name, identity] of left) {
      const members = membersOf(identity, dataDirectory)
      if (members.length === 0) continue
      log(`The ${name} of an earlier run (process ${identity.pid}) still runs; stopping it`)
      for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
        for (const { pid } of members.filter(isRunning)) trySignal(pid, signal)
        const deadline = performance.now() + 5_000
        while (members.some(isRunning) && performance.now() < deadline) await sleep(20)
      }
    }
    rmSync(this.#path, { force: true })
  }

  #read(): Record<string, ProcessIdentity> {
    if (!existsSync(this.#path)) return {}
    try {
      const value: unknown = JSON.parse(readFileSync(this.#path, 'utf8'))
      if (typeof value !== 'object' || value === null) return {}
      return Object.fromEntries(Object.entries(value).filter(([, entry]) => isIdentity(entry)))
    } catch {
      return {}
    }
  }
}

/** The process itself, and on Linux those of its group that name our data directory: they may outlive it. */
function membersOf(leader: ProcessIdentity, dataDirectory: string): ProcessIdentity[] {
  // Without a start time a pid may belong to anyone by now: then nothing is ended.
  const own = leader.startTime !== null && isRunning(leader) ? [leader] : []
  if (process.platform !== 'linux') return own
  const others = readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && pid !== leader.pid && groupOf(pid) === leader.pid)
    .filter((pid) => own.length > 0 || readCommandLine(pid).includes(dataDirectory))
  return [...own, ...others.map(identifyProcess)]
}

function groupOf(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2])
  } catch {
    return null
  }
}

function signalGroup(child: ChildProcess, signal: 'SIGKILL' | 'SIGCONT'): void {
  if (!child.pid) return
  if (process.platform !== 'win32') trySignal(-child.pid, signal)
  else if (signal === 'SIGKILL') child.kill(signal)
}

function trySignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It ended in between.
  }
}

function isMessage(value: unknown): value is Message {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}

function isIdentity(value: unknown): value is ProcessIdentity {
  if (typeof value !== 'object' || value === null) return false
  return (
    'pid' in value &&
    typeof value.pid === 'number' &&
    'startTime' in value &&
    (value.startTime === null || typeof value.startTime === 'string')
  )
}
