import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fail } from '@countersign/contract'
import { type DirectoryLock, lockDirectory } from '../postgres/lock.ts'
import { asRefusal, findShortage, NEEDED_BYTES } from '../postgres/refusal.ts'
import { createAnnouncer, describeNextSteps } from './announce.ts'
import { ChildRegistry } from './children.ts'
import { createPart, type Part } from './keep-running.ts'
import {
  type DatabaseFacts,
  type DevnetFacts,
  type LaunchContext,
  type ServerFacts,
  spawnDatabase,
  spawnDevnet,
  spawnServer,
  spawnWebBuild,
} from './parts.ts'
import { findFreePort } from './ports.ts'
import { tellToReload } from './reload.ts'
import { type LaunchSettings, parseLaunchSettings } from './settings.ts'

/** For a new database, a new chain and their logs. */
const NEEDED_AT_FIRST_BYTES = 4 * NEEDED_BYTES
const LOOK_FOR_ROOM_MS = 2_000

const announcer = createAnnouncer(process.env.COUNTERSIGN_LOG === 'stdout')

let database: Part<DatabaseFacts> | undefined
let devnet: Part<DevnetFacts> | undefined
let server: Part<ServerFacts> | undefined
let webBuild: Part<null> | undefined
let lock: DirectoryLock | undefined
/** Asks the server that runs. */
let askToReload: (() => void) | undefined
let stoppingSince: number | undefined
let exitCode = 0

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => onSignal(signal))
if (process.platform !== 'win32') process.on('SIGUSR2', reload)
if (process.send) process.on('disconnect', () => onSignal('SIGTERM'))
process.on('uncaughtException', failWith)

try {
  const settings = parseLaunchSettings(process.env, process.argv.slice(2))
  if (process.argv.includes('--reload')) tellToReload(settings.dataDirectory, announcer)
  else await launch(settings)
} catch (error) {
  failWith(error)
}

async function launch(settings: LaunchSettings): Promise<void> {
  const { dataDirectory } = settings
  makeDataDirectory(settings)
  lock = lockDirectory(dataDirectory, announcer.warn)
  const registry = new ChildRegistry(dataDirectory, announcer.warn)
  await registry.endLeftovers(dataDirectory, announcer.warn)
  const { url, databaseDirectory, logPath, chain } = await startParts({ settings, registry, announcer })
  announcer.print(
    describeNextSteps({
      url,
      dataDirectory,
      // Said only when it is not where everybody would look for it.
      databaseDirectory: databaseDirectory?.startsWith(dataDirectory) ? null : databaseDirectory,
      logPath,
      devnet: chain && {
        rpcUrl: chain.rpcUrl,
        chainId: chain.chainId,
        owners: chain.accounts.slice(0, 3),
        stranger: chain.accounts[3] ?? null,
      },
    }),
  )
}

function makeDataDirectory({ dataDirectory, databaseUrl }: LaunchSettings): void {
  try {
    mkdirSync(dataDirectory, { recursive: true })
  } catch (cause) {
    throw asRefusal(dataDirectory, cause)
  }
  if (databaseUrl) return
  const isFirst = !['postgres', 'postgres.location'].some((name) => existsSync(join(dataDirectory, name)))
  const shortage = findShortage(dataDirectory, isFirst ? NEEDED_AT_FIRST_BYTES : NEEDED_BYTES)
  if (shortage) throw shortage
}

/** Database and chain first, side by side; then the server. Each is started again when it ends by itself. */
async function startParts(context: LaunchContext) {
  const { settings } = context
  const { dataDirectory } = settings
  const facts: { database: DatabaseFacts | null; chain: DevnetFacts | null } = { database: null, chain: null }
  let url: string | null = null
  let isSeeded = false
  const common = { announcer, onGivenUp: failWith, untilPossible: async () => {}, onReady: () => {} }
  assertNotStopping()

  if (!settings.databaseUrl)
    database = createPart<DatabaseFacts>({
      ...common,
      name: 'PostgreSQL',
      spawn: () => spawnDatabase(context, facts.database?.url),
      untilPossible: () => untilRoom([dataDirectory, facts.database?.directory ?? dataDirectory]),
      onReady(now) {
        const isMoved = now.url !== facts.database?.url
        facts.database = now
        if (isMoved) void server?.restart()
      },
    })
  if (settings.wantsDevnet)
    devnet = createPart<DevnetFacts>({
      ...common,
      name: 'The local chain',
      spawn: () => spawnDevnet(context, facts.chain?.rpcUrl),
      onReady(now) {
        const isMoved = now.rpcUrl !== facts.chain?.rpcUrl
        facts.chain = now
        if (isMoved) void server?.restart()
        if (url !== null && !isSeeded) void seed(url)
      },
    })
  await Promise.all([database?.start(), devnet?.start()])
  assertNotStopping()
  if (settings.isDevelopment) {
    webBuild = createPart<null>({ ...common, name: 'The web build', spawn: () => spawnWebBuild(context) })
    await webBuild.start()
  }

  const port = await choosePort(settings)
  const logPath = settings.hasLogsOnStdout ? null : join(dataDirectory, 'logs', 'server.log')
  assertNotStopping()
  server = createPart<ServerFacts>({
    ...common,
    name: 'The server',
    spawn: () =>
      spawnServer(context, {
        port,
        databaseUrl: settings.databaseUrl ?? facts.database?.url ?? '',
        chain: facts.chain,
        logPath,
        onReload: () => void server?.restart(),
      }),
    onReady(now) {
      askToReload = now.reload
    },
    untilPossible: async () => database?.ready(),
  })
  ;({ url } = await server.start())
  assertNotStopping()
  await seed(url)
  assertNotStopping()
  return { url, databaseDirectory: facts.database?.directory ?? null, logPath, chain: facts.chain }

  async function seed(serverUrl: string): Promise<void> {
    isSeeded = (await facts.chain?.seed(serverUrl)) ?? true
  }
}

async function choosePort(settings: LaunchSettings): Promise<number | null> {
  if (settings.port === null) return null
  const port = await findFreePort(settings.host, settings.port)
  if (port === settings.port) return port
  if (settings.hasPublicUrl) {
    throw fail('PORT_IN_USE', { reason: 'public-url', port: settings.port })
  }
  announcer.progress(`Port ${settings.port} is taken; using ${port}`)
  return port
}

/** PostgreSQL ends when its disk is full, and would again: it waits for room, and is not given up. */
async function untilRoom(directories: string[]): Promise<void> {
  let isSaid = false
  while (stoppingSince === undefined) {
    const [shortage] = directories.map((directory) => findShortage(directory)).filter((shortage) => shortage !== null)
    if (!shortage) return
    if (!isSaid) announcer.warn(`${shortage.code}  ${shortage.message} It is started when there is room.`)
    isSaid = true
    await sleep(LOOK_FOR_ROOM_MS)
  }
}

/** Ctrl-C a second time is impatience. Other signals come twice by themselves: from npm, from a terminal that closes. */
function onSignal(signal: NodeJS.Signals): void {
  // A terminal that closes sends it, too.
  if (signal === 'SIGHUP' && !process.stdin.isTTY && !process.stdout.isTTY) {
    reload()
    return
  }
  if (stoppingSince === undefined) {
    void stop(0)
    return
  }
  if (signal !== 'SIGINT' || performance.now() - stoppingSince < 500) return
  announcer.warn('Killing what still runs')
  for (const part of [server, webBuild, devnet, database]) part?.kill()
  lock?.release()
  process.exit(1)
}

/** Has the server started again with the configuration as it is now. One with errors changes nothing. */
function reload(): void {
  if (stoppingSince !== undefined || !askToReload) return
  announcer.progress('Reading the configuration again')
  askToReload()
}

/** Says why, stops everything, and ends with 1. */
function failWith(error: unknown): void {
  if (stoppingSince !== undefined) return
  announcer.fail(describesFile(error) ? asRefusal(error.path, error) : error)
  void stop(1)
}

/** In order: the server writes to the others, the database goes last. */
async function stop(code: number): Promise<void> {
  if (stoppingSince !== undefined) return
  stoppingSince = performance.now()
  exitCode = code
  if (code === 0) announcer.progress('Stopping')
  try {
    await Promise.all([server?.stop(), webBuild?.stop()])
    await devnet?.stop()
    await database?.stop()
  } catch (error) {
    announcer.fail(error)
    exitCode = 1
  }
  lock?.release()
  if (exitCode === 0) announcer.progress('Stopped')
  process.exit(exitCode)
}

/** A signal may have come while something was awaited: then nothing more is started. */
function assertNotStopping(): void {
  if (stoppingSince !== undefined) throw fail('PART_ENDED', { reason: 'stopping' })
}

/** Recognises a refusal by the file system, as Node throws it. */
function describesFile(error: unknown): error is Error & { path: string } {
  return error instanceof Error && 'syscall' in error && 'path' in error && typeof error.path === 'string'
}
