import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { address, fail, type WalletConnectSettings } from '@countersign/contract'
import type { Address } from 'viem'
import { z } from 'zod'
import type { BackupSchedule } from './backup/keep-backups.ts'
import { faultOfDatabaseUrl } from './db/one-client.ts'
import { type FunctionList, readFunctionList } from './function-list.ts'
import { isNetwork } from './networks.ts'
import { LEAST_MINUTES } from './prices/pools.ts'
import { openPriceFile, type PriceSettings, type PriceSourceSettings } from './prices/settings.ts'
import { findKnownChain } from './rpc/known-chains.ts'
import { openListFile, type TokenListSettings } from './token-lists/settings.ts'

const DEVNET_CHAIN_ID = 31337

const token = z.strictObject({
  address,
  symbol: z.string().min(1).max(32),
  name: z.string().min(1).max(100).optional(),
  decimals: z.number().int().min(0).max(255),
})

const webUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' })

const pricePool = z
  .strictObject({
    token: z.union([z.literal('native'), address]),
    pool: address,
    /** The pool's other token: worth one unit of the currency, or the wrapped coin; otherwise it has a price of its own. */
    quote: address,
    quoteIs: z.enum(['currency', 'native']).optional(),
    minutes: z
      .number()
      .int()
      .min(LEAST_MINUTES, `must be ${LEAST_MINUTES} at least: the average of a shorter time is moved too cheaply`)
      .max(1_440)
      .default(30),
  })
  .refine(({ token, quote, quoteIs }) => token !== quote && token !== quoteIs, {
    path: ['quote'],
    error: 'must be another asset than `token`',
  })

const priceContracts = {
  /** Contracts that say what an asset costs, as Chainlink's do. */
  priceFeeds: z
    .array(z.strictObject({ token: z.union([z.literal('native'), address]), feed: address }))
    .max(100)
    .optional(),
  /** Pools of Uniswap v3, whose average over some minutes says what a token costs in another one. */
  pricePools: z.array(pricePool).max(100).optional(),
}

const chain = z
  .strictObject({
    chainId: z.number().int().positive().max(Number.MAX_SAFE_INTEGER),
    /** Required for a chain that is not in the list of known ones. */
    name: z.string().min(1).max(100).optional(),
    rpcUrls: z.array(webUrl).min(1).max(10),
    /** Nodes that have to say the same before anything of it is written down or believed. */
    agreement: z.number().int().min(1).optional(),
    /**
     * Independent sources that make the hash of a block certain for a page, whether a wallet is one of them, and by how many
     * blocks the head may move before what is shown is run again.
     */
    proof: z
      .strictObject({
        sources: z.number().int().min(1).max(11).default(2),
        wallet: z.boolean().default(true),
        maxBlocksBehind: z.number().int().min(0).max(10_000).default(25),
      })
      .optional(),
    /** Rate that each node accepts; each request of a batch counts. */
    requestsPerSecond: z.number().min(0.1).max(100_000).optional(),
    publicRpcUrl: webUrl.optional(),
    /** Null: no links, though an explorer is known. */
    explorerUrl: webUrl
      .transform((url) => url.replace(/\/+$/, ''))
      .nullable()
      .optional(),
    nativeCurrency: z
      .strictObject({
        name: z.string().min(1).max(100),
        symbol: z.string().min(1).max(32),
        decimals: z.number().int().min(0).max(36),
      })
      .optional(),
    startBlock: z.number().int().min(0).optional(),
    /** Seconds between two blocks, where the times of blocks do not tell. */
    blockSeconds: z.number().min(0.01).max(86_400).optional(),
    /** Contract that makes several calls in one, as Multicall3 does; null: each is made by itself, though one is known. */
    multicall: z.union([address, z.null()]).optional(),
    /** Which Safes are known: those that somebody here added, or all that the chain's official factories create. */
    index: z.enum(['tracked', 'whole-chain']).default('tracked'),
    tokens: z.array(token).optional(),
    ...priceContracts,
    /** Another Transaction Service, whose queue is brought here when somebody asks for it. */
    bringFrom: z
      .strictObject({
        url: webUrl.transform((url) => url.replace(/\/+$/, '').replace(/\/v[12]$/, '')),
        apiKey: z
          .string()
          .regex(/^[!-~]{1,1000}$/, 'must be printable ASCII without blanks')
          .optional(),
      })
      .optional(),
    /** Registry of names as ENS has one; null: names are not read here, though a registry is known. */
    nameRegistry: z.union([address, z.null()]).optional(),
    /** The Safe Transaction Service wire format: whether what is on the chain may be read there without a token. */
    txService: z.strictObject({ publicReads: z.boolean() }).optional(),
  })
  .refine(({ agreement = 1, rpcUrls }) => agreement <= new Set(rpcUrls).size, {
    path: ['agreement'],
    error: 'must not be more than there are different `rpcUrls`',
  })
  .transform((given, context) => {
    const known = findKnownChain(given.chainId)
    const decimals = known?.nativeCurrency.decimals
    if (given.nativeCurrency && decimals !== undefined && given.nativeCurrency.decimals !== decimals)
      context.addIssue({
        code: 'custom',
        path: ['nativeCurrency', 'decimals'],
        message: `must be ${decimals}, as everybody counts the coin of chain \`${given.chainId}\``,
      })
    const name = given.name ?? known?.name
    if (name !== undefined) {
      // A node that the operator does not name is not asked.
      const { publicNode: _, ...facts } = known ?? {}
      return { ...facts, ...given, name }
    }
    const error = `is required, since chain \`${given.chainId}\` is not known by its number`
    context.addIssue({ code: 'custom', path: ['name'], message: error })
    return z.NEVER
  })

const safeHost = z.string().refine(isSafeHost, {
  error:
    'must be an https origin such as `https://app.safe.global`, without path or wildcard (http for localhost only)',
})

/** Relay of WalletConnect where only a project id is set: it belongs to the network that gives the ids. */
const WALLETCONNECT_RELAY_URL = 'wss://relay.walletconnect.org'
/** The protocol ends a proposal after 300 seconds; the last moments are for those who have scanned it. */
const CODE_SECONDS = 285

const walletConnect = z.strictObject({
  projectId: z
    .string()
    .regex(/^[\w-]{1,128}$/, 'must be letters, digits, _ and -')
    .optional(),
  relayUrl: z
    .string()
    .refine(isRelayUrl, 'must be a wss URL without user name and query; ws works on this machine alone')
    .optional(),
  codeSeconds: z.number().int().min(5).max(CODE_SECONDS).optional(),
})

const HOUR_MS = 3_600_000
const YEAR_HOURS = 8_760
const hours = (value: number) => z.number().min(0.05).max(YEAR_HOURS).default(value)

const session = z
  .strictObject({ idleHours: hours(7 * 24), absoluteHours: hours(30 * 24), contractAccountHours: hours(8) })
  .refine(({ idleHours, absoluteHours }) => idleHours <= absoluteHours, {
    path: ['idleHours'],
    error: 'must not be more than `absoluteHours`',
  })

const backup = z.strictObject({
  directory: z.string().min(1).max(4_096),
  everyHours: z.number().min(0.05).max(YEAR_HOURS).default(24),
  keep: z.number().int().min(1).max(1_000).default(7),
})

const MAX_ACCOUNTS = 10_000

/** Rules about who may use the installation, and for what its nodes may be made to work. */
const access = z
  .strictObject({
    signIn: z.enum(['all', 'accounts', 'owners']).default('all'),
    accounts: z.array(address).max(MAX_ACCOUNTS).default([]),
    admins: z.array(address).max(MAX_ACCOUNTS).default([]),
    safes: z
      .union([
        z.enum(['all', 'admins']),
        z.array(z.strictObject({ chainId: z.int().positive(), address })).max(MAX_ACCOUNTS),
      ])
      .default('all'),
    newSafesPerDay: z.int().min(0).max(1_000_000).default(100),
    newSafesPerDayOfAll: z.int().min(0).max(1_000_000).default(2_000),
  })
  .refine(({ signIn, accounts, admins }) => signIn === 'all' || accounts.length + admins.length > 0, {
    path: ['admins'],
    error: 'must name somebody, or `accounts` must: nobody could sign in first',
  })
  .refine(({ safes, admins }) => safes !== 'admins' || admins.length > 0, {
    path: ['admins'],
    error: 'must name somebody: nobody could add a Safe',
  })

const MAX_TOKEN_LISTS = 20

const tokenLists = z
  .array(
    z
      .strictObject({
        url: webUrl.optional(),
        file: z.string().min(1).max(4_096).optional(),
        everyHours: z.number().min(0.05).max(YEAR_HOURS).default(24),
      })
      .refine(({ url, file }) => (url === undefined) !== (file === undefined), 'must name a `url` or a `file`'),
  )
  .max(MAX_TOKEN_LISTS)
  .refine(
    (lists) => new Set(lists.map(({ url, file }) => url ?? file)).size === lists.length,
    'must not name a list twice',
  )

const MAX_PRICE_SOURCES = 10

const prices = z.strictObject({
  currency: z.string().regex(/^[A-Z]{3}$/, 'must be a code of ISO 4217 such as `USD`'),
  maxAgeHours: z.number().min(0.05).max(YEAR_HOURS).default(26),
  sources: z
    .array(
      z
        .strictObject({
          url: webUrl.optional(),
          file: z.string().min(1).max(4_096).optional(),
          everyMinutes: z
            .number()
            .min(1)
            .max(60 * YEAR_HOURS)
            .default(15),
        })
        .refine(({ url, file }) => (url === undefined) !== (file === undefined), 'must name a `url` or a `file`'),
    )
    .max(MAX_PRICE_SOURCES)
    .default([]),
})

const configurationFile = z.strictObject({
  chains: z.array(chain).default([]),
  /** Settings of the local chain with the demo, which runs where no chain is named. */
  devnet: z.strictObject(priceContracts).optional(),
  /** Interfaces that may show the product in a frame as a Safe App; by default none. */
  safeApp: z
    .strictObject({
      allowedHosts: z
        .array(safeHost)
        .max(20)
        .refine((hosts) => new Set(hosts).size === hosts.length, 'must not name a host twice'),
    })
    .optional(),
  /** When sessions end by themselves: unused, at the latest, and of accounts whose contract said yes. */
  session: session.optional(),
  /** Whether Coinbase Wallet is offered to those who have no extension: it opens a window at keys.coinbase.com. */
  coinbase: z.boolean().optional(),
  /** A file of function signatures: guesses for calls that nothing else reads. */
  functionList: z.string().min(1).max(4_096).optional(),
  /** Lists by the schema of tokenlists.org. */
  tokenLists: tokenLists.default([]),
  /** False: the list of tokens of this release is not used. */
  releaseTokenList: z.boolean().default(true),
  /** Sources that say what things cost; without them no value is shown. */
  prices: prices.optional(),
  walletConnect: walletConnect.optional(),
  /** Backups that the server writes by itself. */
  backup: backup.optional(),
  access: access.optional(),
})

/** When a session ends by itself. */
export type SessionLimits = {
  /** Since it was last used. */
  idleMilliseconds: number
  absoluteMilliseconds: number
  /** Absolute, of an account whose contract said yes: whoever may sign for it can change behind our back. */
  contractMilliseconds: number
}

/** Rules of the operator: accounts that may use this installation, and Safes that its nodes are made to read. */
export type AccessSettings = {
  /** `accounts`: those that are named. `owners`: the teams of Safes that are stored here, too. */
  signIn: 'all' | 'accounts' | 'owners'
  accounts: ReadonlySet<Address>
  /** Accounts that may always sign in, and add any Safe. */
  admins: ReadonlySet<Address>
  /** Safes that may be added: any, those that an admin adds, or those that are named. */
  safes: 'all' | 'admins' | ReadonlySet<SafeKey>
  /** Safes that nobody had added before, for each account within 24 hours. */
  newSafesPerDay: number
  /** Such Safes for all accounts together, but the admins: whoever has one account can have thousands. */
  newSafesPerDayOfAll: number
}

type SafeKey = `${number} ${Address}`

/** Names a Safe of any chain in {@link AccessSettings}. */
export function safeKey({ chainId, address }: { chainId: number; address: Address }): SafeKey {
  return `${chainId} ${address}`
}

export type ChainSettings = z.output<typeof chain> & { isDevnet: boolean }

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

type Fault = { path: string; message: string }

/**
 * Reads environment and configuration file. The only reader of `process.env`.
 *
 * @throws CountersignError `CONFIGURATION_INVALID` with every fault at once, each with its path;
 * `PUBLIC_URL_REQUIRED` when nothing else is wrong.
 */
export function parseEnvironment(env: Record<string, string | undefined> = process.env): Environment {
  const faults: Fault[] = []
  const databaseUrl = env.DATABASE_URL ?? ''
  const databaseFault = faultOfDatabaseUrl(databaseUrl)
  if (databaseFault) faults.push({ path: 'DATABASE_URL', message: databaseFault })

  const port = Number(env.PORT ?? '4100')
  if (!Number.isInteger(port) || port < 0 || port > 65_535 || env.PORT === '')
    faults.push({ path: 'PORT', message: `must be a number from 0 to 65535, not \`${env.PORT}\`` })

  const host = env.HOST ?? '127.0.0.1'
  const publicUrl = parsePublicUrl(env.COUNTERSIGN_PUBLIC_URL, faults)
  const file = readConfigurationFile(env.COUNTERSIGN_CONFIG, faults)
  const chains = [
    ...file.chains.map((settings) => ({ ...settings, isDevnet: false })),
    ...parseDevnet(env, file, faults),
  ]
  const walletConnect = parseWalletConnect(env, file.walletConnect, faults)
  chains.forEach(({ chainId }, at) => {
    if (chains.findIndex((other) => other.chainId === chainId) !== at)
      faults.push({ path: `chains.${at}.chainId`, message: `\`${chainId}\` is there twice` })
  })
  const rebuild = parseRebuild(env.COUNTERSIGN_REBUILD, chains, faults)
  const webhookNetworks = parseNetworks(env.COUNTERSIGN_WEBHOOK_NETWORKS, faults)
  const functionList = parseFunctionList(file.functionList, faults)
  const lists = parseTokenLists(file.tokenLists, faults)
  const priceSettings = parsePrices(file, faults)
  const needsPublicUrl = !isLoopback(host) && publicUrl?.protocol !== 'https:'

  if (faults.length > 0) {
    if (needsPublicUrl)
      faults.push({ path: 'COUNTERSIGN_PUBLIC_URL', message: `must be an https URL when HOST is \`${host}\`` })
    throw fail('CONFIGURATION_INVALID', {
      reason: 'faults',
      faults: faults.map(({ path, message }) => `  ${path}: ${message}`).join('\n'),
      errors: faults,
    })
  }
  if (needsPublicUrl) throw fail('PUBLIC_URL_REQUIRED', { host })
  return {
    databaseUrl,
    host,
    port,
    publicUrl,
    chains,
    safeHosts: file.safeApp?.allowedHosts ?? [],
    hasCoinbase: file.coinbase ?? false,
    functionList,
    tokenLists: lists,
    hasReleaseTokenList: file.releaseTokenList,
    prices: priceSettings,
    walletConnect,
    webDirectory: env.COUNTERSIGN_WEB ? resolve(env.COUNTERSIGN_WEB) : null,
    migrationsDirectory: env.COUNTERSIGN_MIGRATIONS ? resolve(env.COUNTERSIGN_MIGRATIONS) : null,
    trustedProxies: (env.COUNTERSIGN_TRUSTED_PROXIES ?? '')
      .split(',')
      .map((text) => text.trim())
      .filter(Boolean),
    sessionLimits: parseSessionLimits(file.session ?? session.parse({})),
    access: parseAccess(file.access ?? access.parse({})),
    hasRateLimits: env.COUNTERSIGN_RATE_LIMITS !== 'off',
    webhookNetworks,
    logLevel: env.COUNTERSIGN_LOG_LEVEL ?? 'info',
    backups: file.backup
      ? {
          directory: resolve(file.backup.directory),
          everyMilliseconds: file.backup.everyHours * HOUR_MS,
          keep: file.backup.keep,
        }
      : null,
    rebuild,
  }
}

/** Exactly an origin: it is written into a header, and compared with what a browser says. */
function isSafeHost(text: string): boolean {
  if (!/^https?:\/\/[a-z0-9.[\]:-]+$/.test(text) || !URL.canParse(text)) return false
  const { origin, protocol, hostname } = new URL(text)
  return origin === text && (protocol === 'https:' || isLoopback(hostname) || hostname === '[::1]')
}

function isRelayUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, username, search } = new URL(text)
  return !username && !search && (protocol === 'wss:' || (protocol === 'ws:' && isLoopback(hostname)))
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
  const networks = (text ?? '').split(',').map((entry) => entry.trim())
  const named = networks.filter(Boolean)
  for (const network of named)
    if (!isNetwork(network))
      faults.push({
        path: 'COUNTERSIGN_WEBHOOK_NETWORKS',
        message: `must name addresses or networks such as 10.0.0.0/8, not \`${network}\``,
      })
  return named
}

function parseFunctionList(path: string | undefined, faults: Fault[]): FunctionList | null {
  if (path === undefined) return null
  try {
    return readFunctionList(resolve(path))
  } catch (error) {
    faults.push({ path: `functionList \`${path}\``, message: error instanceof Error ? error.message : String(error) })
    return null
  }
}

function parseTokenLists(given: ConfigurationFile['tokenLists'], faults: Fault[]): TokenListSettings[] {
  return given.flatMap(({ url, file = '', everyHours }): TokenListSettings[] => {
    if (url !== undefined) return [{ kind: 'url', url: new URL(url), everyHours }]
    try {
      return [{ kind: 'file', path: file, list: openListFile(resolve(file)) }]
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      faults.push({ path: `tokenLists \`${file}\``, message })
      return []
    }
  })
}

function parsePrices({ prices: given, chains, devnet = {} }: ConfigurationFile, faults: Fault[]): PriceSettings | null {
  if (given === undefined) {
    if ([...chains, devnet].some(({ priceFeeds = [], pricePools = [] }) => priceFeeds.length + pricePools.length > 0))
      faults.push({ path: 'prices', message: 'must name the `currency` of the `priceFeeds` and `pricePools`' })
    return null
  }
  const { currency } = given
  const sources = given.sources.flatMap(({ url, file = '', everyMinutes }): PriceSourceSettings[] => {
    if (url !== undefined) return [{ kind: 'url', url: new URL(url), everyMinutes }]
    try {
      return [{ kind: 'file', path: file, prices: openPriceFile(file, currency) }]
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      faults.push({ path: `prices \`${file}\``, message })
      return []
    }
  })
  return { currency, maxAgeMilliseconds: given.maxAgeHours * HOUR_MS, sources }
}

function parseSessionLimits(given: z.output<typeof session>): SessionLimits {
  return {
    idleMilliseconds: given.idleHours * HOUR_MS,
    absoluteMilliseconds: given.absoluteHours * HOUR_MS,
    contractMilliseconds: given.contractAccountHours * HOUR_MS,
  }
}

function parseAccess({ accounts, admins, safes, ...rest }: z.output<typeof access>): AccessSettings {
  return {
    ...rest,
    accounts: new Set(accounts),
    admins: new Set(admins),
    safes: typeof safes === 'string' ? safes : new Set(safes.map(safeKey)),
  }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host)
}

function parsePublicUrl(text: string | undefined, faults: Fault[]): URL | null {
  if (!text) return null
  const path = 'COUNTERSIGN_PUBLIC_URL'
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    faults.push({ path, message: `must be an http or https URL, not \`${text}\`` })
    return null
  }
  const url = new URL(text)
  if (url.pathname !== '/' || url.search || url.hash || url.username)
    faults.push({ path, message: `must be an origin without a path, not \`${text}\`` })
  return url
}

type ConfigurationFile = z.output<typeof configurationFile>

function readConfigurationFile(given: string | undefined, faults: Fault[]): ConfigurationFile {
  const nothing = configurationFile.parse({})
  const file = given ?? 'countersign.config.json'
  if (!existsSync(file)) {
    if (given) faults.push({ path: 'COUNTERSIGN_CONFIG', message: `there is no file \`${given}\`` })
    return nothing
  }
  let content: unknown
  try {
    content = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    faults.push({ path: file, message: `is not JSON: ${error instanceof Error ? error.message : error}` })
    return nothing
  }
  const parsed = configurationFile.safeParse(content)
  if (parsed.success) return parsed.data
  for (const issue of parsed.error.issues)
    faults.push({
      path: [file, issue.path.join('.')].filter(Boolean).join(' '),
      message: issue.message + suggestNode(content, issue.path),
    })
  return nothing
}

const numbered = z.object({ chains: z.array(z.object({ chainId: z.number() }).catch({ chainId: 0 })) })

/** A public node to begin with, where those of a known chain are missing. */
function suggestNode(content: unknown, [list, at, field, ...rest]: readonly PropertyKey[]): string {
  if (list !== 'chains' || typeof at !== 'number' || field !== 'rpcUrls' || rest.length > 0) return ''
  const chainId = numbered.safeParse(content).data?.chains[at]?.chainId
  const node = chainId === undefined ? undefined : findKnownChain(chainId)?.publicNode
  return node === undefined ? '' : `; for a try, \`${node}\` is public, and sees what is asked of it`
}

/** Project id and relay from the file, each replaced by its variable; null when there is neither. */
function parseWalletConnect(
  env: Record<string, string | undefined>,
  file: ConfigurationFile['walletConnect'],
  faults: Fault[],
): WalletConnectSettings | null {
  const variables = {
    projectId: env.COUNTERSIGN_WALLETCONNECT_PROJECT_ID || undefined,
    relayUrl: env.COUNTERSIGN_WALLETCONNECT_RELAY_URL || undefined,
  }
  const parsed = walletConnect.safeParse(variables)
  if (!parsed.success)
    for (const { path, message } of parsed.error.issues)
      faults.push({
        path: `COUNTERSIGN_WALLETCONNECT_${path[0] === 'projectId' ? 'PROJECT_ID' : 'RELAY_URL'}`,
        message,
      })
  const projectId = variables.projectId ?? file?.projectId
  const relayUrl = variables.relayUrl ?? file?.relayUrl
  if (!projectId && !relayUrl) return null
  return {
    projectId: projectId ?? null,
    relayUrl: relayUrl ?? WALLETCONNECT_RELAY_URL,
    codeSeconds: file?.codeSeconds ?? CODE_SECONDS,
  }
}

/** The launcher's devnet. Another chain id is for the test harness: signatures for a real chain could be replayed there. */
function parseDevnet(
  env: Record<string, string | undefined>,
  { chains, devnet }: ConfigurationFile,
  faults: Fault[],
): ChainSettings[] {
  const rpcUrl = env.COUNTERSIGN_DEVNET_RPC_URL
  if (!rpcUrl) {
    // No local chain runs beside chains that are named: its settings would count nowhere, without a word.
    if (devnet && chains.length > 0)
      faults.push({ path: 'devnet', message: 'must not be there together with `chains`' })
    return []
  }
  let tokens: unknown = []
  try {
    tokens = JSON.parse(env.COUNTERSIGN_DEVNET_TOKENS ?? '[]')
  } catch {
    faults.push({ path: 'COUNTERSIGN_DEVNET_TOKENS', message: 'is not JSON' })
  }
  const parsed = chain.safeParse({
    chainId: Number(env.COUNTERSIGN_DEVNET_CHAIN_ID ?? DEVNET_CHAIN_ID),
    name: 'Devnet',
    rpcUrls: [rpcUrl],
    publicRpcUrl: rpcUrl,
    explorerUrl: null,
    // The devnet has one node, and whoever starts it owns it.
    proof: { sources: 1, wallet: false, maxBlocksBehind: 25 },
    startBlock: 0,
    index: 'whole-chain',
    tokens,
    nameRegistry: env.COUNTERSIGN_DEVNET_NAME_REGISTRY || null,
    ...devnet,
  })
  if (parsed.success) return [{ ...parsed.data, isDevnet: true }]
  for (const issue of parsed.error.issues)
    faults.push({ path: `COUNTERSIGN_DEVNET ${issue.path.join('.')}`, message: issue.message })
  return []
}
