import { fork } from 'node:child_process'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import {
  addSafeByScript,
  newSafe,
  type Product,
  proposeByScript,
  rpcUrlOf,
  type SafeAt,
  type ScriptOwner,
  signInByScript,
  startProduct,
  team,
} from '@countersign/e2e'
import { type Address, encodeFunctionData, encodePacked, type Hex, parseAbi, size } from 'viem'
import { type Measurement, median } from '../entry.ts'

const CHAIN_ID = 31337
/** Duration of each measurement. `BENCH_SECONDS=3` makes a quick one. */
const SECONDS = Math.min(Number(process.env.BENCH_SECONDS ?? 10), 10)
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
/** Attacks to measure: those whose description contains this. */
const ATTACKS = process.env.BENCH_ATTACKS ?? ''
/** Time between two rounds of the innocent account: one read and one node request. */
const LOOK_MS = 50
/** Every fifth round also writes, so that the innocent account stays below its limit of writes. */
const WRITE_EACH = 5
const NODE_MS = 6_000
/** Account that makes the node slow for each request that names it, and for no other request. */
const SLOW = `0x${'51'.repeat(20)}` as const
const LISTED = 20
const LISTED_BYTES = 100_000

/** Waits of the innocent account in milliseconds, by kind of request. */
type Waits = Record<'reads' | 'writes' | 'node calls', number[]>

type Sent = { path: string; method?: string; body?: string; from?: string; headers?: Record<string, string> }
/** Requests that the attacker sends in turn, and how many are open at a time. */
type Attack = { what: string; atOnce: number; requests: Sent[] }
type Task =
  | { role: 'burner' }
  | { role: 'attacker'; url: string; attack: Attack }
  | { role: 'innocent'; url: string; cookie: string; safe: SafeAt }
  | { role: 'node'; url: string }

/**
 * Measures how long an innocent account waits during each worst-case attack, and compares this with its wait while a plain processor
 * load runs instead. Each account is a separate process.
 */
export async function besideAttacker(): Promise<Measurement[]> {
  await using chain = await startProduct()
  const node = await load({ role: 'node', url: rpcUrlOf(chain) })
  try {
    node.begin()
    const nodeUrl = String(await node.next())
    await using product = await startProduct({
      configuration: { chains: [{ chainId: CHAIN_ID, name: 'Slow for some', rpcUrls: [nodeUrl], startBlock: 0 }] },
      env: { COUNTERSIGN_TRUSTED_PROXIES: '127.0.0.1,::1' },
    })
    const { attacks, innocent } = await open(product, rpcUrlOf(chain))
    const lines: Measurement[] = []
    for (const attack of attacks.filter(({ what }) => what.includes(ATTACKS))) {
      const found: { burner: Waits; attacker: Waits }[] = []
      for (let round = 0; round < ROUNDS; round += 1) {
        const burner = await look(innocent, { role: 'burner' })
        found.push({ burner, attacker: await look(innocent, { role: 'attacker', url: product.url, attack }) })
      }
      for (const kind of ['reads', 'writes', 'node calls'] as const) {
        const [beside, value] = (['burner', 'attacker'] as const).map((role) =>
          median(found.map((round) => p95(round[role][kind]))),
        ) as [number, number]
        lines.push({
          what: `${attack.what}: ${kind} of another, p95`,
          value,
          unit: 'ms',
          peer: { what: 'beside a burner', value: beside },
          goal: { value: 2 * beside, isAtMost: true },
        })
      }
    }
    return lines
  } finally {
    node.child.kill()
  }
}

async function look(innocent: Task, other: Task): Promise<Waits> {
  const [busy, looking] = await Promise.all([load(other), load(innocent)])
  for (const { begin } of [busy, looking]) begin()
  await new Promise((resolve) => setTimeout(resolve, SECONDS * 1_000))
  const ended = looking.next()
  looking.child.send('end')
  const waits = (await ended) as Waits
  busy.child.kill()
  return waits
}

/** Starts a process and waits until it has loaded its code, so that this is not measured. */
async function load(task: Task) {
  const child = fork(fileURLToPath(import.meta.url), { execArgv: process.execArgv })
  const exited = new Promise<never>((_, reject) =>
    child.once('exit', (code) => reject(new Error(`the process of the ${task.role} ended with ${code}`))),
  )
  exited.catch(() => {})
  const next = () => Promise.race([exited, new Promise<unknown>((resolve) => child.once('message', resolve))])
  await next()
  return { child, next, begin: () => void child.send(task) }
}

async function open(product: Product, rpcUrl: string): Promise<{ attacks: Attack[]; innocent: Task }> {
  const [hostile, other] = [
    await signInByScript(product.url, team.anna.privateKey, CHAIN_ID),
    await signInByScript(product.url, team.bruno.privateKey, CHAIN_ID),
  ]
  const safe = await newSafe({ rpcUrl, chainId: CHAIN_ID, version: '1.4.1' })
  for (const owner of [hostile, other]) await addSafeByScript(owner, safe.safeAddress)
  const ofOther = await newSafe({ rpcUrl, chainId: CHAIN_ID, version: '1.4.1' })
  await addSafeByScript(other, ofOther.safeAddress)
  const data: Hex = `0x${'ab'.repeat(LISTED_BYTES)}`
  await inTurn(LISTED, (at) => proposeByScript(hostile, safe, { to: SLOW, nonce: 0n, value: BigInt(at), data }))
  const deleted = await inTurn(100, (at) => proposeByScript(hostile, safe, { to: SLOW, nonce: 1n, value: BigInt(at) }))
  const hashes = deleted.map(({ safeTxHash }) => safeTxHash)
  return {
    attacks: attacksOf({ hostile, other, safe, hashes }),
    innocent: { role: 'innocent', url: product.url, cookie: cookieOf(other), safe: ofOther },
  }
}

async function inTurn<Made>(count: number, make: (at: number) => Promise<Made>): Promise<Made[]> {
  const made: Made[] = []
  for (let at = 0; at < count; at += 1) made.push(await make(at))
  return made
}

type Means = { hostile: ScriptOwner; other: ScriptOwner; safe: SafeAt; hashes: Hex[] }

function attacksOf({ hostile, other, safe, hashes }: Means): Attack[] {
  const headers = { cookie: cookieOf(hostile) }
  const place = `/api/chains/${CHAIN_ID}/safes/${safe.safeAddress}`
  const ask = (...params: unknown[]): Sent => ({
    path: `/api/chains/${CHAIN_ID}/rpc`,
    headers,
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_call', params }),
  })
  const wrong = { safeMessageHash: `0x${'1'.repeat(64)}`, signature: `0x${'1'.repeat(130)}` }
  const texts = { l: Array.from({ length: 3_000 }, (_, at) => `text${at}`) }
  const types = { EIP712Domain: [], M: [{ name: 'l', type: 'string[]' }] }
  const content = JSON.stringify({ domain: {}, types, primaryType: 'M', message: texts })
  // JUMPDEST PUSH1 0 JUMP: an endless loop.
  const endless = { [SLOW]: { code: '0x5b600056' } }
  return [
    { what: 'slow node calls', atOnce: 32, requests: [ask({ to: SLOW, data: '0x' }, 'latest')] },
    {
      what: 'code instead of an account',
      atOnce: 32,
      requests: [ask({ to: SLOW, gas: '0x1c9c380' }, 'latest', endless)],
    },
    {
      what: 'typed data of 3,000 texts',
      atOnce: 4,
      requests: [{ path: `${place}/messages`, headers, body: JSON.stringify({ content, ...wrong }) }],
    },
    {
      what: 'lists of 2 MB, 16 at a time',
      atOnce: 16,
      requests: [{ path: `${place}/queue?limit=100`, headers }],
    },
    {
      what: 'proof packs that are refused',
      atOnce: 16,
      requests: [
        {
          path: `${place}/transactions/${wrong.safeMessageHash}/packs`,
          headers,
          body: JSON.stringify({ text: 'x'.repeat(790_000) }),
        },
      ],
    },
    {
      what: 'messages to sign for its address, 1,000 networks',
      atOnce: 64,
      requests: Array.from({ length: 1_000 }, (_, at) => ({
        path: '/api/session/message',
        from: `10.0.${at >> 8}.${at & 255}`,
        body: JSON.stringify({ address: other.account.address, chainId: CHAIN_ID }),
      })),
    },
    {
      what: 'deletion of proposals',
      atOnce: 16,
      requests: hashes.map((hash) => ({
        path: `/api/chains/${CHAIN_ID}/transactions/${hash}`,
        method: 'DELETE',
        headers,
      })),
    },
    {
      what: 'poisoned bytes of a multiSend',
      atOnce: 16,
      requests: [{ path: `${place}/transactions`, headers, body: JSON.stringify(poisoned(hostile.account.address)) }],
    },
  ]
}

/** Builds a batch of as many calls as fit into a proposal. The last call is truncated. */
function poisoned(sender: Address): Record<string, unknown> {
  const one = encodePacked(
    ['uint8', 'address', 'uint256', 'uint256', 'bytes'],
    [0, SLOW, 0n, BigInt(size('0xa9059cbb')), '0xa9059cbb'],
  ).slice(2)
  const data = encodeFunctionData({
    abi: parseAbi(['function multiSend(bytes transactions)']),
    args: [`0x${one.repeat(1_400)}${one.slice(0, 20)}`],
  })
  const fields = { safeTxGas: '0', baseGas: '0', gasPrice: '0', gasToken: ZERO, refundReceiver: ZERO, nonce: '3' }
  const safeTx = { to: '0x38869bf66a61cF6bDB996A6aE40D5853Fd43B526', value: '0', data, operation: 1, ...fields }
  return { safeTx, safeTxHash: `0x${'1'.repeat(64)}`, sender, signature: `0x${'1'.repeat(130)}` }
}

const ZERO = `0x${'0'.repeat(40)}`

function cookieOf({ cookies }: ScriptOwner): string {
  return [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
}

function p95(waits: readonly number[]): number {
  const sorted = waits.toSorted((one, another) => one - another)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.95))] ?? 0
}

/** Sends one request and reads its answer to the end. @returns the milliseconds that it took */
function send(url: string, { path, method, body, from = '198.51.100.9', headers = {} }: Sent): Promise<number> {
  const started = performance.now()
  const length =
    body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  const all = { origin: new URL(url).origin, 'x-forwarded-for': from, ...length, ...headers }
  return new Promise((resolve) => {
    const done = () => resolve(performance.now() - started)
    const sent = request(
      new URL(path, url),
      { method: method ?? (body === undefined ? 'GET' : 'POST'), headers: all },
      (response) => void response.resume().on('end', done).on('error', done),
    )
    sent.on('error', done).end(body)
  })
}

async function beInnocent({ url, cookie, safe }: Extract<Task, { role: 'innocent' }>): Promise<void> {
  const waits: Waits = { reads: [], writes: [], 'node calls': [] }
  let isOver = false
  process.once('message', () => {
    isOver = true
  })
  const place = `/api/chains/${CHAIN_ID}/safes/${safe.safeAddress}`
  const by = { headers: { cookie }, from: '192.0.2.7' }
  for (let at = 0; !isOver; at += 1) {
    const name = { address: `0x${String(at % 50).padStart(40, '0')}`, name: `Name ${at}` }
    const block = { jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] }
    waits.reads.push(await send(url, { ...by, path: `${place}/queue` }))
    if (at % WRITE_EACH === 0)
      waits.writes.push(await send(url, { ...by, path: `${place}/names`, body: JSON.stringify(name) }))
    waits['node calls'].push(
      await send(url, { ...by, path: `/api/chains/${CHAIN_ID}/rpc`, body: JSON.stringify(block) }),
    )
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
  process.send?.(waits, () => process.disconnect())
}

async function beAttacker({ url, attack }: Extract<Task, { role: 'attacker' }>): Promise<void> {
  let at = 0
  const goOn = async () => {
    for (;;) {
      const next = attack.requests[at++ % attack.requests.length]
      if (next) await send(url, next)
    }
  }
  await Promise.all(Array.from({ length: attack.atOnce }, goOn))
}

function burn(): void {
  for (let sum = 0; ; sum += 1) if (sum > Number.MAX_SAFE_INTEGER) return
}

/** Proxies the node, and delays requests that name a certain account. */
async function beNode({ url }: Extract<Task, { role: 'node' }>): Promise<void> {
  const server = createServer(async (incoming, outgoing) => {
    const body = (await incoming.toArray()).join('')
    if (body.toLowerCase().includes(SLOW)) await new Promise((resolve) => setTimeout(resolve, NODE_MS))
    const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    outgoing.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
}

function act(task: Task): Promise<void> | void {
  if (task.role === 'burner') return burn()
  if (task.role === 'attacker') return beAttacker(task)
  return task.role === 'node' ? beNode(task) : beInnocent(task)
}

if (process.send) {
  process.once('message', (task) => void act(task as Task))
  process.send('ready')
}
