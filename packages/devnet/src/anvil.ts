import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { fail } from '@countersign/contract'
import { type Hex, hexToBytes } from 'viem'
import { lookAfter } from './look-after.ts'
import { requestNode } from './node-client.ts'

const HOST = '127.0.0.1'

export type Anvil = {
  rpcUrl: string
  port: number
  pid: number
  /** Writes the chain to the state file, if it has changed. */
  save(): Promise<void>
  /** From now on the chain is written whenever it has a new block. Before, a half-built chain is never saved. */
  keepSaved(): void
  /** Settles when the process has ended, whoever ended it. */
  exited: Promise<void>
  close(): Promise<void>
}

export type AnvilOptions = {
  /** The first port to try; 0 for any free one. */
  port: number
  chainId: number
  /** File that keeps the chain between starts. */
  statePath?: string | undefined
  log?: ((text: string) => void) | undefined
}

/**
 * Starts anvil and waits until it answers.
 *
 * The state file is written by us, to a new file that then takes the old one's name: anvil's own `--state` writes in
 * place, so that a kill at the wrong moment leaves a file with which no later start succeeds.
 */
export async function startAnvil({ port: wanted, chainId, statePath, log = () => {} }: AnvilOptions): Promise<Anvil> {
  const binary = findAnvil()
  if (statePath) {
    mkdirSync(dirname(statePath), { recursive: true })
    await endOrphan(statePath, log)
  }
  const hasState = statePath !== undefined && existsSync(statePath)

  for (let attempt = 0; attempt < 20; attempt++) {
    const port = await findFreePort(wanted)
    const folder = makeFolder(statePath)
    const listens = join(folder, 'listens.json')
    const child = spawn(
      binary,
      [
        '--host',
        HOST,
        '--port',
        String(port),
        '--chain-id',
        String(chainId),
        '--quiet',
        '--config-out',
        listens,
        // Old states: else they go to the home directory, gigabytes of them, and stay there.
        '--cache-path',
        folder,
        ...(hasState ? ['--load-state', statePath] : []),
      ],
      // Not detached: whoever kills the process group of its parent means the node too.
      { stdio: ['ignore', 'ignore', 'pipe'], windowsHide: true },
    )
    let complaint = ''
    child.stderr?.on('data', (chunk: Buffer) => {
      complaint = (complaint + chunk.toString()).slice(-2000)
    })
    if (statePath) writeRuntime(statePath, { pid: child.pid ?? 0, port, complete: false })
    const anvil = watch({ child, port, folder, statePath, hasState, log })
    const isOurs = await answers(anvil.rpcUrl, { child, listens })
    if (isOurs) {
      lookAfter(anvil.rpcUrl, {
        hasEnded: () => hasEnded(child),
        onStuck() {
          log('The local chain mines no transaction any more; its node is ended')
          child.kill('SIGKILL')
        },
      })
      if (port !== wanted && wanted !== 0) log(`Port ${wanted} is taken; the node is at port ${port}.`)
      return anvil
    }
    await anvil.close()
    // Somebody took the port between our look and anvil's.
    if (/address (already )?in use/i.test(complaint)) continue
    throw fail('CHAIN_UNREACHABLE', { reason: 'devnet-start', binary, statePath, complaint: complaint.trim() })
  }
  throw fail('PORT_IN_USE', { reason: 'none', port: wanted })
}

/**
 * Makes a folder for files that are of use while one node runs; beside a chain that is kept, where those of nodes that were
 * killed are removed. It is of this node alone: one that is being ended removes its own at a time that nobody knows.
 */
function makeFolder(statePath: string | undefined): string {
  if (!statePath) return mkdtempSync(join(tmpdir(), 'countersign-anvil-'))
  const beside = dirname(statePath)
  const start = `${basename(statePath)}.run`
  for (const name of readdirSync(beside)) if (name.startsWith(start)) remove(join(beside, name))
  return mkdtempSync(join(beside, `${start}-`))
}

function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}

function findAnvil(): string {
  const arch = process.arch === 'x64' ? 'amd64' : process.arch
  const name = `@foundry-rs/anvil-${process.platform}-${arch}`
  try {
    const folder = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`))
    return join(folder, 'bin', process.platform === 'win32' ? 'anvil.exe' : 'anvil')
  } catch (cause) {
    throw fail('CHAIN_UNREACHABLE', { reason: 'devnet-package', package: name }, cause)
  }
}

function watch({
  child,
  port,
  folder,
  statePath,
  hasState,
  log,
}: {
  child: ChildProcess
  port: number
  folder: string
  statePath: string | undefined
  hasState: boolean
  log: (text: string) => void
}): Anvil {
  const rpcUrl = `http://${HOST}:${port}`
  const killChild = () => child.kill('SIGKILL')
  const killAndRemove = () => {
    killChild()
    remove(folder)
  }
  process.once('exit', killAndRemove)
  const exited = new Promise<void>((resolve) => {
    child.once('error', () => resolve())
    child.once('exit', () => resolve())
  }).then(() => {
    process.off('exit', killAndRemove)
    remove(folder)
  })

  let savedAt: unknown = hasState ? undefined : null
  let saving: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  let isSaid = false

  /** A chain that cannot be written goes on: said once, and once more when it is written again. */
  async function saveOrSay(): Promise<void> {
    try {
      await save()
      if (isSaid) log('The local chain is saved again')
      isSaid = false
    } catch (error) {
      if (!isSaid && !hasEnded(child))
        log(`The local chain cannot be saved: ${error instanceof Error ? error.message : String(error)}`)
      isSaid = true
    }
  }

  function save(): Promise<void> {
    saving = saving
      .catch(() => {})
      .then(async () => {
        if (!statePath || hasEnded(child)) return
        const block = await requestNode(rpcUrl, 'eth_blockNumber')
        if (block === savedAt) return
        await saveState(rpcUrl, statePath)
        savedAt = block
      })
    return saving
  }

  function saveLater(pause: number): void {
    timer = setTimeout(async () => {
      const start = performance.now()
      await saveOrSay()
      // A long chain takes long to write: never spend more than a tenth of the time on it.
      if (!hasEnded(child)) saveLater(Math.max(500, 10 * (performance.now() - start)))
    }, pause)
    timer.unref()
  }

  return {
    rpcUrl,
    port,
    pid: child.pid ?? 0,
    save,
    exited,
    keepSaved() {
      if (!statePath) return
      writeRuntime(statePath, { pid: child.pid ?? 0, port, complete: true })
      saveLater(500)
    },
    async close() {
      const wasKept = timer !== undefined
      clearTimeout(timer)
      if (wasKept) await saveOrSay()
      clearTimeout(timer)
      if (!hasEnded(child)) child.kill('SIGTERM')
      const impatience = setTimeout(killChild, 3000)
      await exited
      clearTimeout(impatience)
      if (statePath) rmSync(runtimePath(statePath), { force: true })
    },
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null
}

/** @param listens the file that anvil writes once it has the port: before, somebody else's node may be the one that answers */
async function answers(rpcUrl: string, { child, listens }: { child: ChildProcess; listens: string }): Promise<boolean> {
  const deadline = Date.now() + 20_000
  while (!hasEnded(child) && Date.now() < deadline) {
    const isUp =
      existsSync(listens) &&
      (await requestNode(rpcUrl, 'eth_chainId').then(
        () => true,
        () => false,
      ))
    if (isUp && !hasEnded(child)) return true
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  return false
}

async function saveState(rpcUrl: string, statePath: string): Promise<void> {
  const dump = await requestNode(rpcUrl, 'anvil_dumpState')
  const state = gunzipSync(hexToBytes(dump as Hex))
  const file = openSync(`${statePath}.new`, 'w', 0o600)
  try {
    writeFileSync(file, state)
    fsyncSync(file)
  } catch (error) {
    // Half a chain takes room where there is none.
    rmSync(`${statePath}.new`, { force: true })
    throw error
  } finally {
    closeSync(file)
  }
  renameSync(`${statePath}.new`, statePath)
}

/** Facts that the next start needs about a node that outlived its parent. */
type Runtime = { pid: number; port: number; complete: boolean }

function runtimePath(statePath: string): string {
  return `${statePath}.pid`
}

function writeRuntime(statePath: string, runtime: Runtime): void {
  writeFileSync(runtimePath(statePath), JSON.stringify(runtime))
}

/** After a kill -9 of its parent anvil lives on, holding the port and the newest state: take that, then end it. */
async function endOrphan(statePath: string, log: (text: string) => void): Promise<void> {
  let runtime: Runtime
  try {
    runtime = JSON.parse(readFileSync(runtimePath(statePath), 'utf8'))
  } catch {
    return
  }
  const { pid, port, complete } = runtime
  if (isAnvil(pid, port)) {
    log('The node of the last start is still running; it is ended.')
    if (complete) await saveState(`http://${HOST}:${port}`, statePath).catch(() => {})
    process.kill(pid, 'SIGTERM')
    const deadline = Date.now() + 3000
    while (isAnvil(pid, port)) {
      if (Date.now() > deadline) process.kill(pid, 'SIGKILL')
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  rmSync(runtimePath(statePath), { force: true })
}

/** Process ids are used again: only a process that was started as our node, on that port, is ours to end. */
function isAnvil(pid: number, port: number): boolean {
  if (!Number.isInteger(pid) || pid <= 1) return false
  const words = commandLine(pid)
  return /anvil(\.exe)?$/.test(words[0] ?? '') && words.includes('--port') && words.includes(String(port))
}

function commandLine(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  } catch {
    if (process.platform === 'linux' || process.platform === 'win32') return []
  }
  const { stdout } = spawnSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' })
  return (stdout ?? '').trim().split(/\s+/)
}

/** The wanted port, or the next one that nobody listens on. */
async function findFreePort(wanted: number): Promise<number> {
  const last = wanted === 0 ? 0 : Math.min(wanted + 100, 65_535)
  for (let port = wanted; port <= last; port++) {
    const found = await tryPort(port)
    if (found !== undefined) return found
  }
  throw fail('PORT_IN_USE', { reason: 'range', first: wanted, last })
}

function tryPort(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(undefined))
    server.listen(port, HOST, () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' ? address?.port : undefined))
    })
  })
}
