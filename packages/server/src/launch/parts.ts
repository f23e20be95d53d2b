import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fail } from '@countersign/contract'
import { CountersignError } from '@countersign/safe'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../postgres/embedded.ts'
import type { Announcer } from './announce.ts'
import { type Child, type ChildRegistry, type Message, startChild } from './children.ts'
import { describeLastLines, type Running } from './keep-running.ts'
import { openLogFile, parseComplaint } from './log-file.ts'
import type { LaunchSettings } from './settings.ts'

/* How each part is started. What happens when one ends is keep-running.ts. */

// Bundled to dist/launch.js, beside what it starts.
const dist = fileURLToPath(new URL('./', import.meta.url))

/** Things that every part is started with. */
export type LaunchContext = { settings: LaunchSettings; registry: ChildRegistry; announcer: Announcer }

export type DatabaseFacts = Pick<EmbeddedPostgres, 'url' | 'directory'>

/** @param lastUrl of its last run: it takes that port again where it can, so that the server finds it */
export function spawnDatabase(
  { settings, announcer }: LaunchContext,
  lastUrl: string | undefined,
): Running<DatabaseFacts> {
  let postgres: EmbeddedPostgres | undefined
  const starting = startEmbeddedPostgres({
    dataDirectory: join(settings.dataDirectory, 'postgres'),
    port: lastUrl ? Number(new URL(lastUrl).port) : null,
    log: announcer.progress,
  })
  return {
    ready: starting.then((started) => {
      postgres = started
      announcer.progress('The database is ready')
      return started
    }),
    exited: starting.then(
      ({ exited }) => exited,
      () => ({ code: 1, lastLines: [] }),
    ),
    stop: async () => (await starting.catch(() => undefined))?.stop(),
    kill: () => postgres?.kill(),
  }
}

export type DevnetFacts = {
  rpcUrl: string
  chainId: number
  accounts: string[]
  knownTokens: unknown
  nameRegistry: unknown
  /** Fills the demo Safe's queue. @returns whether it is filled */
  seed(serverUrl: string): Promise<boolean>
}

/** @param lastRpcUrl of its last run: it takes that port again where it can */
export function spawnDevnet(
  { settings, registry, announcer }: LaunchContext,
  lastRpcUrl: string | undefined,
): Running<DevnetFacts> {
  const directory = join(settings.dataDirectory, 'devnet')
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const log = openLogFile(join(settings.dataDirectory, 'logs', 'devnet.log'), announcer.warn)
  const port = lastRpcUrl ? new URL(lastRpcUrl).port : '8545'
  const child = startChild({
    name: 'devnet',
    args: [join(dist, 'devnet.js'), '--port', port, '--state', join(directory, 'state.json')],
    registry,
    stopWithin: 20_000,
    onLine: log.write,
    onMessage: (message) => {
      if (message.type === 'progress' && typeof message.text === 'string') announcer.progress(message.text)
    },
  })
  void child.exited.then(() => log.close())
  return running(child, async () => {
    const message = await child.next('ready', 'failed')
    if (message?.type !== 'ready') throw asError(message, 'The local chain did not start', child.lastLines())
    const { rpcUrl, chainId, accounts, knownTokens, nameRegistry } = message
    announcer.progress(`The local chain is ready at ${String(rpcUrl)}`)
    return {
      rpcUrl: String(rpcUrl),
      chainId: Number(chainId),
      accounts: addressesOf(accounts),
      knownTokens: knownTokens ?? [],
      nameRegistry,
      seed: (serverUrl) => seedQueue(child, serverUrl, announcer),
    }
  })
}

async function seedQueue(child: Child, serverUrl: string, announcer: Announcer): Promise<boolean> {
  const answer = child.next('seeded', 'failed')
  child.send({ type: 'seed', serverUrl })
  const message = await answer
  if (message?.type === 'seeded') announcer.progress("The demo Safe's queue is filled")
  else if (message)
    announcer.warn(`The demo Safe's queue could not be filled: ${String(message.code)}  ${String(message.message)}`)
  return message?.type === 'seeded'
}

export type ServerFacts = {
  url: string
  /** Asks it to look at the configuration, and to be started again with it. */
  reload(): void
}

/** @param with where it listens, and what it works with */
export function spawnServer(
  { settings, registry, announcer }: LaunchContext,
  {
    port,
    databaseUrl,
    chain,
    logPath,
    onReload,
  }: {
    port: number | null
    databaseUrl: string
    chain: DevnetFacts | null
    logPath: string | null
    /** The configuration has changed, and holds. */
    onReload: () => void
  },
): Running<ServerFacts> {
  const log = logPath === null ? null : openLogFile(logPath, announcer.warn)
  const entry = settings.isDevelopment
    ? ['--import', 'tsx', '--watch', '--watch-preserve-output', join(dist, '../packages/server/src/main.ts')]
    : ['--enable-source-maps', join(dist, 'server.js')]
  let hasSpoken = false
  const child = startChild({
    name: 'server',
    args: entry,
    registry,
    stopWithin: 15_000,
    onMessage: ({ type, code, message }) => {
      if (type === 'reload') onReload()
      if (type === 'not-reloaded')
        announcer.warn(
          `${String(code)}  ${String(message)}\n${' '.repeat(10)}The configuration from before stays in use.`,
        )
    },
    env: {
      DATABASE_URL: databaseUrl,
      HOST: settings.host,
      ...(port === null ? {} : { PORT: String(port) }),
      COUNTERSIGN_DATA: settings.dataDirectory,
      COUNTERSIGN_WEB: join(dist, 'web'),
      ...(chain
        ? {
            COUNTERSIGN_DEVNET_RPC_URL: chain.rpcUrl,
            COUNTERSIGN_DEVNET_TOKENS: JSON.stringify(chain.knownTokens),
            ...(typeof chain.nameRegistry === 'string' ? { COUNTERSIGN_DEVNET_NAME_REGISTRY: chain.nameRegistry } : {}),
          }
        : {}),
    },
    onLine: (line, stream) => {
      if (log) log.write(line)
      else process.stdout.write(`${line}\n`)
      const complaint = parseComplaint(line)
      if (complaint) announcer.warn(complaint)
      // Lines that are no log lines were written for people: an error at the start, a warning of Node.
      else if (log && stream === 'stderr' && !line.startsWith('{')) process.stderr.write(`${line}\n`)
      if (complaint || stream === 'stderr') hasSpoken = true
    },
  })
  void child.exited.then(() => log?.close())
  return running(child, async () => {
    const message = await child.next('listening', 'failed')
    if (message?.type === 'listening') {
      announcer.progress('The server listens')
      return { url: String(message.url), reload: () => child.send({ type: 'reload' }) }
    }
    const isSaid = hasSpoken || !log
    const text = isSaid ? 'The server did not start, for the reason above' : 'The server did not start'
    throw asError(message, text, isSaid ? [] : child.lastLines())
  })
}

/** Builds the page anew when its sources change. */
export function spawnWebBuild({ registry, announcer }: LaunchContext): Running<null> {
  const child = startChild({
    name: 'web build',
    args: [join(dist, '../node_modules/vite/bin/vite.js'), 'build', '--watch', join(dist, '../packages/web')],
    registry,
    onLine: (line) => announcer.print(`web  ${line}`),
  })
  return running(child, async () => null)
}

function running<facts>(child: Child, ready: () => Promise<facts>): Running<facts> {
  return {
    ready: ready(),
    // Programs find it in the log.
    exited: child.exited.then((code) => ({
      code,
      lastLines: child.lastLines().filter((line) => !line.startsWith('{')),
    })),
    stop: child.stop,
    kill: child.kill,
  }
}

/** Gives a child's failure as it reported it; without a report, its last lines. */
function asError(message: Message | null, otherwise: string, lastLines: string[]): Error {
  if (message?.type === 'failed') return new CountersignError(String(message.code), String(message.message))
  return fail('PART_ENDED', { reason: 'part', what: otherwise, lastLines: describeLastLines(lastLines) })
}

function addressesOf(accounts: unknown): string[] {
  if (!Array.isArray(accounts)) return []
  return accounts.flatMap((account: unknown) => {
    if (typeof account === 'string') return [account]
    return typeof account === 'object' && account !== null && 'address' in account ? [String(account.address)] : []
  })
}
