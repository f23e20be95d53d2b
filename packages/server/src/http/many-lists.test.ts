import { connect } from 'node:net'
import { addSafe, call, createApiToken, listQueue, proposeTransaction } from '@countersign/contract'
import { encodeMultiSend } from '@countersign/safe/calls'
import type { Address } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { alice, asAlice, bob, chainId, devnet, openScene, server } from '../test/scene.ts'
import {
  type Browser,
  devnetChain,
  eventually,
  newSafe,
  signedTx,
  signInAs,
  startTestServer,
  type TestServer,
} from '../test/test-server.ts'
import { usualAdmission } from './admission.ts'

/* Attempts of one account to keep the server busy with long lists. Each asks for many at a time, in another way. */

const PROPOSALS = 40
/** Answers that an account may be sent at once here: of a list of this file, about two. */
const BURST = 200_000
const MANY = 40

let safeAddress: Address

openScene([alice], () => ({ hasRateLimits: false }))

beforeAll(async () => {
  safeAddress = await newSafe(devnet.rpcUrl, { owners: [alice.address, bob.address] })
  await call(asAlice, addSafe, { chainId, address: safeAddress })
  const data = encodeMultiSend(Array.from({ length: 10 }, () => ({ to: bob.address, value: 1n, data: '0x' as const })))
  for (let nonce = 0n; nonce < PROPOSALS; nonce += 1n) {
    const signed = await signedTx(safeAddress, alice, { nonce, data })
    await call(asAlice, proposeTransaction, { chainId, safeAddress, ...signed })
  }
})

type Flood = { limited: TestServer; asMallory: Browser; token: string }
/** Asks in one way. @returns statuses of the answers, where they can be known */
type Attempt = (flood: Flood) => Promise<number[]>

const many = <result>(ask: (at: number) => Promise<result>): Promise<result[]> =>
  Promise.all(Array.from({ length: MANY }, (_, at) => ask(at)))
const queuePath = () => `/api/chains/${chainId}/safes/${safeAddress}/queue`
const wirePath = (list: string) => `/tx-service/${chainId}/api${list.replace('/S/', `/${safeAddress}/`)}`

async function statusOf(answer: Promise<Response>): Promise<number> {
  const response = await answer
  await response.arrayBuffer()
  return response.status
}

const byWire =
  (list: string, init: RequestInit = {}): Attempt =>
  ({ limited, token }) => {
    const headers = { authorization: `Bearer ${token}`, ...Object.fromEntries(new Headers(init.headers)) }
    return many(() => statusOf(fetch(`${limited.origin}${wirePath(list)}`, { ...init, headers })))
  }

async function createToken(as: Browser): Promise<string> {
  return (await call(as, createApiToken, { name: 'many lists', scopes: ['read'], expiresAt: null })).token
}

/** Sends requests without waiting for answers, over one connection. */
function sendTogether({ limited, token }: Flood, count: number): Promise<number[]> {
  const { port, host } = new URL(limited.origin)
  return new Promise((resolve) => {
    const socket = connect(Number(port), '127.0.0.1')
    let text = ''
    const statuses = () => [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status))
    socket.on('error', () => {})
    socket.on('close', () => resolve(statuses()))
    socket.on('data', (chunk) => {
      text += chunk
      if (statuses().length >= count) socket.end()
    })
    const head = `host: ${host}\r\nauthorization: Bearer ${token}\r\n`
    socket.write(`GET ${wirePath('/v2/safes/S/multisig-transactions/')} HTTP/1.1\r\n${head}\r\n`.repeat(count))
  })
}

describe('long lists, many at a time', () => {
  test.each<[string, Attempt]>([
    [
      'by one session',
      ({ limited, asMallory }) => many(() => statusOf(asMallory.fetch(`${limited.origin}${queuePath()}`))),
    ],
    [
      'by a session for each',
      async ({ limited }) => {
        const browsers = await Promise.all(Array.from({ length: 8 }, () => signInAs(limited, alice)))
        return many((at) => statusOf((browsers[at % 8] as Browser).fetch(`${limited.origin}${queuePath()}`)))
      },
    ],
    [
      'by several API tokens',
      async ({ limited, asMallory }) => {
        const tokens = await Promise.all(Array.from({ length: 6 }, () => createToken(asMallory)))
        return many((at) => {
          const headers = { authorization: `Bearer ${tokens[at % 6]}` }
          return statusOf(fetch(`${limited.origin}${queuePath()}`, { headers }))
        })
      },
    ],
    ['over the wire', byWire('/v2/safes/S/multisig-transactions/?limit=200')],
    ['over the wire, without what is signed', byWire('/v1/safes/S/multisig-transactions/?trusted=false&limit=200')],
    ['over the wire, in another order', byWire('/v2/safes/S/multisig-transactions/?ordering=created&limit=200')],
    ['of heads alone', byWire('/v2/safes/S/multisig-transactions/', { method: 'HEAD' })],
    [
      'which the client has already',
      async (flood) => {
        const headers = { authorization: `Bearer ${flood.token}` }
        const url = `${flood.limited.origin}${wirePath('/v2/safes/S/multisig-transactions/')}`
        const first = await fetch(url, { headers })
        await first.arrayBuffer()
        const tag = first.headers.get('etag') ?? ''
        return byWire('/v2/safes/S/multisig-transactions/', { headers: { 'if-none-match': tag } })(flood)
      },
    ],
    [
      'by a client that leaves before the answer',
      async ({ limited, token }) => {
        const headers = { authorization: `Bearer ${token}` }
        const url = `${limited.origin}${wirePath('/v2/safes/S/multisig-transactions/')}`
        await many(async () => {
          const leave = new AbortController()
          const asked = fetch(url, { headers, signal: leave.signal }).then(
            ({ status }) => status,
            () => 0,
          )
          setTimeout(() => leave.abort(), 30)
          return asked
        })
        return eventually(async () => {
          const status = await statusOf(fetch(url, { headers }))
          return status === 429 && [status]
        })
      },
    ],
    ['of which each is asked before the last is answered', (flood) => sendTogether(flood, 12)],
    [
      'of calldata that is decoded',
      byWire('/v1/data-decoder/', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          data: encodeMultiSend(Array.from({ length: 300 }, () => ({ to: bob.address, value: 1n, data: '0x' }))),
        }),
      }),
    ],
  ])('error: RATE_LIMITED: %s; another account is answered', async (_, attempt) => {
    const rates = { ...usualAdmission.rates, answers: { burst: BURST, perSecond: 0.001 } }
    const limited = await startTestServer({
      chains: [{ ...devnetChain(devnet.rpcUrl), txService: { publicReads: false } }],
      databaseUrl: server.databaseUrl,
      admission: { ...usualAdmission, rates },
    })
    try {
      const [asMallory, asBob] = [await signInAs(limited, alice), await signInAs(limited, bob)]
      const flood = attempt({ limited, asMallory, token: await createToken(asMallory) })
      const others = await call(asBob, listQueue, { chainId, safeAddress })
      expect(others.transactions.length).toBeGreaterThan(0)
      const statuses = await flood
      expect(statuses).toContain(429)
      // Those that run when the account has used all it may have are answered: six at a time.
      const answered = statuses.filter((status) => status < 400).length
      expect(answered).toBeLessThanOrEqual(3 + usualAdmission.lanes.reads.atOnceOfOne)
    } finally {
      await limited.stop()
    }
  })
})
