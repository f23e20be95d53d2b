import { resolve } from 'node:path'
import { fail, type WalletConnectSettings } from '@countersign/contract'
import type { BackupSchedule } from '../backup/keep-backups.ts'
import { faultOfDatabaseUrl } from '../db/one-client.ts'
import type { FunctionList } from '../function-list.ts'
import { isNetwork } from '../networks.ts'
import type { PriceSettings } from '../prices/settings.ts'
import type { TokenListSettings } from '../token-lists/settings.ts'
import { type AccessSettings, access, parseAccess } from './access.ts'
import { parseBackups } from './backups.ts'
import { type ChainSettings, parseChains } from './chains.ts'
import type { Fault } from './fault.ts'
import { readConfigurationFile } from './file.ts'
import { parseFunctionList, parseTokenLists } from './lists.ts'
import { parsePrices } from './prices.ts'
import { parseSessionLimits, type SessionLimits, session } from './sessions.ts'
import { isLoopback, parsePublicUrl } from './urls.ts'
import { parseWalletConnect } from './wallet-connect.ts'

/** Everything that this process is told from outside. */
export type Environment = {
  databaseUrl: string
  host: string
  port: number
  /** Origin that people open; null: http://localhost and the port that is listened on. */
  publicUrl: URL | null
  chains: ChainSettings[]
  /** Origins that may show the product in a frame as a Safe App. */
  safeHosts: readonly string[]
  /** Whether Coinbase Wallet may be opened in a window of its own. */
  hasCoinbase: boolean
  /** Functions that the operator imported; null: none. */
  functionList: FunctionList | null
  tokenLists: readonly TokenListSettings[]
  hasReleaseTokenList: boolean
  /** Null: no value is shown. */
  prices: PriceSettings | null
  walletConnect: WalletConnectSettings | null
  /** Directory of the built web app, or null. */
  webDirectory: string | null
  migrationsDirectory: string | null
  /** Addresses whose X-Forwarded-For is believed. */
  trustedProxies: string[]
  sessionLimits: SessionLimits
  access: AccessSettings
  /** False for load tests alone. */
  hasRateLimits: boolean
  /** Networks beside the public ones that webhooks may be sent to, there also by plain http. */
  webhookNetworks: readonly string[]
  logLevel: string
  /** Backups that this process writes by itself; null: none. */
  backups: BackupSchedule | null
  /** Chain to read again, and from which block on. */
  rebuild: { chainId: number; blockNumber: number } | null
}

/**
 * Reads the settings of the server: its environment and the configuration file.
 *
 * @throws CountersignError `CONFIGURATION_INVALID` with every fault at once, each with its path;
 * `PUBLIC_URL_REQUIRED` when nothing else is wrong.
 */
export function parseEnvironment(env: Record<string, string | undefined> = process.env): Environment {
  const faults: Fault[] = []
  const databaseUrl = parseDatabaseUrl(env.DATABASE_URL, faults)
  const port = parsePort(env.PORT, faults)
  const host = env.HOST ?? '127.0.0.1'
  const publicUrl = parsePublicUrl(env.COUNTERSIGN_PUBLIC_URL, faults)
  const file = readConfigurationFile(env.COUNTERSIGN_CONFIG, faults)
  const chains = parseChains(env, file, faults)
  const environment: Environment = {
    databaseUrl,
    host,
    port,
    publicUrl,
    chains,
    safeHosts: file.safeApp?.allowedHosts ?? [],
    hasCoinbase: file.coinbase ?? false,
    walletConnect: parseWalletConnect(env, file.walletConnect, faults),
    rebuild: parseRebuild(env.COUNTERSIGN_REBUILD, chains, faults),
    webhookNetworks: parseNetworks(env.COUNTERSIGN_WEBHOOK_NETWORKS, faults),
    functionList: parseFunctionList(file.functionList, faults),
    tokenLists: parseTokenLists(file.tokenLists, faults),
    hasReleaseTokenList: file.releaseTokenList,
    prices: parsePrices(file.prices, [...file.chains, file.devnet ?? {}], faults),
    webDirectory: parseDirectory(env.COUNTERSIGN_WEB),
    migrationsDirectory: parseDirectory(env.COUNTERSIGN_MIGRATIONS),
    trustedProxies: parseList(env.COUNTERSIGN_TRUSTED_PROXIES),
    sessionLimits: parseSessionLimits(file.session ?? session.parse({})),
    access: parseAccess(file.access ?? access.parse({})),
    hasRateLimits: env.COUNTERSIGN_RATE_LIMITS !== 'off',
    logLevel: env.COUNTERSIGN_LOG_LEVEL ?? 'info',
    backups: parseBackups(file.backup),
  }
  assertValid(environment, faults)
  return environment
}

function assertValid({ host, publicUrl }: Environment, faults: readonly Fault[]): void {
  const needsPublicUrl = !isLoopback(host) && publicUrl?.protocol !== 'https:'
  if (faults.length === 0) {
    if (needsPublicUrl) throw fail('PUBLIC_URL_REQUIRED', { host })
    return
  }
  const message = `must be an https URL when HOST is \`${host}\``
  const errors = needsPublicUrl ? [...faults, { path: 'COUNTERSIGN_PUBLIC_URL', message }] : faults
  throw fail('CONFIGURATION_INVALID', {
    reason: 'faults',
    faults: errors.map(({ path, message }) => `  ${path}: ${message}`).join('\n'),
    errors,
  })
}

function parseDatabaseUrl(text = '', faults: Fault[]): string {
  const message = faultOfDatabaseUrl(text)
  if (message) faults.push({ path: 'DATABASE_URL', message })
  return text
}

function parsePort(text: string | undefined, faults: Fault[]): number {
  const port = Number(text ?? '4100')
  if (!Number.isInteger(port) || port < 0 || port > 65_535 || text === '')
    faults.push({ path: 'PORT', message: `must be a number from 0 to 65535, not \`${text}\`` })
  return port
}

function parseDirectory(path: string | undefined): string | null {
  return path ? resolve(path) : null
}

function parseList(text = ''): string[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean)
}

function parseRebuild(
  text: string | undefined,
  chains: readonly ChainSettings[],
  faults: Fault[],
): Environment['rebuild'] {
  if (!text) return null
  const [, chainId, blockNumber] = /^(\d{1,15}):(\d{1,15})$/.exec(text) ?? []
  if (chains.some((chain) => chain.chainId === Number(chainId)))
    return { chainId: Number(chainId), blockNumber: Number(blockNumber) }
  const message = `must be CHAIN:BLOCK, with a chain that is configured, not \`${text}\``
  faults.push({ path: 'COUNTERSIGN_REBUILD', message })
  return null
}

function parseNetworks(text: string | undefined, faults: Fault[]): string[] {
  const named = parseList(text)
  for (const network of named)
    if (!isNetwork(network))
      faults.push({
        path: 'COUNTERSIGN_WEBHOOK_NETWORKS',
        message: `must name addresses or networks such as 10.0.0.0/8, not \`${network}\``,
      })
  return named
}
