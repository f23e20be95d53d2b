import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CountersignError } from '@countersign/safe-core'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../postgres/embedded.ts'
import { type DirectoryLock, lockDirectory } from '../postgres/lock.ts'
import { errorCode } from '../postgres/process-identity.ts'
import { createAnnouncer, describeNextSteps } from './announce.ts'
import { type Child, ChildRegistry, type Message, startChild } from './children.ts'
import { openLogFile, readComplaint } from './log-file.ts'
import { findFreePort } from './ports.ts'
import { type LaunchSettings, readLaunchSettings } from './settings.ts'

// Bundled to dist/launch.js, beside what it starts.
const dist = fileURLToPath(new URL('./', import.meta.url))
const announcer = createAnnouncer(process.env.COUNTERSIGN_LOG === 'stdout')

let server: Child | undefined
let devnet: Child | undefined
let webBuild: Child | undefined
let postgres: EmbeddedPostgres | undefined
let postgresStarting: Promise<EmbeddedPostgres> | undefined
let lock: DirectoryLock | undefined
let stoppingSince: number | undefined
let exitCode = 0

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal)
if (process.send) process.on('disconnect', onSignal)

try {
  await launch(readLaunchSettings(process.env, process.argv.slice(2)))
} catch (error) {
  if (stoppingSince === undefined) {
    announcer.fail(error)
    await stop(1)
  }
}

async function launch(settings: LaunchSettings): Promise<void> {
  const { dataDirectory } = settings
  makeDataDirectory(dataDirectory)
  lock = lockDirectory(dataDirectory, announcer.warn)
  const registry = new ChildRegistry(dataDirectory)
  await registry.endLeftovers(dataDirectory, announcer.warn)
  assertNotStopping()

  const [databaseUrl, chain] = await Promise.all([
    startDatabase(settings),
    settings.wantsDevnet ? startDevnet(settings, registry) : null,
  ])
  if (stoppingSince !== undefined) return
  if (settings.isDevelopment) startWebBuild(registry)
  const { url, logPath } = await startServer(settings, registry, databaseUrl, chain)
  if (stoppingSince !== undefined) return
  if (devnet) await seedQueue(devnet, url)
  if (stoppingSince !== undefined) return

  announcer.print(
    describeNextSteps({
      url,
      dataDirectory,
      // Said only when it is not where everybody would look for it.
      databaseDirectory: postgres && !postgres.directory.startsWith(dataDirectory) ? postgres.directory : null,
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

function makeDataDirectory(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true })
  } catch (cause) {
    const reason = errorCode(cause) ?? 'unknown'
    throw new CountersignError('DATA_NOT_WRITABLE', `The data directory \`${directory}\` cannot be made (${reason}).`, {
      data: { directory, reason },
      cause,
    })
  }
}

async function startDatabase(settings: LaunchSettings): Promise<string> {
  if (settings.databaseUrl) return settings.databaseUrl
  postgresStarting = startEmbeddedPostgres({
    dataDirectory: join(settings.dataDirectory, 'postgres'),
    log: announcer.progress,
  })
  postgres = await postgresStarting
  announcer.progress('The database is ready')
  void postgres.exited.then(({ code, lastLines }) => onUnexpectedEnd('PostgreSQL', code, lastLines))
  return postgres.url
}

type DevnetFacts = { rpcUrl: string; chainId: number; accounts: string[]; knownTokens: unknown }

async function startDevnet(settings: LaunchSettings, registry: ChildRegistry): Promise<DevnetFacts> {
  const directory = join(settings.dataDirectory, 'devnet')
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const log = openLogFile(join(settings.dataDirectory, 'logs', 'devnet.log'))
  const child = startChild({
    name: 'devnet',
    args: [join(dist, 'devnet.js'), '--port', '8545', '--state', join(directory, 'state.json')],
    registry,
    stopWithin: 20_000,
    onLine: log.write,
    onMessage: (message) => {
      if (message.type === 'progress' && typeof message.text === 'string') announcer.progress(message.text)
    },
  })
  devnet = child
  void child.exited.then(() => log.close())
  const message = await child.next('ready', 'failed')
  if (message?.type !== 'ready') throw asError(message, 'The local chain did not start', child.lastLines())
  void child.exited.then((code) => onUnexpectedEnd('The local chain', code, child.lastLines()))
  const { rpcUrl, chainId, accounts, knownTokens } = message
  announcer.progress(`The local chain is ready at ${String(rpcUrl)}`)
  return {
    rpcUrl: String(rpcUrl),
    chainId: Number(chainId),
    accounts: addressesOf(accounts),
    knownTokens: knownTokens ?? [],
  }
}

async function startServer(
  settings: LaunchSettings,
  registry: ChildRegistry,
  databaseUrl: string,
  chain: DevnetFacts | null,
): Promise<{ url: string; logPath: string | null }> {
  const port = settings.port === null ? null : await findFreePort(settings.host, settings.port)
  if (port !== settings.port) {
    if (settings.hasPublicUrl) {
      const message = `Port \`${settings.port}\` is taken, and COUNTERSIGN_PUBLIC_URL is set, so no other port is used instead.`
      throw new CountersignError('PORT_IN_USE', message, { data: { port: settings.port } })
    }
    announcer.progress(`Port ${settings.port} is taken; using ${port}`)
  }
  const logPath = settings.hasLogsOnStdout ? null : join(settings.dataDirectory, 'logs', 'server.log')
  const log = logPath === null ? null : openLogFile(logPath)
  const entry = settings.isDevelopment
    ? ['--import', 'tsx', '--watch', '--watch-preserve-output', join(dist, '../packages/server/src/main.ts')]
    : ['--enable-source-maps', join(dist, 'server.js')]
  let spoken = false
  assertNotStopping()
  const child = startChild({
    name: 'server',
    args: entry,
    registry,
    stopWithin: 15_000,
    env: {
      DATABASE_URL: databaseUrl,
      HOST: settings.host,
      ...(port === null ? {} : { PORT: String(port) }),
      COUNTERSIGN_DATA: settings.dataDirectory,
      COUNTERSIGN_WEB: join(dist, 'web'),
      ...(chain
        ? { COUNTERSIGN_DEVNET_RPC_URL: chain.rpcUrl, COUNTERSIGN_DEVNET_TOKENS: JSON.stringify(chain.knownTokens) }
        : {}),
    },
    onLine: (line, stream) => {
      if (log) log.write(line)
      else process.stdout.write(`${line}\n`)
      const complaint = readComplaint(line)
      if (complaint) announcer.warn(complaint)
      // What is not a log line was written for people: an error at the start, a warning of Node.
      else if (log && stream === 'stderr' && !line.startsWith('{')) process.stderr.write(`${line}\n`)
      if (complaint || stream === 'stderr') spoken = true
    },
  })
  server = child
  void child.exited.then(() => log?.close())
  const message = await child.next('listening', 'failed')
  if (message?.type !== 'listening') {
    const isSaid = spoken || !log
    throw asError(
      message,
      isSaid ? 'The server did not start, for the reason above' : 'The server did not start',
      isSaid ? [] : child.lastLines(),
    )
  }
  void child.exited.then((code) => onUnexpectedEnd('The server', code, log ? child.lastLines() : []))
  announcer.progress('The server listens')
  return { url: String(message.url), logPath }
}

async function seedQueue(child: Child, serverUrl: string): Promise<void> {
  const answer = child.next('seeded', 'failed')
  child.send({ type: 'seed', serverUrl })
  const message = await answer
  if (message?.type === 'seeded') announcer.progress("The demo Safe's queue is filled")
  else if (message)
    announcer.warn(`The demo Safe's queue could not be filled: ${String(message.code)}  ${String(message.message)}`)
}

function startWebBuild(registry: ChildRegistry): void {
  const child = startChild({
    name: 'web build',
    args: [join(dist, '../node_modules/vite/bin/vite.js'), 'build', '--watch', join(dist, '../packages/web')],
    registry,
    onLine: (line) => announcer.print(`web  ${line}`),
  })
  webBuild = child
  void child.exited.then((code) => onUnexpectedEnd('The web build', code, child.lastLines()))
}

function onSignal(): void {
  if (stoppingSince === undefined) {
    void stop(0)
    return
  }
  // npm passes on the signal that the terminal has sent to us already: that is no second Ctrl-C.
  if (performance.now() - stoppingSince < 500) return
  announcer.warn('Killing what still runs')
  for (const child of [server, webBuild, devnet]) child?.kill()
  if (postgres) process.kill(postgres.pid, 'SIGQUIT')
  lock?.release()
  process.exit(1)
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
    const starting = await postgresStarting?.catch(() => undefined)
    await starting?.stop()
  } catch (error) {
    announcer.fail(error)
    exitCode = 1
  }
  lock?.release()
  if (exitCode === 0) announcer.progress('Stopped')
  process.exit(exitCode)
}

function onUnexpectedEnd(name: string, code: number | null, lastLines: string[]): void {
  if (stoppingSince !== undefined) return
  const how = code === null ? 'was killed' : `ended with exit code ${code}`
  announcer.fail(
    new CountersignError(
      'PART_ENDED',
      `${name} ${how}; everything else is stopped now.${describeLastLines(lastLines)}`,
    ),
  )
  void stop(1)
}

/** What a child said of its failure; without a word, its last lines say it. */
function asError(message: Message | null, otherwise: string, lastLines: string[]): Error {
  if (message?.type === 'failed') return new CountersignError(String(message.code), String(message.message))
  return new CountersignError('PART_ENDED', `${otherwise}.${describeLastLines(lastLines)}`)
}

function describeLastLines(lines: string[]): string {
  return lines.length === 0 ? '' : ` The last it wrote:\n${lines.map((line) => `    ${line}`).join('\n')}`
}

/** A signal may have come while something was awaited: then nothing more is started. */
function assertNotStopping(): void {
  if (stoppingSince !== undefined) throw new CountersignError('PART_ENDED', 'Stopping.')
}

function addressesOf(accounts: unknown): string[] {
  if (!Array.isArray(accounts)) return []
  return accounts.flatMap((account: unknown) => {
    if (typeof account === 'string') return [account]
    return typeof account === 'object' && account !== null && 'address' in account ? [String(account.address)] : []
  })
}
