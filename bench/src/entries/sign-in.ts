import { Agent, request } from 'node:http'
import { type Product, startProduct, team } from '@countersign/e2e'
import secp256k1 from 'secp256k1'
import { SiweMessage } from 'siwe'
import { type Hex, hashMessage, hexToBytes } from 'viem'
import { privateKeyToAccount, publicKeyToAddress } from 'viem/accounts'
import type { Entry, Measurement } from '../entry.ts'
import { processSeconds } from '../load/process-time.ts'

const CHAIN_ID = 31337
const warmUp = 3_000
const signIns = 3_000
const parallel = 16
/** A whole sign-in is to be so many times as cheap as what `siwe` takes for the signature alone. */
const TIMES_SIWE = 5

/** Whole sign-ins through HTTP, and what their cryptography costs alone. */
export const signIn: Entry = {
  name: 'sign-in',
  about: 'sign-ins through HTTP, for each second that the server computes, beside the bare cryptography and `siwe`',
  async run() {
    await using product = await startProduct({ env: { COUNTERSIGN_RATE_LIMITS: 'off' } })
    const send = openClient(product.url)
    await signInMany(send, warmUp)
    const { asked, asking, verifying } = await signInMany(send, signIns, product)

    const sample = asked.slice(0, 1_000)
    const recoverAlone = rateOf(sample, ({ hash, signature }) => recover(hash, signature))
    const cryptography = rateOf(sample, ({ message, signature }) =>
      publicKeyToAddress(toHex(recover(hashMessage(message), signature))),
    )
    const siwe = await siweRate(sample.slice(0, 300))
    return [
      ...rows('message asked for (stage 1)', asking),
      ...rows('signature becomes a session (stage 3)', verifying, { what: 'siwe, bare', value: siwe }),
      { what: 'bare: hash, native recovery and address', value: cryptography, unit: '/s' },
      { what: 'bare: native recovery alone', value: recoverAlone, unit: '/s' },
      { what: 'siwe 3.0.0 on ethers 6: parse and verify, no nonce, no session', value: siwe, unit: '/s' },
    ]
  },
}

type Cost = { wall: number; server: number | null; postgres: number | null; count: number }

function rows(
  what: string,
  { wall, server, postgres, count }: Cost,
  peer?: { what: string; value: number },
): Measurement[] {
  const found: Measurement[] = [
    { what: `${what}: by the clock, client and database beside it`, value: count / wall, unit: '/s' },
  ]
  if (server !== null)
    found.push({
      what: `${what}: for each second of the server's core`,
      value: count / server,
      unit: '/s',
      ...(peer ? { peer, goal: { value: TIMES_SIWE * peer.value, isAtMost: false } } : {}),
    })
  if (postgres !== null)
    found.push({ what: `${what}: PostgreSQL`, value: (postgres / count) * 1e6, unit: 'µs of its core' })
  return found
}

type Asked = { message: string; signature: Hex; hash: Hex; cookie: string }
type Send = (path: string, body: unknown, cookie?: string) => Promise<{ body: string; cookies: string[] }>

async function signInMany(
  send: Send,
  count: number,
  product?: Product,
): Promise<{ asked: Asked[]; asking: Cost; verifying: Cost }> {
  const account = privateKeyToAccount(team.anna.privateKey)
  const messages: { message: string; cookie: string }[] = []
  const asking = await costOf(product, count, async (index) => {
    const { body, cookies } = await send('/api/session/message', { address: account.address, chainId: CHAIN_ID })
    const { message }: { message: string } = JSON.parse(body)
    messages[index] = { message, cookie: cookies[0]?.split(';')[0] ?? '' }
  })
  // Signing is the wallet's work: it is done while no clock runs.
  const asked: Asked[] = []
  for (const message of messages)
    asked.push({ ...message, hash: hashMessage(message.message), signature: await account.signMessage(message) })
  const verifying = await costOf(product, count, async (index) => {
    const request = asked[index]
    if (request) await send('/api/session', { message: request.message, signature: request.signature }, request.cookie)
  })
  return { asked, asking, verifying }
}

async function costOf(
  product: Product | undefined,
  count: number,
  once: (index: number) => Promise<void>,
): Promise<Cost> {
  const read = (name: string) => (product ? processSeconds(product.pid, name) : null)
  const before = { server: read('server.js'), postgres: read('postgres') }
  const started = performance.now()
  let next = 0
  const worker = async () => {
    for (let index = next++; index < count; index = next++) await once(index)
  }
  await Promise.all(Array.from({ length: parallel }, worker))
  const wall = (performance.now() - started) / 1_000
  const since = (name: 'server' | 'postgres', now: number | null) =>
    now === null || before[name] === null ? null : now - before[name]
  return { wall, count, server: since('server', read('server.js')), postgres: since('postgres', read('postgres')) }
}

/** As little client as possible: it shares the machine with what is measured. */
function openClient(url: string): Send {
  const { hostname, port, origin } = new URL(url)
  const agent = new Agent({ keepAlive: true, maxSockets: parallel })
  return (path, body, cookie) =>
    new Promise((resolve, reject) => {
      const text = JSON.stringify(body)
      const headers = {
        origin,
        host: new URL(url).host,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(text),
        ...(cookie ? { cookie } : {}),
      }
      const sent = request({ hostname, port, path, method: 'POST', agent, headers }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => {
          const answer = Buffer.concat(chunks).toString()
          if (response.statusCode === 200) resolve({ body: answer, cookies: response.headers['set-cookie'] ?? [] })
          else reject(new Error(`${path} answered ${response.statusCode}: ${answer}`))
        })
      })
      sent.on('error', reject)
      sent.end(text)
    })
}

function recover(hash: Hex, signature: Hex): Uint8Array {
  const bytes = hexToBytes(signature)
  return secp256k1.ecdsaRecover(bytes.subarray(0, 64), (bytes[64] ?? 27) - 27, hexToBytes(hash), false)
}

function toHex(bytes: Uint8Array): Hex {
  return `0x${Buffer.from(bytes).toString('hex')}`
}

async function siweRate(sample: readonly Asked[]): Promise<number> {
  const before = process.cpuUsage()
  for (const { message, signature } of sample) {
    const parsed = new SiweMessage(message)
    const { success } = await parsed.verify({ signature, domain: parsed.domain, nonce: parsed.nonce })
    if (!success) throw new Error('siwe refused a signature')
  }
  return perSecond(sample.length, before)
}

function rateOf<T>(sample: readonly T[], once: (item: T) => unknown): number {
  for (const item of sample) once(item)
  const before = process.cpuUsage()
  for (const item of sample) once(item)
  return perSecond(sample.length, before)
}

function perSecond(count: number, before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before)
  return (count / (user + system)) * 1e6
}
