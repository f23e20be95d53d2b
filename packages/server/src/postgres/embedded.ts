import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chownSync,
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fail } from '@countersign/contract'
import type { CountersignError } from '@countersign/safe'
import { lockDirectory } from './lock.ts'
import { type Account, type Place, preparePlace } from './place.ts'
import { errorCode, isAlive, readCommandLine } from './process-identity.ts'
import { findShortage } from './refusal.ts'

export type EmbeddedPostgres = {
  /** Connection string of the superuser; holds the password. */
  url: string
  pid: number
  /** Where the cluster is: not under `dataDirectory` when the user that runs PostgreSQL cannot reach that. */
  directory: string
  /** Resolves when the server has ended, asked to or not, with the last lines of its log. */
  exited: Promise<{ code: number | null; lastLines: string[] }>
  stop(): Promise<void>
  /** At once, without a checkpoint: the next start recovers. */
  kill(): void
}

const maxLogSize = 4 * 1024 * 1024

/**
 * Starts a real PostgreSQL on the loopback interface, and makes its cluster when there is none.
 * Raises DATA_IN_USE, DATA_NOT_WRITABLE, DATA_TOO_NEW, DATABASE_UNAVAILABLE, DISK_FULL.
 */
export async function startEmbeddedPostgres(options: {
  dataDirectory: string
  /** Taken when it is free; any other one otherwise. */
  port?: number | null
  log?: (line: string) => void
}): Promise<EmbeddedPostgres> {
  const log = options.log ?? (() => undefined)
  const place = preparePlace(options.dataDirectory, log)
  const lock = lockDirectory(place.directory, log)
  try {
    checkVersion(place)
    await stopLeftover(place, log)
    if (!existsSync(cluster(place))) {
      log('Creating the database')
      await createCluster(place)
    }
    const running = await startServer(place, log, options.port ?? null)
    void running.exited.then(() => lock.release())
    return running
  } catch (error) {
    lock.release()
    throw error
  }
}

/** The connection string of the PostgreSQL that serves a data directory now; null where none does. */
export function findRunningPostgres(dataDirectory: string): string | null {
  const place = preparePlace(dataDirectory, () => undefined)
  const state = existsSync(cluster(place)) ? readServerState(place) : null
  if (state?.status !== 'ready' || !isAlive(state.pid)) return null
  return urlOf(readFileSync(join(place.directory, 'password'), 'utf8'), state.port)
}

function urlOf(password: string, port: number): string {
  return `postgresql://countersign:${password}@127.0.0.1:${port}/postgres`
}

function cluster(place: Place): string {
  return join(place.directory, 'cluster')
}

function checkVersion(place: Place): void {
  const path = join(cluster(place), 'PG_VERSION')
  if (!existsSync(path)) return
  const found = Number.parseInt(readFileSync(path, 'utf8'), 10)
  if (found <= place.major) return
  throw fail('DATA_TOO_NEW', {
    reason: 'postgres',
    directory: place.directory,
    found,
    supported: place.major,
  })
}

/** A server outlives a parent that was killed. It is stopped, so that the new one is our child. */
async function stopLeftover(place: Place, log: (line: string) => void): Promise<void> {
  const pid = readServerState(place)?.pid
  if (pid === undefined || !isAlive(pid)) return
  const command = readCommandLine(pid)
  // A pid that was given to another program meanwhile; PostgreSQL clears its stale file itself.
  if (command !== '' && !command.includes('postgres')) return
  log(`A PostgreSQL of an earlier run (process ${pid}) still runs; stopping it`)
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    trySignal(pid, signal)
    if (await becomesTrue(() => !isAlive(pid), 10_000)) return
  }
  throw fail('DATA_IN_USE', { reason: 'postgres', pid, directory: place.directory })
}

async function createCluster(place: Place): Promise<void> {
  // Made beside its place and renamed when it is complete: an interrupted run leaves no half cluster. Each run has its
  // own: what a killed one started may still be writing.
  for (const name of readdirSync(place.directory).filter((file) => file.startsWith('cluster.partial')))
    rmSync(join(place.directory, name), { recursive: true, force: true, maxRetries: 3 })
  const partial = join(place.directory, `cluster.partial-${randomBytes(4).toString('hex')}`)
  const passwordPath = join(place.directory, 'password')
  writeFileSync(passwordPath, randomBytes(24).toString('hex'), { mode: 0o600 })
  give(passwordPath, place.account)
  const logFile = openLog(place)
  const child = runBinary(place, 'initdb', logFile, [
    `--pgdata=${partial}`,
    '--username=countersign',
    `--pwfile=${passwordPath}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
  ])
  closeSync(logFile)
  const code = await exitOf(child)
  if (code !== 0) throw failed(place, { reason: 'cluster', exitCode: code ?? 'none' })
  renameSync(partial, cluster(place))
}

async function startServer(
  place: Place,
  log: (line: string) => void,
  wantedPort: number | null,
): Promise<EmbeddedPostgres> {
  const password = readFileSync(join(place.directory, 'password'), 'utf8')
  // The port may be taken between choosing and binding, and the workers of a killed server need a moment to end.
  for (let attempt = 1; ; attempt++) {
    const port = await findFreePort(attempt < 4 ? wantedPort : null)
    const logFile = openLog(place)
    const child = runBinary(place, 'postgres', logFile, [
      '-D',
      cluster(place),
      '-p',
      String(port),
      '-c',
      'listen_addresses=127.0.0.1',
      '-c',
      'unix_socket_directories=',
      '-c',
      'fsync=on',
      '-c',
      'logging_collector=off',
    ])
    closeSync(logFile)
    const ended = exitOf(child)
    if (await becomesReady(place, child, log)) {
      const stopLooking = endWhenAskedTo(place, child)
      const exited = ended.then((code) => {
        stopLooking()
        return { code, lastLines: readLastLines(place) }
      })
      return {
        url: urlOf(password, port),
        pid: child.pid ?? 0,
        directory: place.directory,
        exited,
        stop: () => stopServer(place, child, ended),
        kill: () => child.kill('SIGQUIT'),
      }
    }
    if (child.exitCode === null && child.signalCode === null) await stopServer(place, child, ended)
    if (attempt === 5) throw failed(place, { reason: 'start' })
    await sleep(200 * attempt)
  }
}

async function becomesReady(place: Place, child: ChildProcess, log: (line: string) => void): Promise<boolean> {
  const slow = setTimeout(() => log('PostgreSQL is recovering; a large database takes a while'), 3_000)
  let ready = false
  const ended = () => child.pid === undefined || child.exitCode !== null || child.signalCode !== null
  await becomesTrue(() => {
    const state = readServerState(place)
    ready = state?.pid === child.pid && state?.status === 'ready'
    return ready || ended()
  }, 300_000)
  clearTimeout(slow)
  return ready
}

/**
 * Told to end by somebody else, PostgreSQL takes no connections any more and waits for those that it has, which we keep:
 * it is made to end now, to be started again. @returns stops looking
 */
function endWhenAskedTo(place: Place, child: ChildProcess): () => void {
  const look = setInterval(() => {
    if (readServerState(place)?.status !== 'stopping') return
    clearInterval(look)
    child.kill('SIGINT')
  }, 500)
  look.unref()
  return () => clearInterval(look)
}

/** Fast: open transactions are rolled back, then a checkpoint. */
async function stopServer(place: Place, child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  if (child.pid === undefined) return
  if (process.platform === 'win32') {
    const stopping = spawn(binary(place, 'pg_ctl'), ['stop', '-m', 'fast', '-D', cluster(place)], { stdio: 'ignore' })
    await exitOf(stopping)
  }
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill(signal)
      // One that was stopped would not hear it.
      if (process.platform !== 'win32') child.kill('SIGCONT')
    }
    const isEnded = await Promise.race([ended.then(() => true), sleep(15_000, false, { ref: false })])
    if (isEnded) return
  }
}

function runBinary(place: Place, name: string, logFile: number, args: string[]): ChildProcess {
  const { account } = place
  return spawn(binary(place, name), args, {
    cwd: place.directory,
    // Its own process group: Ctrl-C in the terminal reaches the launcher alone, which stops things in order.
    detached: process.platform !== 'win32',
    windowsHide: true,
    stdio: ['ignore', logFile, logFile],
    // Nothing from outside: PG* variables would change what it does.
    env: { PATH: process.env.PATH ?? '', SystemRoot: process.env.SystemRoot ?? '', LC_ALL: 'C', TZ: 'UTC' },
    ...(account ? { uid: account.uid, gid: account.gid } : {}),
  })
}

function binary(place: Place, name: string): string {
  return join(place.binaries, 'bin', process.platform === 'win32' ? `${name}.exe` : name)
}

/** Reads the server's pid file: the pid in line 1, the port in line 4, the status in line 8. */
function readServerState(place: Place): { pid: number; port: number; status: string } | null {
  try {
    const lines = readFileSync(join(cluster(place), 'postmaster.pid'), 'utf8').split('\n')
    const pid = Number.parseInt(lines[0] ?? '', 10)
    return Number.isInteger(pid) && pid > 0 ? { pid, port: Number(lines[3]), status: (lines[7] ?? '').trim() } : null
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}

function openLog(place: Place): number {
  const path = join(place.directory, 'postgresql.log')
  if (existsSync(path) && statSync(path).size > maxLogSize) renameSync(path, `${path}.1`)
  const file = openSync(path, 'a', 0o600)
  give(path, place.account)
  return file
}

function readLastLines(place: Place): string[] {
  const name = readdirSync(place.directory).find((entry) => entry === 'postgresql.log')
  if (!name) return []
  return readFileSync(join(place.directory, name), 'utf8').trimEnd().split('\n').slice(-8)
}

function give(path: string, account: Account): void {
  if (account) chownSync(path, account.uid, account.gid)
}

function failed(
  place: Place,
  why: { reason: 'cluster'; exitCode: number | string } | { reason: 'start' },
): CountersignError {
  const shortage = findShortage(place.directory)
  if (shortage) return shortage
  return fail('DATABASE_UNAVAILABLE', {
    ...why,
    directory: place.directory,
    file: join(place.directory, 'postgresql.log'),
    lastLines: readLastLines(place).join('\n'),
  })
}

function exitOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => {
    child.once('exit', (code) => resolve(code))
    child.once('error', () => resolve(null))
  })
}

function trySignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error
  }
}

async function becomesTrue(check: () => boolean, within: number): Promise<boolean> {
  const deadline = performance.now() + within
  while (performance.now() < deadline) {
    if (check()) return true
    await sleep(10)
  }
  return check()
}

async function findFreePort(wanted: number | null): Promise<number> {
  const server = createServer()
  const isFree = await new Promise<boolean>((resolve, reject) => {
    server.once('error', (error) => (wanted === null ? reject(error) : resolve(false)))
    server.listen(wanted ?? 0, '127.0.0.1', () => resolve(true))
  })
  if (!isFree) return findFreePort(null)
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
