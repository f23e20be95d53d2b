import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CountersignError } from '@countersign/safe'
import { afterEach, describe, expect, test } from 'vitest'
import { parseEnvironment } from './environment.ts'

const databaseUrl = 'postgres://localhost/countersign'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

function configuration(content: unknown): string {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-env-'))
  folders.push(folder)
  const file = join(folder, 'countersign.config.json')
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}

function failure(env: Record<string, string>): CountersignError {
  try {
    parseEnvironment(env)
  } catch (error) {
    if (error instanceof CountersignError) return error
  }
  throw new Error('It was accepted')
}

describe('parseEnvironment', () => {
  test('default', () => {
    const chain = { chainId: 1, name: 'Ethereum', rpcUrls: ['https://node.example/key'] }
    const file = configuration({ chains: [chain] })
    expect(parseEnvironment({ DATABASE_URL: databaseUrl, COUNTERSIGN_CONFIG: file })).toMatchObject({
      host: '127.0.0.1',
      port: 4100,
      publicUrl: null,
      chains: [{ ...chain, isDevnet: false, index: 'tracked' }],
      safeHosts: [],
      hasCoinbase: false,
      hasReleaseTokenList: true,
    })
  })

  test('behavior: prices have a currency and sources; a file that is none, and feeds without a currency, stop the start', () => {
    const file = configuration({ currency: 'USD', prices: [{ chainId: 1, token: 'native', price: '1' }] })
    const feed = '0x5f4eC3Df9cbd43714FE2740f5E3616155c5b8419'
    const chain = { chainId: 1, rpcUrls: ['https://node.example'], priceFeeds: [{ token: 'native', feed }] }
    const read = (prices: unknown, of: object = chain) =>
      parseEnvironment({ DATABASE_URL: databaseUrl, COUNTERSIGN_CONFIG: configuration({ chains: [of], prices }) })
    const sources = [{ url: 'https://prices.example/usd.json', everyMinutes: 5 }, { file }]
    expect(read({ currency: 'USD', sources })).toMatchObject({
      chains: [{ priceFeeds: [{ token: 'native', feed }] }],
      prices: {
        currency: 'USD',
        maxAgeMilliseconds: 26 * 3_600_000,
        // An entry without a time is none.
        sources: [
          { kind: 'url', everyMinutes: 5 },
          { kind: 'file', prices: { count: 0, refused: 1 } },
        ],
      },
    })
    expect(read({ currency: 'USD' }).prices?.sources).toEqual([])
    expect(() => read(undefined)).toThrow(/prices: must name the/)
    const pool = { token: 'native', pool: feed, quote: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48' }
    const withPool = (given: object) => ({ ...chain, priceFeeds: [], pricePools: [{ ...pool, ...given }] })
    const readPool = (given: object) => read({ currency: 'USD' }, withPool(given)).chains[0]
    expect(readPool({ quoteIs: 'currency' })?.pricePools).toEqual([{ ...pool, quoteIs: 'currency', minutes: 30 }])
    expect(() => readPool({ minutes: 9 })).toThrow(/pricePools\.0\.minutes: must be 10 at least/)
    expect(() => readPool({ minutes: 10.5 })).toThrow(/pricePools\.0\.minutes/)
    expect(() => readPool({ quoteIs: 'native' })).toThrow(/pricePools\.0\.quote: must be another asset/)
    expect(() => readPool({ token: pool.quote })).toThrow(/pricePools\.0\.quote: must be another asset/)
    expect(() => readPool({ spot: true })).toThrow(/spot/)
    expect(() => read(undefined, withPool({}))).toThrow(/prices: must name the/)
    expect(() => read({ currency: 'dollars' })).toThrow(/ISO 4217/)
    expect(() => read({ currency: 'EUR', sources: [{ file }] })).toThrow(/must say/)
    expect(() => read({ currency: 'USD', sources: [{ file: `${file}.gone` }] })).toThrow(/no such file/)
    expect(() => read({ currency: 'USD', sources: [{}] })).toThrow(/must name a .url. or a .file./)
  })

  test('behavior: the devnet has feeds and pools, too, where it runs', () => {
    const address = '0x5f4eC3Df9cbd43714FE2740f5E3616155c5b8419'
    const quote = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
    const devnet = {
      priceFeeds: [{ token: 'native', feed: address }],
      pricePools: [{ token: 'native', pool: address, quote, quoteIs: 'currency', minutes: 10 }],
    }
    const prices = { currency: 'USD' }
    const read = (content: object, rpcUrl: string | undefined = 'http://127.0.0.1:8545') =>
      parseEnvironment({
        DATABASE_URL: databaseUrl,
        COUNTERSIGN_CONFIG: configuration(content),
        COUNTERSIGN_DEVNET_RPC_URL: rpcUrl,
      }).chains
    expect(read({ devnet, prices })).toMatchObject([{ ...devnet, isDevnet: true, chainId: 31337 }])
    // The launcher names the node once it runs.
    expect(read({ devnet, prices }, '')).toEqual([])
    expect(() => read({ devnet })).toThrow(/prices: must name the/)
    expect(() => read({ devnet: { rpcUrls: [] }, prices })).toThrow(/devnet/)
    const chains = [{ chainId: 1, rpcUrls: ['https://node.example'] }]
    expect(() => read({ devnet, prices, chains }, '')).toThrow(/devnet: must not be there together with/)
  })

  test('behavior: the devnet counts by its own node; another chain says how many sources make a hash certain', () => {
    const chain = { chainId: 1, name: 'Ethereum', rpcUrls: ['https://node.example/key'], proof: { sources: 3 } }
    const read = (given: object) =>
      parseEnvironment({
        DATABASE_URL: databaseUrl,
        COUNTERSIGN_CONFIG: configuration({ chains: [given] }),
        COUNTERSIGN_DEVNET_RPC_URL: 'http://127.0.0.1:8545',
      }).chains.map(({ proof }) => proof)
    expect(read(chain)).toEqual([
      { sources: 3, wallet: true, maxBlocksBehind: 25 },
      { sources: 1, wallet: false, maxBlocksBehind: 25 },
    ])
    expect(() => read({ ...chain, proof: { sources: 0 } })).toThrow(/proof\.sources/)
    expect(() => read({ ...chain, proof: { maxBlocksBehind: -1 } })).toThrow(/proof\.maxBlocksBehind/)
  })

  test('behavior: the hosts of Safe Apps and Coinbase Wallet are named by the operator', () => {
    const allowedHosts = ['https://app.safe.global', 'https://safe.example:8443', 'http://localhost:3000']
    const file = configuration({ chains: [], safeApp: { allowedHosts }, coinbase: true })
    expect(parseEnvironment({ DATABASE_URL: databaseUrl, COUNTERSIGN_CONFIG: file })).toMatchObject({
      safeHosts: allowedHosts,
      hasCoinbase: true,
    })
  })

  test('behavior: how long sessions last, as a whole, in part or not at all', () => {
    const limits = (session?: object) =>
      parseEnvironment({ DATABASE_URL: databaseUrl, COUNTERSIGN_CONFIG: configuration({ chains: [], session }) })
        .sessionLimits
    const hour = 3_600_000
    expect(limits()).toEqual({
      idleMilliseconds: 168 * hour,
      absoluteMilliseconds: 720 * hour,
      contractMilliseconds: 8 * hour,
    })
    expect(limits({ idleHours: 0.5, absoluteHours: 12 })).toEqual({
      idleMilliseconds: hour / 2,
      absoluteMilliseconds: 12 * hour,
      contractMilliseconds: 8 * hour,
    })
    const wrong = configuration({ chains: [], session: { idleHours: 13, absoluteHours: 12 } })
    expect(failure({ DATABASE_URL: databaseUrl, COUNTERSIGN_CONFIG: wrong }).message).toContain('session.idleHours:')
    const none = configuration({ chains: [], session: { contractAccountHours: 0, forever: true } })
    const { message } = failure({ DATABASE_URL: databaseUrl, COUNTERSIGN_CONFIG: none })
    expect(message).toContain('session.contractAccountHours:')
    expect(message).toContain('forever')
  })

  test('behavior: a public chain is known by its number, and what is given counts instead', () => {
    const rpcUrls = ['https://node.example']
    const parse = (...chains: object[]) => ({
      DATABASE_URL: databaseUrl,
      COUNTERSIGN_CONFIG: configuration({ chains: chains.map((given) => ({ rpcUrls, ...given })) }),
    })
    const multicall = '0xcA11bde05977b3631167028862bE2a173976CA11'
    const coin = { name: 'Coin', symbol: 'C', decimals: 6 }
    const own = { chainId: 424242, name: 'Ours', nativeCurrency: coin, blockSeconds: 0.25, multicall }
    const given = { chainId: 10, name: 'Optimism', explorerUrl: null, multicall: null }
    expect(parseEnvironment(parse({ chainId: 137 }, own, given)).chains).toMatchObject([
      {
        name: 'Polygon',
        nativeCurrency: { name: 'POL', symbol: 'POL', decimals: 18 },
        explorerUrl: 'https://polygonscan.com',
        multicall,
        blockSeconds: 2,
      },
      own,
      { name: 'Optimism', nativeCurrency: { symbol: 'ETH' }, explorerUrl: null, multicall: null, blockSeconds: 2 },
    ])
    expect(failure(parse({ ...own, blockSeconds: 0 })).message).toContain('chains.0.blockSeconds')
    expect(failure(parse({ ...own, multicall: '0x1' })).message).toContain('chains.0.multicall')
    const shifted = { chainId: 1, nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 12 } }
    const { message } = failure(parse({ chainId: 424242 }, shifted))
    expect(message).toContain("chains.0.name: is required, since chain '424242' is not known by its number")
    expect(message).toContain('chains.1.nativeCurrency.decimals: must be 18')
  })

  test('behavior: who may sign in and which Safes may be added, and what would lock everybody out', () => {
    const parse = (access?: object) =>
      parseEnvironment({ DATABASE_URL: databaseUrl, COUNTERSIGN_CONFIG: configuration({ chains: [], access }) }).access
    const nobody = new Set()
    expect(parse()).toEqual({
      signIn: 'all',
      accounts: nobody,
      admins: nobody,
      safes: 'all',
      newSafesPerDay: 100,
      newSafesPerDayOfAll: 2_000,
    })
    const admin = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
    const safes = [{ chainId: 1, address: admin.toLowerCase() }]
    expect(parse({ signIn: 'owners', admins: [admin.toLowerCase()], safes, newSafesPerDay: 3 })).toEqual({
      signIn: 'owners',
      accounts: nobody,
      admins: new Set([admin]),
      safes: new Set([`1 ${admin}`]),
      newSafesPerDay: 3,
      newSafesPerDayOfAll: 2_000,
    })
    for (const wrong of [
      { signIn: 'owners' },
      { signIn: 'accounts', accounts: [] },
      { safes: 'admins' },
      { admins: ['0xF39Fd6e51aad88F6F4ce6aB8827279cffFb92266'] },
      { signIn: 'nobody' },
      { newSafesPerDay: -1 },
      { newSafesPerDayOfAll: -1 },
    ])
      expect(
        failure({ DATABASE_URL: databaseUrl, COUNTERSIGN_CONFIG: configuration({ chains: [], access: wrong }) })
          .message,
      ).toContain('access')
  })

  test('error: CONFIGURATION_INVALID for each Safe host that is no plain origin, all at once', () => {
    const allowedHosts = [
      'app.safe.global',
      'https://app.safe.global/',
      'https://app.safe.global/apps',
      'https://*.safe.global',
      'https://APP.safe.global',
      'https://user@app.safe.global',
      "https://app.safe.global; script-src 'unsafe-inline'",
      'https://app.safe.global:443',
      'http://app.safe.global',
      'http://localhost.evil.example',
      '*',
      "'self'",
      '',
    ]
    const file = configuration({ chains: [], safeApp: { allowedHosts, hosts: [] }, coinbase: 'yes' })
    const { message } = failure({ DATABASE_URL: databaseUrl, COUNTERSIGN_CONFIG: file })
    allowedHosts.forEach((_, at) => {
      expect(message).toContain(`${file} safeApp.allowedHosts.${at}:`)
    })
    expect(message).toContain(`${file} safeApp:`)
    expect(message).toContain(`${file} coinbase:`)
    const twice = configuration({ chains: [], safeApp: { allowedHosts: ['https://a.example', 'https://a.example'] } })
    expect(failure({ DATABASE_URL: databaseUrl, COUNTERSIGN_CONFIG: twice }).message).toContain('twice')
  })

  test('behavior: the operator names the chains that are followed as a whole', () => {
    const chain = { chainId: 1, name: 'Ethereum', rpcUrls: ['https://node.example/key'] }
    const read = (index: string) => ({
      DATABASE_URL: databaseUrl,
      COUNTERSIGN_CONFIG: configuration({ chains: [{ ...chain, index }] }),
    })
    expect(parseEnvironment(read('whole-chain')).chains).toMatchObject([{ chainId: 1, index: 'whole-chain' }])
    expect(failure(read('everything')).message).toContain('chains.0.index:')
  })

  test('behavior: the devnet of the launcher', () => {
    const env = { DATABASE_URL: databaseUrl, COUNTERSIGN_DEVNET_RPC_URL: 'http://127.0.0.1:8545' }
    expect(parseEnvironment(env).chains).toMatchObject([{ chainId: 31337, isDevnet: true, index: 'whole-chain' }])
  })

  test.each(['not a url', 'postgres://127.0.0.1:99999/x', 'postgres://u:secret@h/x?ssl=true&sslrootcert=/nowhere'])(
    'error: CONFIGURATION_INVALID for the DATABASE_URL %s, without its password',
    (url) => {
      const { code, message } = failure({ DATABASE_URL: url })
      expect({ code, message }).toEqual({
        code: 'CONFIGURATION_INVALID',
        message: expect.stringContaining('DATABASE_URL: '),
      })
      expect(message).not.toContain('secret')
    },
  )

  test('error: CONFIGURATION_INVALID names every fault with its path', () => {
    const chain = { chainId: 0, name: '', rpcUrls: [], color: 'red' }
    const file = configuration({ chains: [chain, { chainId: 1, name: 'One', rpcUrls: ['ftp://x'] }] })
    const error = failure({ PORT: 'abc', COUNTERSIGN_CONFIG: file, COUNTERSIGN_PUBLIC_URL: 'nowhere', HOST: '0.0.0.0' })
    expect(error.code).toBe('CONFIGURATION_INVALID')
    for (const path of [
      'DATABASE_URL',
      'PORT',
      'COUNTERSIGN_PUBLIC_URL',
      `${file} chains.0.chainId`,
      `${file} chains.0.name`,
      `${file} chains.0.rpcUrls`,
      `${file} chains.0:`,
      `${file} chains.1.rpcUrls.0`,
    ])
      expect(error.message).toContain(path)
  })

  test('behavior: a known chain without a node is told a public one, which nobody asks', () => {
    const given = (...chains: object[]) => ({
      DATABASE_URL: databaseUrl,
      COUNTERSIGN_CONFIG: configuration({ chains }),
    })
    const { message } = failure(
      given({ chainId: 10 }, { chainId: 137, rpcUrls: [] }, { chainId: 424242 }, { name: 'x' }),
    )
    expect(message).toMatch(/chains\.0\.rpcUrls: .+; for a try, .https:\/\/\S+ is public/)
    expect(message).toMatch(/chains\.1\.rpcUrls: .+ is public/)
    expect(message.match(/is public/g)).toHaveLength(2)
    const [chain] = parseEnvironment(given({ chainId: 10, rpcUrls: ['https://node.example'] })).chains
    expect(JSON.stringify(chain)).not.toContain('publicNode')
  })

  test('error: CONFIGURATION_INVALID for a file that is no JSON, is missing, or names a chain twice', () => {
    const chain = { chainId: 1, name: 'One', rpcUrls: ['http://localhost:1'] }
    for (const file of [configuration('{'), '/nowhere/at/all.json', configuration({ chains: [chain, chain] })])
      expect(failure({ DATABASE_URL: databaseUrl, COUNTERSIGN_CONFIG: file }).code).toBe('CONFIGURATION_INVALID')
  })

  test('behavior: WalletConnect is off without project id and relay; a variable replaces what the file says', () => {
    const read = (walletConnect?: object, env: Record<string, string> = {}) =>
      parseEnvironment({
        DATABASE_URL: databaseUrl,
        COUNTERSIGN_CONFIG: configuration(walletConnect ? { walletConnect } : {}),
        ...env,
      }).walletConnect
    expect(read()).toBeNull()
    expect(read({}, { COUNTERSIGN_WALLETCONNECT_RELAY_URL: '' })).toBeNull()
    expect(read({ projectId: 'abc' })).toEqual({
      projectId: 'abc',
      relayUrl: 'wss://relay.walletconnect.org',
      codeSeconds: 285,
    })
    const own = { relayUrl: 'wss://relay.example/path', codeSeconds: 60 }
    expect(read(own)).toEqual({ projectId: null, ...own })
    expect(
      read(own, {
        COUNTERSIGN_WALLETCONNECT_PROJECT_ID: 'def',
        COUNTERSIGN_WALLETCONNECT_RELAY_URL: 'ws://127.0.0.1:9000',
      }),
    ).toEqual({ projectId: 'def', relayUrl: 'ws://127.0.0.1:9000', codeSeconds: 60 })
  })

  test('error: CONFIGURATION_INVALID for what WalletConnect cannot use, in the file and in the variables', () => {
    const walletConnect = { projectId: 'a b', relayUrl: 'ws://relay.example', codeSeconds: 301, projectID: 'abc' }
    const file = configuration({ walletConnect })
    const { message } = failure({
      DATABASE_URL: databaseUrl,
      COUNTERSIGN_CONFIG: file,
      COUNTERSIGN_WALLETCONNECT_PROJECT_ID: '"',
      COUNTERSIGN_WALLETCONNECT_RELAY_URL: 'https://relay.example',
    })
    for (const path of [
      `${file} walletConnect.projectId: must be letters, digits, _ and -`,
      `${file} walletConnect.relayUrl: must be a wss URL`,
      `${file} walletConnect.codeSeconds`,
      `${file} walletConnect: Unrecognized key: "projectID"`,
      'COUNTERSIGN_WALLETCONNECT_PROJECT_ID: must be',
      'COUNTERSIGN_WALLETCONNECT_RELAY_URL: must be a wss URL',
    ])
      expect(message).toContain(path)
    for (const relayUrl of ['wss://name:word@relay.example', 'wss://relay.example?a=b', "wss://x; script-src 'none'"])
      expect(() =>
        parseEnvironment({
          DATABASE_URL: databaseUrl,
          COUNTERSIGN_CONFIG: configuration({}),
          COUNTERSIGN_WALLETCONNECT_RELAY_URL: relayUrl,
        }),
      ).toThrow('COUNTERSIGN_WALLETCONNECT_RELAY_URL')
  })

  test('error: PUBLIC_URL_REQUIRED', () => {
    expect(failure({ DATABASE_URL: databaseUrl, HOST: '0.0.0.0' }).code).toBe('PUBLIC_URL_REQUIRED')
    expect(
      failure({ DATABASE_URL: databaseUrl, HOST: '0.0.0.0', COUNTERSIGN_PUBLIC_URL: 'http://safe.example' }).code,
    ).toBe('PUBLIC_URL_REQUIRED')
    const env = { DATABASE_URL: databaseUrl, HOST: '0.0.0.0', COUNTERSIGN_PUBLIC_URL: 'https://safe.example' }
    expect(parseEnvironment(env).publicUrl?.origin).toBe('https://safe.example')
  })
})
