import { statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { call, confirmTransaction, createApiToken, proposeTransaction } from '@countersign/contract'
import {
  addSafeByScript,
  newSafe,
  type Product,
  rpcUrlOf,
  type SafeAt,
  type ScriptOwner,
  signInByScript,
  signSafeTx,
  startProduct,
  team,
} from '@countersign/e2e'
import { hashSafeTx, newSafeTx } from '@countersign/safe'
import { hashMessage, recoverAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { databaseOf, serverOf, startUsing } from '../chain/following.ts'
import type { Entry, Measurement } from '../entry.ts'
import { QUEUED, storeTransactions } from '../load/stored.ts'
import { wireLists } from '../load/wire-lists.ts'

const confirmations = 150
/** Each has as many writes as what is measured, of a Safe of its own. */
const WARM_UP_ROUNDS = 6
const lists = 100
const wireRequests = 100
const parallel = 8
/** Each stored transaction takes some 4 kB with its indexes, and the database's log comes on top. */
const BYTES_OF_STORED = 6_000
/** How many transactions are stored while it is measured; `BENCH_STORED=1000` for one size. */
const sizes = (process.env.BENCH_STORED ?? '1000,1000000').split(',').map(Number)

/** Requests through HTTP to a running product, beside the signature recovery that each of them has to contain. */
export const service: Entry = {
  name: 'service',
  about: 'propose, confirm, lists and their filters with up to a million transactions of one Safe stored',
  async run() {
    const recoveries = await bareRecoveries()
    const lines: Measurement[] = []
    for (const stored of sizes) lines.push(...(await measureStored(stored, recoveries)))
    return [...lines, { what: 'bare recovery without native code', value: recoveries, unit: '/s' }]
  },
}

/** Everything that a transaction's way through the product asks for, with so many others stored. */
async function measureStored(stored: number, recoveries: number): Promise<Measurement[]> {
  requireSpace(stored)
  await using product = await startProduct({ env: { COUNTERSIGN_RATE_LIMITS: 'off' } })
  const safe = await newSafe({ rpcUrl: rpcUrlOf(product), chainId: 31337, version: '1.4.1' })
  const anna = await signInByScript(product.url, team.anna.privateKey, 31337)
  const bruno = await signInByScript(product.url, team.bruno.privateKey, 31337)
  await addSafeByScript(anna, safe.safeAddress)
  const title = `${stored.toLocaleString('en')} stored`
  const begun = performance.now()
  const tell = (what: string) =>
    console.log(`  ${title}: ${Math.round((performance.now() - begun) / 1_000)} s, ${what}`)
  await storeTransactions(databaseOf(product), safe, stored)
  tell('rows are there')

  // The first writes of a process are those of its compiler: a server that runs for days has none of them.
  for (let round = 0; round < WARM_UP_ROUNDS; round++) {
    const other = await newSafe({ rpcUrl: rpcUrlOf(product), chainId: 31337, version: '1.4.1' })
    await addSafeByScript(anna, other.safeAddress)
    await measureWrites(product, anna, bruno, other)
  }
  const written = await measureWrites(product, anna, bruno, safe)
  const lines = [
    ...linesOf(`${title}: propose`, written.proposing, recoveries, { core: 1.5 }),
    ...linesOf(`${title}: confirm`, written.confirming, recoveries, { core: 1.5 }),
  ]
  tell('written')
  const { token } = await call(anna.options, createApiToken, { name: 'bench', scopes: ['read'], expiresAt: null })
  const read = async (path: string) => {
    const response = await fetch(`${product.url}${path}`, { headers: { authorization: `Bearer ${token}` } })
    await response.arrayBuffer()
    if (!response.ok) throw new Error(`\`${path}\` answered ${response.status}`)
  }
  for (const [what, list] of [
    [`list the queue (50 of ${QUEUED})`, 'queue'],
    ['list the history (50)', 'history'],
  ] as const) {
    const once = () => read(`/api/chains/${safe.chainId}/safes/${safe.safeAddress}/${list}?limit=50`)
    const alone = await timesOf(product, lists, once, 1)
    const together = await timesOf(product, lists, once)
    lines.push(...linesOf(`${title}: ${what}, alone`, alone, recoveries, { core: 1.5, p99: 10 }))
    lines.push(...linesOf(`${title}: ${what}, 8 at a time`, together, recoveries, { p99: 25 }))
  }
  tell('own lists read')
  for (const [what, path] of wireLists(safe, stored)) {
    // The first asks the node for tokens that it has not heard of.
    await read(path)
    const times = await timesOf(product, wireRequests, () => read(path), 1)
    lines.push(...linesOf(`${title}: ${what}`, times, recoveries, { p99: 25 }))
  }
  return lines
}

/** A disk that fills in the middle ends every program that writes to it. */
function requireSpace(stored: number): void {
  const { bavail, bsize } = statfsSync(tmpdir())
  const [free, needed] = [bavail * bsize, stored * BYTES_OF_STORED]
  if (free >= needed) return
  const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`
  throw new Error(
    `\`${tmpdir()}\` has ${gigabytes(free)} free, and ${stored} transactions take ${gigabytes(needed)}. ` +
      'Set TMPDIR to a folder with more room, or BENCH_STORED to fewer transactions.',
  )
}

/** Milliseconds; of a core they are for each request, null where they are not known. */
type Times = { rate: number; p50: number; p99: number; server: number | null; postgres: number | null }

/**
 * Times stand beside a recovery of the same run, which another machine takes longer or shorter for as well.
 *
 * @param goals in recoveries: 1.5, 10 and 25 are 3, 20 and 50 ms where one takes 2 ms
 */
function linesOf(
  what: string,
  { rate, p50, p99, server, postgres }: Times,
  recoveries: number,
  goals: { core?: number; p99?: number },
): Measurement[] {
  const recovery = 1_000 / recoveries
  const goal = (most: number | undefined) =>
    most === undefined ? {} : { goal: { value: most * recovery, isAtMost: true } }
  const peer = { what: 'bare recovery without native code', value: recovery }
  const core = (name: string, value: number | null, most?: number): Measurement[] =>
    value === null ? [] : [{ what: `${what}: ${name}`, value, unit: 'ms', peer, ...goal(most) }]
  return [
    { what, value: rate, unit: '/s' },
    { what: `${what}: p50`, value: p50, unit: 'ms' },
    { what: `${what}: p99`, value: p99, unit: 'ms', peer, ...goal(goals.p99) },
    ...core("the server's core", server, goals.core),
    ...core("PostgreSQL's core", postgres),
  ]
}

async function measureWrites(
  product: Product,
  anna: ScriptOwner,
  bruno: ScriptOwner,
  safe: SafeAt,
): Promise<{ proposing: Times; confirming: Times }> {
  const { chainId, safeAddress } = safe
  const account = privateKeyToAccount(team.bruno.privateKey)
  // Signing is the wallet's work: it is done before the clock starts.
  const ready = await inParallel(confirmations, async (index) => {
    const safeTx = newSafeTx({ to: team.stranger.address, nonce: BigInt(index) })
    const { safeTxHash } = hashSafeTx({ ...safe, safeTx })
    const [signature, second] = await Promise.all([
      signSafeTx(anna.account, safe, safeTx),
      signSafeTx(account, safe, safeTx),
    ])
    const proposal = { chainId, safeAddress, safeTx, safeTxHash, sender: anna.account.address, signature }
    return { proposal, confirmation: { chainId, safeTxHash, signature: second } }
  })
  const proposing = await timesOf(product, confirmations, async (index) => {
    const proposed = ready[index]
    if (proposed) await call(anna.options, proposeTransaction, proposed.proposal)
  })
  const confirming = await timesOf(product, confirmations, async (index) => {
    const confirmed = ready[index]
    if (confirmed) await call(bruno.options, confirmTransaction, confirmed.confirmation)
  })
  return { proposing, confirming }
}

/** How many a second, eight at a time if not said otherwise, how long one takes, and of which core. */
async function timesOf(
  product: Product,
  count: number,
  once: (index: number) => Promise<unknown>,
  width = parallel,
): Promise<Times> {
  const took: number[] = []
  const used = startUsing(serverOf(product))
  const rate = await rateOf(
    count,
    async (index) => {
      const started = performance.now()
      await once(index)
      took.push(performance.now() - started)
    },
    width,
  )
  const { indexer: server, postgres } = used()
  const each = (seconds: number | null) => (seconds === null ? null : (seconds * 1_000) / count)
  took.sort((a, b) => a - b)
  const at = (part: number) => took[Math.ceil(took.length * part) - 1] ?? 0
  return { rate, p50: at(0.5), p99: at(0.99), server: each(server), postgres: each(postgres) }
}

/** Recoveries for each second of a core, without native code: as a page does them. */
async function bareRecoveries(): Promise<number> {
  const count = 400
  const hash = hashMessage('bench')
  const signature = await privateKeyToAccount(team.anna.privateKey).signMessage({ message: 'bench' })
  const recoverSome = async () => {
    for (let at = 0; at < count; at += 1) await recoverAddress({ hash, signature })
  }
  await recoverSome()
  const before = process.cpuUsage()
  await recoverSome()
  const { user, system } = process.cpuUsage(before)
  return (count / (user + system)) * 1e6
}

async function rateOf(count: number, once: (index: number) => Promise<unknown>, width = parallel): Promise<number> {
  const started = performance.now()
  await inParallel(count, once, width)
  return count / ((performance.now() - started) / 1000)
}

async function inParallel<T>(count: number, once: (index: number) => Promise<T>, width = parallel): Promise<T[]> {
  const results: T[] = new Array(count)
  let next = 0
  async function worker(): Promise<void> {
    for (let index = next++; index < count; index = next++) results[index] = await once(index)
  }
  await Promise.all(Array.from({ length: width }, worker))
  return results
}
