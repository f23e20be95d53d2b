import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { join, sep } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const PREFIX = 'countersign-tests-'
const MEMORY = '/dev/shm'
/** A run writes a third of this at most: databases, chains, browser. */
const NEEDED_MEMORY_BYTES = 8 * 2 ** 30
/**
 * Files that tools unpack once for a whole run: the compiler of scripts, and the browser of the package
 * `@sparticuz/chromium`; and those that a browser leaves when it is ended on a busy machine, its profile included. They go
 * with the directory of the run.
 */
const unpacked =
  /^(\.org\.chromium\..+|playwright.+|countersign-profile-.+|tsx-\d+|chromium|al2023|fonts|locales|lib\w+\.so(\.\d+)?|vk_swiftshader_icd\.json)$/
/** Processes that were told to end may take so long. */
const ENDING_MS = 5_000

/**
 * Makes a directory for temporary files of one run, which is removed when this process ends. Everything that is started with
 * its `env` puts its files there and is known by it.
 */
export function makeRunDirectory() {
  for (const place of [tmpdir(), MEMORY]) removeOfDeadRuns(place)
  const directory = makeInMemory() ?? mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`))
  // PostgreSQL runs as another user, who passes through.
  chmodSync(directory, 0o711)
  process.once('exit', () => {
    endAll(directory)
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 })
  })
  return { directory, env: { TMPDIR: directory, TEMP: directory, TMP: directory } }
}

/** Whether a path is such a directory, or in one. */
export function isOfRun(path) {
  return path.split(sep).some((name) => name.startsWith(PREFIX))
}

/** Lists files and processes that a suite left, and ends and removes them. */
export async function takeLeftBehind(directory) {
  const deadline = Date.now() + ENDING_MS
  let processes = processesOf(directory)
  while (processes.length > 0 && Date.now() < deadline) {
    await sleep(100)
    processes = processesOf(directory)
  }
  for (const { pid } of processes) end(pid)
  const files = readdirSync(directory).filter((name) => !unpacked.test(name))
  for (const name of files) rmSync(join(directory, name), { recursive: true, force: true, maxRetries: 5 })
  return [...files.map((name) => `file ${name}`), ...processes.map(({ pid, command }) => `process ${pid}: ${command}`)]
}

/**
 * Makes the directory in memory, where no test waits for a disk, if there is room and programs may run from there: a
 * browser is unpacked into it.
 *
 * @returns null where that is not so
 */
function makeInMemory() {
  let directory
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    if (Math.min(bavail * bsize, freemem()) < NEEDED_MEMORY_BYTES) return null
    directory = mkdtempSync(join(MEMORY, `${PREFIX}${process.pid}-`))
    const program = join(directory, 'program')
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o700 })
    const { status } = spawnSync(program)
    rmSync(program)
    if (status === 0) return directory
  } catch {
    // There is no such place, or it is not ours to write to.
  }
  if (directory) rmSync(directory, { recursive: true, force: true })
  return null
}

/** Removes the directories of runs that were killed; they are named by their process. */
function removeOfDeadRuns(place) {
  if (!existsSync(place)) return
  for (const name of readdirSync(place)) {
    const [, pid] = new RegExp(`^${PREFIX}(\\d+)-`).exec(name) ?? []
    if (pid === undefined || isRunning(Number(pid))) continue
    try {
      rmSync(join(place, name), { recursive: true, force: true, maxRetries: 5 })
    } catch {
      // Another run that begins removes it too.
    }
  }
}

function isRunning(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** Processes with the directory in their environment or their command line; on Linux alone, elsewhere none. */
function processesOf(directory) {
  if (!existsSync('/proc')) return []
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((name) => {
      const [command, environment] = ['cmdline', 'environ'].map((file) => {
        try {
          return readFileSync(`/proc/${name}/${file}`, 'utf8').replaceAll('\0', ' ').trim()
        } catch {
          // It has ended, or is another user's.
          return ''
        }
      })
      return `${command} ${environment}`.includes(directory) ? [{ pid: Number(name), command }] : []
    })
}

/** Ends what runs in a directory, and waits for it without leaving this turn: the process is about to exit. */
function endAll(directory) {
  // A PostgreSQL that is killed leaves its shared memory behind.
  for (const { pid, command } of processesOf(directory)) end(pid, /\bpostgres\b/.test(command) ? 'SIGQUIT' : 'SIGKILL')
  const deadline = Date.now() + ENDING_MS
  const turn = new Int32Array(new SharedArrayBuffer(4))
  while (Date.now() < deadline && processesOf(directory).length > 0) Atomics.wait(turn, 0, 0, 50)
  for (const { pid } of processesOf(directory)) end(pid)
}

function end(pid, signal = 'SIGKILL') {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended meanwhile.
  }
}
