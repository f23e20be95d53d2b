import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { UI_TIMEOUT_MS } from '../browser/ui-timeout.ts'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const launcher = join(root, 'dist/launch.js')

export type ProductOptions = {
  /** Kept when given, so that another start goes on there; removed with the product when not. */
  dataPath?: string
  port?: number
  /** Contents of countersign.config.json; without it the product starts its devnet. */
  configuration?: unknown
  env?: Record<string, string>
  /** Path to wait for: /readyz says no while the database is away. */
  waitFor?: 'readyz' | 'healthz'
  /** By `npm start`, in a process group of its own as a terminal gives it; `pid` is then that of npm. */
  hasNpm?: boolean
}

/** The built product as a child process, started the way `npm start` does. */
export type Product = {
  url: string
  /** Process of the launcher, or of npm. */
  pid: number
  port: number
  dataPath: string
  /** Milliseconds from the start of the process until /readyz said yes. */
  readyAfter: number
  /** Output until now. */
  output(): string
  /** SIGTERM, as Ctrl-C does. Answers the exit code. */
  stop(): Promise<number | null>
  /** SIGKILL to the launcher alone: what it started is left to itself. */
  kill(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

export async function startProduct(options: ProductOptions = {}): Promise<Product> {
  const dataPath = options.dataPath ?? makeDataPath()
  const port = options.port ?? (await freePort())
  const { child, output, exited } = launch({ ...options, dataPath, port })
  const started = performance.now()
  const url = await ready({ output, exited, child }, options.waitFor ?? 'readyz').catch(async (error) => {
    await exited
    if (!options.dataPath) rmSync(dataPath, { recursive: true, force: true })
    throw error
  })
  const readyAfter = performance.now() - started

  async function stop(): Promise<number | null> {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
    const code = await Promise.race([exited, sleep(UI_TIMEOUT_MS, 'still running' as const, { ref: false })])
    if (code !== 'still running') return code
    child.kill('SIGKILL')
    throw new Error(`The product did not stop within a minute of SIGTERM.\n${output()}`)
  }

  return {
    url,
    pid: child.pid ?? 0,
    port: Number(new URL(url).port),
    dataPath,
    readyAfter,
    output,
    stop,
    kill: async () => {
      child.kill('SIGKILL')
      await exited
    },
    [Symbol.asyncDispose]: async () => {
      await stop()
      if (!options.dataPath) rmSync(dataPath, { recursive: true, force: true })
    },
  }
}

/** Starts a product that is expected to refuse, and answers how it ended. */
export async function startAndFail(options: ProductOptions): Promise<{ code: number | null; output: string }> {
  const { child, output, exited } = launch({ ...options, port: options.port ?? (await freePort()) })
  const code = await Promise.race([exited, sleep(2 * UI_TIMEOUT_MS, 'still running' as const, { ref: false })])
  if (code !== 'still running') return { code, output: output() }
  child.kill('SIGTERM')
  throw new Error(`The product was expected to refuse, but runs.\n${output()}`)
}

/** A new data directory; the one who asks for it removes it. */
export function makeDataPath(): string {
  return mkdtempSync(join(tmpdir(), 'countersign-'))
}

export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

/** Processes that still name a data directory in their command line; on Linux alone, elsewhere none. */
export function processesOf(dataPath: string): { pid: number; command: string }[] {
  if (!existsSync('/proc')) return []
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
        return command.includes(dataPath) ? [{ pid: Number(name), command }] : []
      } catch {
        return []
      }
    })
}

type Launched = { child: ChildProcess; output: () => string; exited: Promise<number | null> }

function launch({ dataPath = makeDataPath(), port, configuration, env, hasNpm = false }: ProductOptions): Launched {
  if (!existsSync(launcher)) throw new Error(`\`${launcher}\` is missing: build first, \`npm start\` or \`npm test\`.`)
  const configurationPath = join(dataPath, 'countersign.config.json')
  if (configuration !== undefined) writeFileSync(configurationPath, JSON.stringify(configuration, null, 2))
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(COUNTERSIGN_|VITEST|NODE_ENV$|NODE_OPTIONS$|DATABASE_URL$|HOST$|PORT$)/.test(name),
  )
  const [command, args] = hasNpm ? ['npm', ['start']] : [process.execPath, [launcher]]
  const child = spawn(command, args, {
    // No configuration file of whoever runs the tests comes in.
    cwd: hasNpm ? root : dataPath,
    detached: hasNpm,
    env: {
      ...Object.fromEntries(inherited),
      COUNTERSIGN_DATA: dataPath,
      PORT: String(port),
      ...(configuration === undefined ? {} : { COUNTERSIGN_CONFIG: configurationPath }),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  const print = (chunk: unknown) => {
    printed += String(chunk)
    // Tests that wait for the queue would then wait in vain, without a reason.
    const [warning] = /.*queue could not be filled.*/.exec(String(chunk)) ?? []
    if (warning) console.warn(warning)
  }
  child.stdout?.on('data', print)
  child.stderr?.on('data', print)
  // A test that fails on the way may not get to stopping it.
  const stopWithUs = () => child.kill('SIGTERM')
  process.once('exit', stopWithUs)
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve)).finally(() =>
    process.off('exit', stopWithUs),
  )
  return { child, output: () => printed, exited }
}

/** The address that it printed, once the health check there answers yes. */
async function ready({ child, output, exited }: Launched, check: 'readyz' | 'healthz'): Promise<string> {
  let ended = false
  void exited.then(() => {
    ended = true
  })
  const deadline = Date.now() + 3 * UI_TIMEOUT_MS
  while (!ended && Date.now() < deadline) {
    const url = /https?:\/\/localhost:\d+/.exec(output())?.[0]
    if (url && (await isOk(`${url}/${check}`))) return url
    await sleep(25)
  }
  if (!ended) child.kill('SIGTERM')
  throw new Error(`The product did not become ready${ended ? ` and ended with ${child.exitCode}` : ''}.\n${output()}`)
}

async function isOk(url: string): Promise<boolean> {
  return fetch(url).then(
    (response) => response.ok,
    () => false,
  )
}
