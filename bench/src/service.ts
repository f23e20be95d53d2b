import {
  call,
  confirmTransaction,
  createApiToken,
  prepareSignIn,
  proposeTransaction,
  signIn,
} from '@countersign/contract'
import {
  addSafeByScript,
  newSafe,
  type Product,
  rpcUrlOf,
  type SafeAt,
  type ScriptOwner,
  scriptClient,
  signInByScript,
  signSafeTx,
  startProduct,
  team,
} from '@countersign/e2e'
import { hashSafeTx, newSafeTx } from '@countersign/safe-core'
import { type Hex, hashMessage, hexToBytes, recoverAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Entry, Measurement } from './entry.ts'
import { databaseOf, serverOf, startUsing } from './following.ts'
import { QUEUED, storeTransactions } from './stored.ts'
import { wireLists } from './wire-lists.ts'

const signIns = 200
const confirmations = 150
const lists = 100
const wireRequests = 100
const parallel = 8
/** How many transactions are stored while it is measured; `BENCH_STORED=1000` for one size. */
const sizes = (process.env.BENCH_STORED ?? '1000,100000,1000000').split(',').map(Number)

/** Requests through HTTP to a running product, beside the signature recovery that each of them has to contain. */
export const service: Entry = {
  name: 'service',
  about: 'sign-in, propose, confirm, lists and their filters with up to a million transactions of one Safe stored',
  async run() {
    const recoveries = await bareRecoveries()
    const lines = await measureSignIns(recoveries)
    for (const stored of sizes) lines.push(...(await measureStored(stored, recoveries)))
    return [...lines, { what: 'bare recovery without native code', value: recoveries.pure, unit: '/s' }]
  },
}

async function measureSignIns(recoveries: Rates): Promise<Measurement[]> {
  await using product = await startProduct({ env: { COUNTERSIGN_RATE_LIMITS: 'off' } })
  const { preparing, verifying } = await measureSignIn(product.url)
  return [
    line('sign in, stage 1: the message is asked for', preparing, recoveries),
    line('sign in, stage 3: the signature becomes a session', verifying, recoveries),
  ]
}

/** Everything that a transaction's way through the product asks for, with so many others stored. */
async function measureStored(stored: number, recoveries: Rates): Promise<Measurement[]> {
  await using product = await startProduct({ env: { COUNTERSIGN_RATE_LIMITS: 'off' } })
  const safe = await newSafe({ rpcUrl: rpcUrlOf(product), chainId: 31337, version: '1.4.1' })
  const anna = await signInByScript(product.url, team.anna.privateKey, 31337)
  const bruno = await signInByScript(product.url, team.bruno.privateKey, 31337)
  await addSafeByScript(anna, safe.safeAddress)
  await storeTransactions(databaseOf(product), safe, stored)

  const title = `${stored.toLocaleString('en')} stored`
  // The first writes of a process are those of its compiler.
  const first = await newSafe({ rpcUrl: rpcUrlOf(product), chainId: 31337, version: '1.4.1' })
  await addSafeByScript(anna, first.safeAddress)
  await measureWrites(product, anna, bruno, first)
  const written = await measureWrites(product, anna, bruno, safe)
  const lines = [
    ...linesOf(`${title}: propose`, written.proposing, recoveries, { core: 3 }),
    ...linesOf(`${title}: confirm`, written.confirming, recoveries, { core: 3 }),
  ]
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
    lines.push(...linesOf(`${title}: ${what}, alone`, alone, recoveries, { core: 3, p99: 20 }))
    lines.push(...linesOf(`${title}: ${what}, 8 at a time`, together, recoveries, { p99: 50 }))
  }
  for (const [what, path] of wireLists(safe, stored)) {
    // The first asks the node for tokens that it has not heard of.
    await read(path)
    const times = await timesOf(product, wireRequests, () => read(path), 1)
    lines.push(...linesOf(`${title}: ${what}`, times, recoveries, { p99: 50 }))
  }
  return lines
}

/** Milliseconds; of a core they are for each request, null where they are not known. */
type Times = { rate: number; p50: number; p99: number; server: number | null; postgres: number | null }

/** Times of a core stand beside a recovery of the same run, which another machine takes longer or shorter for as well. */
function linesOf(
  what: string,
  { rate, p50, p99, server, postgres }: Times,
  { pure }: Rates,
  goals: { core?: number; p99?: number },
): Measurement[] {
  const goal = (value: number | undefined) => (value === undefined ? {} : { goal: { value, isAtMost: true } })
  const peer = { what: 'bare recovery without native code', value: 1_000 / pure }
  const core = (name: string, value: number | null, most?: number): Measurement[] =>
    value === null ? [] : [{ what: `${what}: ${name}`, value, unit: 'ms', peer, ...goal(most) }]
  return [
    { what, value: rate, unit: '/s' },
    { what: `${what}: p50`, value: p50, unit: 'ms' },
    { what: `${what}: p99`, value: p99, unit: 'ms', ...goal(goals.p99) },
    ...core("the server's core", server, goals.core),
    ...core("PostgreSQL's core", postgres),
  ]
}

type Rates = { native: number | null; pure: number }

function line(what: string, value: number, { native, pure }: Rates): Measurement {
  return {
    what,
    value,
    unit: '/s',
    peer: { what: native ? 'bare recovery, native, one core' : 'bare recovery, one core', value: native ?? pure },
  }
}

async function measureSignIn(url: string): Promise<{ preparing: number; verifying: number }> {
  const account = privateKeyToAccount(team.anna.privateKey)
  // Signing is the wallet's work: it is done before the clock starts.
  const prepared = await inParallel(signIns, async () => {
    const options = scriptClient(url)
    const { message } = await call(options, prepareSignIn, { address: account.address, chainId: 31337 })
    return { options, message, signature: await account.signMessage({ message }) }
  })
  const preparing = await rateOf(signIns, () =>
    call(scriptClient(url), prepareSignIn, { address: account.address, chainId: 31337 }),
  )
  const verifying = await rateOf(signIns, async (index) => {
    const one = prepared[index]
    if (one) await call(one.options, signIn, { message: one.message, signature: one.signature })
  })
  return { preparing, verifying }
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
    const one = ready[index]
    if (one) await call(anna.options, proposeTransaction, one.proposal)
  })
  const confirming = await timesOf(product, confirmations, async (index) => {
    const one = ready[index]
    if (one) await call(bruno.options, confirmTransaction, one.confirmation)
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

async function bareRecoveries(): Promise<Rates> {
  const account = privateKeyToAccount(team.anna.privateKey)
  const hash = hashMessage('bench')
  const signature = await account.signMessage({ message: 'bench' })
  const pure = await rateOf(400, () => recoverAddress({ hash, signature }), 1)
  const native = await nativeRecover()
  return { pure, native: native ? await rateOf(5000, async () => native(hash, signature), 1) : null }
}

/** Loads the native code that the server uses, where it can. */
async function nativeRecover(): Promise<((hash: Hex, signature: Hex) => Uint8Array) | null> {
  try {
    const { default: secp256k1 } = await import('secp256k1')
    return (hash, signature) => {
      const bytes = hexToBytes(signature)
      return secp256k1.ecdsaRecover(bytes.slice(0, 64), (bytes[64] ?? 27) - 27, hexToBytes(hash), false)
    }
  } catch {
    return null
  }
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
