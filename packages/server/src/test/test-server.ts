import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ClientOptions, call, prepareSignIn, signIn } from '@countersign/contract'
import { type DemoAccount, demoAccounts, deploySafe } from '@countersign/devnet'
import { hashSafeTx, newSafeTx, type SafeTx, safeTxTypedData } from '@countersign/safe'
import pg from 'pg'
import { pino } from 'pino'
import { type Address, concat, type Hex, hashMessage } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { inject } from 'vitest'
import type { AccessSettings } from '../config/access.ts'
import type { ChainSettings } from '../config/chains.ts'
import type { Environment } from '../config/environment.ts'
import { type AdmissionSettings, usualAdmission } from '../http/admission.ts'
import { UNDECLARED } from '../http/endpoint.ts'
import { type Server, startServer } from '../server.ts'

const DAY = 86_400_000

export type TestServer = Server & {
  origin: string
  databaseUrl: string
  /** Moves the server's clock. */
  pass: (milliseconds: number) => void
  /** Lines of the log. */
  logged: string[]
}

/** Access without restrictions, and the usual quotas. */
export const everybody: AccessSettings = {
  signIn: 'all',
  accounts: new Set(),
  admins: new Set(),
  safes: 'all',
  newSafesPerDay: 100,
  newSafesPerDayOfAll: 2_000,
}

/** A database of its own, from the migrated template. */
export async function createDatabase(): Promise<string> {
  const { url: server, template } = inject('postgres')
  const url = new URL(server)
  const name = `${template}_${randomBytes(6).toString('hex')}`
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  await client.query(`create database ${name} template ${template}`)
  await client.end()
  url.pathname = `/${name}`
  return url.href
}

/** A database without tables. */
export async function createEmptyDatabase(): Promise<string> {
  const url = new URL(await createDatabase())
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  const name = `${url.pathname.slice(1)}_empty`
  await client.query(`create database ${name} template template0`)
  await client.end()
  url.pathname = `/${name}`
  return url.href
}

export async function startTestServer({
  chains,
  databaseUrl,
  admission = usualAdmission,
  ...changes
}: { chains: readonly ChainSettings[]; admission?: AdmissionSettings } & Partial<Environment>): Promise<TestServer> {
  const database = databaseUrl ?? (await createDatabase())
  const logged: string[] = []
  const undeclared: string[] = []
  const write = (line: string) => {
    logged.push(line)
    if (line.includes(UNDECLARED)) undeclared.push(line)
  }
  let offset = 0
  const server = await startServer(
    {
      databaseUrl: database,
      host: '127.0.0.1',
      port: 0,
      publicUrl: null,
      chains: [...chains],
      safeHosts: [],
      hasCoinbase: false,
      functionList: null,
      tokenLists: [],
      hasReleaseTokenList: true,
      prices: null,
      walletConnect: null,
      webDirectory: null,
      migrationsDirectory: null,
      trustedProxies: [],
      sessionLimits: { idleMilliseconds: 7 * DAY, absoluteMilliseconds: 30 * DAY, contractMilliseconds: DAY / 3 },
      access: everybody,
      hasRateLimits: true,
      webhookNetworks: [],
      logLevel: 'info',
      backups: null,
      rebuild: null,
      ...changes,
    },
    {
      log: pino({ level: 'debug' }, { write }),
      clock: () => new Date(Date.now() + offset),
      pollMilliseconds: 100,
      admission,
    },
  )
  return {
    ...server,
    origin: server.url.origin,
    databaseUrl: database,
    logged,
    async stop() {
      await server.stop()
      if (undeclared.length > 0) throw new Error(`Declare in the contract what was answered: ${undeclared.join('')}`)
    },
    pass: (milliseconds) => {
      offset += milliseconds
    },
  }
}

export function devnetChain(rpcUrl: string, chainId = 31337): ChainSettings {
  return { chainId, name: 'Devnet', rpcUrls: [rpcUrl], isDevnet: true, startBlock: 0, index: 'tracked' }
}

/** A browser without a screen: keeps cookies, sends Origin. */
export function newBrowser(
  server: Pick<TestServer, 'origin'>,
): ClientOptions & { fetch: typeof fetch; cookies: Map<string, string> } {
  const cookies = new Map<string, string>()
  return {
    baseUrl: server.origin,
    headers: { origin: server.origin },
    cookies,
    fetch: async (input, init) => {
      const headers = new Headers(init?.headers)
      headers.set('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '))
      const response = await fetch(input, { ...init, headers, redirect: 'manual' })
      for (const line of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        if (/max-age=0/i.test(line)) cookies.delete(name)
        else cookies.set(name, value)
      }
      return response
    },
  }
}

export type Browser = ReturnType<typeof newBrowser>

/** A browser that is signed in as an account. */
export async function signInAs(
  server: Pick<TestServer, 'origin'>,
  account: DemoAccount,
  chainId = 31337,
): Promise<Browser> {
  const browser = newBrowser(server)
  const { message } = await call(browser, prepareSignIn, { address: account.address, chainId })
  await call(browser, signIn, {
    message,
    signature: await privateKeyToAccount(account.privateKey).signMessage({ message }),
  })
  return browser
}

/** Signs a text for an owner of a Safe (1.3.0 or later), as the Safe's fallback handler checks it. */
export function signedForSafe(
  safeAddress: Address,
  message: string,
  { privateKey }: { privateKey: Hex },
  chainId = 31337,
): Promise<Hex> {
  return privateKeyToAccount(privateKey).signTypedData({
    domain: { chainId, verifyingContract: safeAddress },
    types: { SafeMessage: [{ name: 'message', type: 'bytes' }] },
    primaryType: 'SafeMessage',
    message: { message: hashMessage(message) },
  })
}

/** A browser that is signed in as a Safe, by these of its owners. */
export async function signInAsSafe(
  server: Pick<TestServer, 'origin'>,
  safeAddress: Address,
  owners: readonly DemoAccount[],
): Promise<Browser> {
  const browser = newBrowser(server)
  const asked = { address: safeAddress, chainId: 31337, waitsForOwners: true }
  const { message } = await call(browser, prepareSignIn, asked)
  const byAddress = [...owners].sort((a, b) => (a.address.toLowerCase() < b.address.toLowerCase() ? -1 : 1))
  const signatures = await Promise.all(byAddress.map((owner) => signedForSafe(safeAddress, message, owner)))
  await call(browser, signIn, { message, signature: concat(signatures) })
  return browser
}

let salt = BigInt(`0x${randomBytes(8).toString('hex')}`)

/** A new Safe of the first accounts, 2 of 3 if not said otherwise. */
export async function newSafe(
  rpcUrl: string,
  options: {
    version?: '1.3.0' | '1.4.1' | '1.5.0'
    l2?: boolean
    owners?: readonly Address[]
    threshold?: number
    chainId?: number
  } = {},
): Promise<Address> {
  salt += 1n
  return deploySafe({
    rpcUrl,
    chainId: 31337,
    version: '1.4.1',
    owners: demoAccounts.slice(0, 3).map(({ address }) => address),
    threshold: 2,
    saltNonce: salt,
    ...options,
  })
}

/** A transaction of a Safe, hashed and signed. */
export async function signedTx(
  safeAddress: Address,
  account: DemoAccount,
  fields: Partial<SafeTx> = {},
  { version = '1.4.1', chainId = 31337 }: { version?: string; chainId?: number } = {},
): Promise<{ safeTx: SafeTx; safeTxHash: Hex; sender: Address; signature: Hex }> {
  const safeTx = newSafeTx({ to: demoAccounts[5].address, nonce: 0n, ...fields })
  const context = { chainId, safeAddress, version, safeTx }
  const { safeTxHash } = hashSafeTx(context)
  return {
    safeTx,
    safeTxHash,
    sender: account.address,
    signature: await privateKeyToAccount(account.privateKey).signTypedData(safeTxTypedData(context)),
  }
}

/** Repeats a call until it returns a value. The limit is shorter than that of a test, so that the failure names the place. */
export async function eventually<value>(
  ask: () => Promise<value | null | undefined | false>,
  milliseconds = 150_000,
): Promise<value> {
  const late = new Error('It did not become true in time')
  let timer: NodeJS.Timeout | undefined
  const end = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late), milliseconds)
  })
  try {
    for (;;) {
      const found = await Promise.race([ask(), end])
      if (found) return found
      await Promise.race([sleep(50), end])
    }
  } finally {
    clearTimeout(timer)
  }
}

/** The code that a call fails with. */
export async function codeOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'no error',
    (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : String(error)),
  )
}
