import { randomBytes } from 'node:crypto'
import type { Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Finding, fail } from '@countersign/contract'
import { getRequestListener } from '@hono/node-server'
import type { Logger } from 'pino'
import manifest from '../package.json' with { type: 'json' }
import { createApp, isProbe } from './app.ts'
import { startBackups } from './backup/keep-backups.ts'
import type { Environment } from './config/environment.ts'
import type { Deps } from './context.ts'
import { type Database, migrate, openDatabase } from './db/client.ts'
import { toBytes } from './db/columns.ts'
import { installation } from './db/schema.ts'
import { createSilenceWatch } from './db/silence.ts'
import { createWriteWatch } from './db/write-watch.ts'
import { keepNodeLimits } from './features/chains/node-limits.ts'
import { type WorkWatch, watchWork } from './features/chains/watch-work.ts'
import { removeEndedSessions, removeOldMessages } from './features/session/clean-up.ts'
import { removeEndedDelegates } from './features/team/delegates.ts'
import { removeExpiredTokens } from './features/tokens/tokens.ts'
import { removeUnsignedProposals } from './features/transactions/remove-unsigned.ts'
import { startWebhooks, type Webhooks } from './features/webhooks/start.ts'
import type { AdmissionSettings } from './http/admission.ts'
import { createFront } from './http/front.ts'
import { startFollower } from './indexer/follower.ts'
import { rebuildFrom, WINDOW_BLOCKS } from './indexer/write/apply.ts'
import { recordOldPayments } from './indexer/write/payments.ts'
import { startListener } from './live/listener.ts'
import { createHub } from './live/stream.ts'
import { keepEpoch } from './outbox/epoch.ts'
import { keepPrices } from './prices/keep-prices.ts'
import { type Chains, createChains } from './rpc/clients.ts'
import { findCreation } from './safes/creations.ts'
import { answerWhileStarting, whenDatabaseIsThere } from './starting.ts'
import { toLogEntry } from './to-log-entry.ts'
import { keepTokenLists } from './token-lists/keep-token-lists.ts'
import { CHECK_WARRANTS_MS, checkWarrants, removeOldWarrants } from './warrants/check.ts'

const CLEAN_UP_MESSAGES_MS = 60_000
const CLEAN_UP_SESSIONS_MS = 3_600_000
const CHECK_MS = 5_000
const BEHIND_STATEMENT_MS = 30_000

export type Server = { url: URL; port: number; chains: Chains; db: Database; stop: () => Promise<void> }

/** Things that the process gives, and replacements that tests make. */
type Parts = {
  log: Logger
  reload?: (() => void) | null
  examine?: (() => Promise<Finding[]>) | null
  clock?: () => Date
  pollMilliseconds?: number
  admission?: AdmissionSettings
}

type App = ReturnType<typeof createApp>
type Front = { http: HttpServer; port: number; open: (app: App) => void }

/**
 * Starts everything that one process does: HTTP, live events, the follower of each chain. It listens at once, and waits
 * for a database that is away.
 *
 * @throws CountersignError `DATABASE_UNAVAILABLE` for what PostgreSQL refuses, `DATA_TOO_NEW`, `PORT_IN_USE`.
 */
export async function startServer(environment: Environment, parts: Parts): Promise<Server> {
  let app: App | undefined
  const http = createFront({
    refusalOf: (...request) => app?.refusalOf(...request) ?? null,
    knownAs: (incoming) => app?.knownAs(incoming) ?? null,
    isProbe,
    listener: getRequestListener((request, env) => app?.fetch(request, env) ?? answerWhileStarting(request)),
    trustedProxies: environment.trustedProxies,
  })
  const port = await listen(http, environment)
  const open = (made: App) => {
    app = made
  }
  try {
    return await startBehind({ http, port, open }, environment, parts)
  } catch (error) {
    http.close()
    http.closeAllConnections()
    throw error
  }
}

/** All that is behind the front; the app opens when requests can be answered. */
async function startBehind(
  { http, port, open }: Front,
  environment: Environment,
  { log, reload = null, examine = null, clock = () => new Date(), pollMilliseconds, admission }: Parts,
): Promise<Server> {
  await whenDatabaseIsThere(() => migrate(environment.databaseUrl, environment.migrationsDirectory), log)
  const onLost = (error: Error) => log.warn({ err: toLogEntry(error) }, 'database connection lost')
  const silence = createSilenceWatch()
  const forRequests = openDatabase(environment.databaseUrl, onLost, { silence })
  // Followers and cleaning up write much at once, and keep no request waiting for a connection; nor do requests keep these
  // waiting, live events or probes.
  const { db, ...behind } = openDatabase(environment.databaseUrl, onLost, {
    max: 10,
    statementMilliseconds: BEHIND_STATEMENT_MS,
    silence,
  })
  await keepEpoch(db)
  const writes = createWriteWatch()
  for (const { pool } of [forRequests, behind]) writes.watch(pool)
  const close = async () => void (await Promise.all([forRequests.close(), behind.close()]))
  const chains = createChains(environment.chains, (place) => findCreation(forRequests.db, place))
  const nodeLimits = await whenDatabaseIsThere(() => keepNodeLimits({ db, chains }, pollMilliseconds), log)
  const tokenLists = await keepTokenLists(
    {
      db,
      clock,
      log,
      chains: environment.chains,
      lists: environment.tokenLists,
      hasReleaseList: environment.hasReleaseTokenList,
    },
    pollMilliseconds,
  )
  const prices = keepPrices({ settings: environment.prices, chains, tokenLists, clock, log }, pollMilliseconds)
  await Promise.all([...chains.values()].map((chain) => chain.check()))
  const workWatch = keepLooking(chains)
  for (const { settings, status } of chains.values())
    if (status !== 'ok') log.warn({ chainId: settings.chainId, status }, 'chain is not available')

  let webhooks: Webhooks | undefined
  const live = createHub({ db, clock, sessionLimits: environment.sessionLimits })
  const listening: Parameters<typeof startListener>[0] = {
    url: environment.databaseUrl,
    log,
    onEvent: (event) => {
      webhooks?.wake(event)
      void live
        .deliver(event)
        .catch((error) => log.error({ err: toLogEntry(error) }, 'an event could not be delivered'))
    },
    onSessionEnded: (sessionId) => live.end(sessionId),
    // Connected clients may have missed something: they connect again and ask for everything.
    onGap: () => live.closeAll(),
  }
  const listener = await whenDatabaseIsThere(() => startListener(listening), log)
  const url = environment.publicUrl ?? new URL(`http://localhost:${port}`)
  const deps = {
    db: forRequests.db,
    dbBehind: db,
    writes,
    chains,
    stuckChains: workWatch.stuck,
    safeHosts: environment.safeHosts,
    hasCoinbase: environment.hasCoinbase,
    functionList: environment.functionList,
    tokenLists,
    prices,
    clock,
    log,
    live,
    publicUrl: url,
    walletConnect: environment.walletConnect,
    ...(await whenDatabaseIsThere(() => requireInstallation(db, clock()), log)),
    version: manifest.version,
    webDirectory: environment.webDirectory,
    trustedProxies: environment.trustedProxies,
    sessionLimits: environment.sessionLimits,
    access: environment.access,
    hasRateLimits: environment.hasRateLimits,
    webhookNetworks: environment.webhookNetworks,
    reload,
    examine,
  }
  open(createApp(deps, admission))

  if (environment.rebuild) {
    const { chainId, blockNumber } = environment.rebuild
    await whenDatabaseIsThere(() => rebuildFrom({ db, clock }, chainId, blockNumber), log)
    log.warn({ chainId, blockNumber }, 'the chain is read again')
  }
  const followers = [...chains.values()].map((chain) =>
    startFollower({ chain, db, databaseUrl: environment.databaseUrl, clock, log, pollMilliseconds }),
  )
  webhooks = startWebhooks({ db, clock, log, networks: environment.webhookNetworks })
  const backups =
    environment.backups &&
    startBackups({ databaseUrl: environment.databaseUrl, schedule: environment.backups, clock, log })
  const cleanUps = startCleanUps({ db, clock, chains, log })
  catchUpOnPayments({ db, chains, log })

  return {
    url,
    port,
    chains,
    db,
    async stop() {
      for (const cleanUp of cleanUps) clearInterval(cleanUp)
      workWatch.stop()
      prices.stop()
      live.closeAll()
      await Promise.all([
        closeHttp(http),
        ...followers.map((follower) => follower.stop()),
        listener.stop(),
        webhooks?.stop(),
        backups?.stop(),
        nodeLimits.stop(),
        tokenLists.stop(),
      ])
      await close()
    },
  }
}

/** Records the payments of transactions that were executed under a version that did not. */
function catchUpOnPayments({ db, chains, log }: Pick<Deps, 'db' | 'chains' | 'log'>): void {
  for (const chainId of chains.keys())
    recordOldPayments(db, chainId).catch((error) =>
      log.warn({ chainId, err: toLogEntry(error) }, 'payments of old transactions are not recorded yet'),
    )
}

/** Removes at intervals what has ended, and looks whether what contract accounts signed for still stands. */
function startCleanUps(parts: Pick<Deps, 'db' | 'clock' | 'chains' | 'log'>): NodeJS.Timeout[] {
  return [
    setInterval(() => void removeOldMessages(parts).catch(() => {}), CLEAN_UP_MESSAGES_MS),
    setInterval(() => void removeEndedSessions(parts).catch(() => {}), CLEAN_UP_SESSIONS_MS),
    setInterval(() => void removeExpiredTokens(parts).catch(() => {}), CLEAN_UP_SESSIONS_MS),
    setInterval(() => void removeUnsignedProposals(parts).catch(() => {}), CLEAN_UP_SESSIONS_MS),
    setInterval(() => void removeOldWarrants(parts).catch(() => {}), CLEAN_UP_SESSIONS_MS),
    setInterval(() => void checkWarrants(parts).catch(() => {}), CHECK_WARRANTS_MS),
    setInterval(() => void removeEndedDelegates(parts, WINDOW_BLOCKS).catch(() => {}), CLEAN_UP_SESSIONS_MS),
  ]
}

/** Waits for the requests that are being answered, for three seconds at most. */
async function closeHttp(http: HttpServer): Promise<void> {
  const closed = new Promise<void>((resolve) => http.close(() => resolve()))
  http.closeIdleConnections()
  const hurry = setTimeout(() => http.closeAllConnections(), 3_000)
  await closed
  clearTimeout(hurry)
}

function listen(http: HttpServer, { host, port }: Environment): Promise<number> {
  return new Promise((resolve, reject) => {
    http.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'EADDRINUSE' ? fail('PORT_IN_USE', { reason: 'port', host, port }) : error),
    )
    http.listen(port, host, () => {
      const bound: AddressInfo | string | null = http.address()
      resolve(typeof bound === 'object' && bound ? bound.port : port)
    })
  })
}

/** Cookies ignore ports: two installations on one host tell theirs apart by this. */
async function requireInstallation(db: Database, now: Date): Promise<{ installationId: string; seenKey: Buffer }> {
  const find = () => db.select().from(installation).orderBy(installation.createdAt, installation.id).limit(1)
  const [known] = await find()
  if (!known) await db.insert(installation).values({ id: randomBytes(6).toString('hex'), createdAt: now })
  const first = known ?? (await find())[0]
  if (!first) throw new Error('The row that was just written is not there.')
  return { installationId: first.id, seenKey: toBytes(first.seenKey) }
}

/** Asks every few seconds whether nodes are there, and whether they work. */
function keepLooking(chains: Chains): Pick<WorkWatch, 'stuck'> & { stop: () => void } {
  const watch = watchWork(chains)
  void watch.look()
  const timer = setInterval(() => {
    for (const chain of chains.values()) void chain.check()
    void watch.look()
  }, CHECK_MS)
  timer.unref()
  return { stuck: watch.stuck, stop: () => clearInterval(timer) }
}
