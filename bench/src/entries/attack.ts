import { Agent, request } from 'node:http'
import { newSafe, type Product, rpcUrlOf, type SafeAt, signSafeTx, startProduct, team } from '@countersign/e2e'
import { hashSafeTx, newSafeTx } from '@countersign/safe'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Entry, Measurement } from '../entry.ts'
import { besideAttacker } from '../load/beside-attacker.ts'
import { lookOn } from '../load/looking-on.ts'
import { makeOddRequests, type OddRequest, sendSlowly } from '../load/odd-requests.ts'
import { ownSeconds, processBelow, residentMemory } from '../load/process-time.ts'

const CHAIN_ID = 31337
const PER_SECOND = 1_000
/** Length of each attack; `BENCH_SECONDS=5` for a look. */
const SECONDS = Math.min(Number(process.env.BENCH_SECONDS ?? 30), 30)
const NETWORKS = 1_000
const STREAMS = 500
/** Each of them is long: more would only measure how fast this machine sends. */
const ODD_PER_SECOND = 60
const PROPOSALS = 201
const PROPOSAL_BYTES = 120_000
/** Requests open at once: more of them would only wait for each other. */
const MAX_AT_ONCE = 400

type Request = { path: string; body?: string | Buffer; headers?: Record<string, string>; from?: string }
type Answer = { status: number; text: string; cookies: string[]; bytes: number }
type Ask = (request: Request) => Promise<Answer>
type Scene = { product: Product; safe: SafeAt; ask: Ask; hostile: string; other: string; odd: OddRequest[] }
/** Outcome of an attack, by the status of the answers; 0: none. */
type Outcome = { statuses: Map<number, number>; largest: number }

/** Measures others' wait during a flood: every request comes from this machine, and names another network. */
export const attack: Entry = {
  name: 'attack',
  about: `${PER_SECOND} requests a second, each for ${SECONDS} s, and ${PROPOSALS} long proposals: what others see of it; and what another waits beside the worst of each kind`,
  async run() {
    // `BENCH_PART=beside` runs only the second half.
    const floods = process.env.BENCH_PART === 'beside' ? [] : await measureFloods()
    return [...floods, ...(await besideAttacker())]
  },
}

async function measureFloods(): Promise<Measurement[]> {
  await using product = await startProduct({ env: { COUNTERSIGN_TRUSTED_PROXIES: '127.0.0.1,::1' } })
  const scene = await open(product)
  const lines: Measurement[] = []
  for (const [what, run] of attacks) lines.push(...(await measure(what, scene, run)))
  return lines
}

const attacks: readonly (readonly [string, (scene: Scene) => Promise<Outcome>])[] = [
  [
    'lists, one session',
    ({ ask, hostile }) => flood(ask, () => ({ path: '/api/safes', headers: { cookie: hostile } })),
  ],
  [
    'sessions made up, one network',
    ({ ask, hostile }) => flood(ask, (at) => ({ path: '/api/safes', headers: { cookie: madeUp(hostile, at) } })),
  ],
  [
    `sessions made up, ${NETWORKS} networks`,
    ({ ask, hostile }) =>
      flood(ask, (at) => ({ path: '/api/safes', headers: { cookie: madeUp(hostile, at) }, from: networkOf(at) })),
  ],
  [
    `messages to sign, ${NETWORKS} networks`,
    ({ ask }) =>
      flood(ask, (at) => ({
        path: '/api/session/message',
        from: networkOf(at),
        body: JSON.stringify({ address: `0x${(at + 1).toString(16).padStart(40, '0')}`, chainId: CHAIN_ID }),
      })),
  ],
  [
    'every route that reads of a Safe, one session',
    async ({ ask, hostile, safe }) => {
      const paths = await readPaths(ask, safe)
      return flood(ask, (at) => ({ path: paths[at % paths.length] ?? '', headers: { cookie: hostile } }))
    },
  ],
  ['slow headers and bodies', sendSlowOnes],
  [
    'deep, packed, long and wrong requests',
    ({ ask, hostile, odd }) =>
      flood(
        ask,
        (at) => {
          const { body = '', headers = {} } = odd[at % odd.length] ?? {}
          return { path: '/api/safes', body, headers: { cookie: hostile, ...headers }, from: networkOf(at) }
        },
        ODD_PER_SECOND,
      ),
  ],
  [`${STREAMS} streams, five accounts`, openStreams],
  [`${PROPOSALS} proposals of ${PROPOSAL_BYTES / 1_000} kB, then lists of them`, proposeLongOnes],
]

function networkOf(at: number): string {
  return `10.${(at % NETWORKS) >> 8}.${(at % NETWORKS) & 255}.1`
}

function madeUp(cookie: string, at: number): string {
  return `${cookie.split('=')[0]}=${String(at).padStart(43, 'x')}`
}

async function open(product: Product): Promise<Scene> {
  const safe = await newSafe({ rpcUrl: rpcUrlOf(product), chainId: CHAIN_ID, version: '1.4.1' })
  const ask = openClient(product.url)
  const hostile = await signIn(ask, team.anna.privateKey)
  const other = await signIn(ask, team.bruno.privateKey)
  const body = JSON.stringify({ chainId: CHAIN_ID, address: safe.safeAddress })
  for (const cookie of [hostile, other]) await ask({ path: '/api/safes', body, headers: { cookie } })
  return { product, safe, ask, hostile, other, odd: makeOddRequests() }
}

/** @returns the cookie of a new session */
async function signIn(ask: Ask, privateKey: Hex): Promise<string> {
  const account = privateKeyToAccount(privateKey)
  const asked = await ask({
    path: '/api/session/message',
    body: JSON.stringify({ address: account.address, chainId: CHAIN_ID }),
  })
  const { message }: { message: string } = JSON.parse(asked.text)
  const signature = await account.signMessage({ message })
  const body = JSON.stringify({ message, signature })
  const opened = await ask({ path: '/api/session', body, headers: { cookie: asked.cookies.join('; ') } })
  const session = opened.cookies.find((cookie) => cookie.includes('_session_'))
  if (!session) throw new Error(`the sign-in answered ${opened.status}: ${opened.text}`)
  return session
}

/** Sends this many requests a second, whether or not the ones before are answered. */
async function flood(ask: Ask, next: (at: number) => Request, perSecond = PER_SECOND): Promise<Outcome> {
  const outcome: Outcome = { statuses: new Map(), largest: 0 }
  const open = new Set<Promise<void>>()
  const started = performance.now()
  let sent = 0
  while (performance.now() - started < SECONDS * 1_000) {
    const due = Math.floor(((performance.now() - started) / 1_000) * perSecond)
    for (; sent < due && open.size < MAX_AT_ONCE; sent += 1) {
      const answering = ask(next(sent)).then(
        (answer) => count(outcome, answer),
        () => count(outcome, { status: 0, bytes: 0 }),
      )
      open.add(answering)
      void answering.finally(() => open.delete(answering))
    }
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  await Promise.all(open)
  return outcome
}

function count(outcome: Outcome, { status, bytes }: Pick<Answer, 'status' | 'bytes'>): void {
  outcome.statuses.set(status, (outcome.statuses.get(status) ?? 0) + 1)
  outcome.largest = Math.max(outcome.largest, bytes)
}

/** Paths of all routes that read and need no more than a Safe and a hash, as the description of the API has them. */
async function readPaths(ask: Ask, { safeAddress }: SafeAt): Promise<string[]> {
  const { text } = await ask({ path: '/api/openapi.json' })
  const { paths }: { paths: Record<string, { get?: unknown }> } = JSON.parse(text)
  const values: Record<string, string> = {
    chainId: String(CHAIN_ID),
    safeAddress,
    safeTxHash: `0x${'ab'.repeat(32)}`,
    safeMessageHash: `0x${'ab'.repeat(32)}`,
  }
  const filled = Object.entries(paths).flatMap(([path, { get }]) =>
    get ? [path.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole)] : [],
  )
  return filled.filter((path) => path.includes(safeAddress) && !path.includes('{'))
}

async function sendSlowOnes({ product, safe, hostile }: Scene): Promise<Outcome> {
  const outcome: Outcome = { statuses: new Map(), largest: 0 }
  const path = `/api/chains/${CHAIN_ID}/safes/${safe.safeAddress}/transactions`
  await sendSlowly({ url: product.url, path, cookie: hostile, seconds: SECONDS }, (status) =>
    count(outcome, { status, bytes: 0 }),
  )
  return outcome
}

async function openStreams({ product, ask, hostile }: Scene): Promise<Outcome> {
  const outcome: Outcome = { statuses: new Map(), largest: 0 }
  const { hostname, port, host } = new URL(product.url)
  const keys = [3, 4, 5, 6, 7].map((index): Hex => `0x${String(index).repeat(64)}`)
  const cookies = [hostile, ...(await Promise.all(keys.slice(1).map((key) => signIn(ask, key))))]
  const streams = Array.from({ length: STREAMS }, (_, at) => {
    const headers = { host, cookie: cookies[at % cookies.length] ?? '', 'x-forwarded-for': networkOf(at) }
    const stream = request({ hostname, port, path: '/api/events', headers, agent: false }, (response) => {
      count(outcome, { status: response.statusCode ?? 0, bytes: 0 })
      response.resume()
    })
    stream.on('error', () => count(outcome, { status: 0, bytes: 0 }))
    stream.end()
    return stream
  })
  await new Promise((resolve) => setTimeout(resolve, SECONDS * 1_000))
  for (const stream of streams) stream.destroy()
  return outcome
}

/** Each in time, so that the limit of writes is not what stops them. */
async function proposeLongOnes({ ask, safe, hostile }: Scene): Promise<Outcome> {
  const outcome: Outcome = { statuses: new Map(), largest: 0 }
  const account = privateKeyToAccount(team.anna.privateKey)
  const data: Hex = `0x${'ab'.repeat(PROPOSAL_BYTES)}`
  const place = `/api/chains/${CHAIN_ID}/safes/${safe.safeAddress}`
  let first: Hex | undefined
  const end = performance.now() + SECONDS * 1_000
  for (let at = 0; at < PROPOSALS && performance.now() < end; at += 1) {
    const safeTx = newSafeTx({ to: account.address, nonce: 0n, value: BigInt(at), data })
    const { safeTxHash } = hashSafeTx({ ...safe, safeTx })
    first ??= safeTxHash
    const signature = await signSafeTx(account, safe, safeTx)
    const proposal = { safeTx, safeTxHash, sender: account.address, signature }
    const body = JSON.stringify(proposal, (_, field) => (typeof field === 'bigint' ? field.toString() : field))
    count(outcome, await ask({ path: `${place}/transactions`, body, headers: { cookie: hostile } }))
  }
  const paths = [
    `${place}/queue?limit=100`,
    `${place}/history?limit=100`,
    `/api/chains/${CHAIN_ID}/transactions/${first}`,
  ]
  for (let at = 0; performance.now() < end; at += 1) {
    const some = Array.from({ length: 10 }, (_, more) => paths[(at + more) % paths.length] ?? '')
    const answers = await Promise.all(some.map((path) => ask({ path, headers: { cookie: hostile } })))
    for (const answer of answers) count(outcome, answer)
  }
  return outcome
}

async function measure(what: string, scene: Scene, run: (scene: Scene) => Promise<Outcome>): Promise<Measurement[]> {
  const { product, other: cookie } = scene
  const server = processBelow(product.pid, 'server.js')
  const before = residentMemory(server)
  const end = lookOn({ url: product.url, server, chainId: CHAIN_ID, cookie })
  const used = ownSeconds(server) ?? 0
  const outcome = await run(scene)
  const { longestProbe, probes, yes, asked, served, longestServed, memory, lag } = await end()
  const answers = [...outcome.statuses.values()].reduce((sum, count) => sum + count, 0)
  const each = (((ownSeconds(server) ?? 0) - used) / Math.max(1, answers)) * 1_000
  const statuses = [...outcome.statuses].sort(([a], [b]) => a - b)
  return [
    ...statuses.map(([status, value]) => ({ what: `${what}: answered ${status || 'nothing'}`, value, unit: '' })),
    ...(outcome.largest > 0 ? [{ what: `${what}: longest answer`, value: outcome.largest / 1e6, unit: 'MB' }] : []),
    { what: `${what}: of the server's core for each answer`, value: each, unit: 'ms' },
    {
      what: `${what}: longest wait of a probe`,
      value: longestProbe,
      unit: 'ms',
      goal: { value: 1_000, isAtMost: true },
    },
    { what: `${what}: probes that said yes`, value: (100 * yes) / Math.max(1, probes), unit: '%' },
    { what: `${what}: others served`, value: (100 * served) / Math.max(1, asked), unit: '%' },
    { what: `${what}: longest wait of another`, value: longestServed, unit: 'ms' },
    { what: `${what}: memory beforehand`, value: before / 1e6, unit: 'MB' },
    { what: `${what}: most memory`, value: memory / 1e6, unit: 'MB' },
    { what: `${what}: longest lag of the follower`, value: lag, unit: 's' },
  ]
}

function openClient(url: string): Ask {
  const { hostname, port, host, origin } = new URL(url)
  const agent = new Agent({ keepAlive: true, maxSockets: MAX_AT_ONCE })
  return ({ path, body, headers = {}, from = '198.51.100.1' }) =>
    new Promise((resolve, reject) => {
      const method = body === undefined ? 'GET' : 'POST'
      const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
      const all = { host, origin, 'content-type': 'application/json', 'x-forwarded-for': from, ...length, ...headers }
      const sent = request({ hostname, port, path, method, agent, headers: all }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => {
          const read = Buffer.concat(chunks)
          const cookies = (response.headers['set-cookie'] ?? []).map((line) => line.split(';')[0] ?? '')
          resolve({ status: response.statusCode ?? 0, text: read.toString(), cookies, bytes: read.length })
        })
        response.on('error', reject)
      })
      sent.on('error', reject)
      sent.end(body)
    })
}
