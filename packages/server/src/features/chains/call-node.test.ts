import { addSafe, type ClientOptions, call, callNode, createApiToken } from '@countersign/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { alice, bob, chainId, devnet, openChain } from '../../test/scene.ts'
import { type Answer, type Asked, type ScriptedNode, startScriptedNode } from '../../test/scripted-node.ts'
import {
  type Browser,
  codeOf,
  devnetChain,
  eventually,
  newSafe,
  signInAs,
  startTestServer,
  type TestServer,
} from '../../test/test-server.ts'

/** Address for which the node does not answer until the test releases it. */
const endless = '0x4444444444444444444444444444444444444444'
const run = { to: endless, data: '0x' }
const overrides = { [endless]: { code: '0x5b600056' } }
/** The proxy passes ids on as they are. The server numbers its own questions from 1, and may ask at any moment. */
const FIRST_PASSED_ID = 1_000_000_000

openChain()

let node: ScriptedNode
let server: TestServer
let mallory: Browser
let anna: Browser
/** Open exchanges of the node. */
const held = new Set<() => void>()
beforeAll(async () => {
  node = await startScriptedNode(devnet.rpcUrl, async (asked, truth): Promise<Answer[]> => {
    if (!isSlow(asked)) return truth()
    await new Promise<void>((resolve) => held.add(resolve))
    return asked.map(({ id }) => ({ jsonrpc: '2.0', id, result: '0x' }))
  })
  server = await startTestServer({ chains: [devnetChain(node.url)], hasRateLimits: false })
  ;[mallory = mallory, anna = anna] = await Promise.all([alice, bob].map((account) => signInAs(server, account)))
})
beforeEach(() => {
  node.exchanges.length = 0
})
afterAll(async () => {
  await server?.stop()
  await node?.close()
})

type Body = { method: string; params: unknown[] }

function asRequest(body: Body, at = 0) {
  return { jsonrpc: '2.0' as const, id: FIRST_PASSED_ID + at, ...body }
}

function send(as: ClientOptions, bodies: Body | Body[], signal?: AbortSignal): Promise<string> {
  const body = Array.isArray(bodies) ? bodies.map(asRequest) : asRequest(bodies)
  const abortable: ClientOptions = signal
    ? { ...as, fetch: (input, init) => (as.fetch ?? fetch)(input, { ...init, signal }) }
    : as
  return codeOf(call(abortable, callNode, { chainId, body }))
}

function isPassed(asked: readonly Asked[]): boolean {
  return asked.some(({ id }) => id >= FIRST_PASSED_ID)
}

function isSlow(asked: readonly Asked[]): boolean {
  return isPassed(asked) && JSON.stringify(asked).includes(endless.slice(2))
}

function reached(): Asked[][] {
  return node.exchanges.filter(isSlow)
}

/** Releases the open exchanges and all later ones. */
async function letGo(sent: readonly Promise<unknown>[]): Promise<void> {
  const timer = setInterval(() => {
    for (const go of held) go()
    held.clear()
  }, 5)
  await Promise.all(sent)
  clearInterval(timer)
}

/** Requests that wait for a node, and for their turn to do so. */
async function requestsAtNodes(): Promise<{ running: number; waiting: number }> {
  const metrics = await (await fetch(`${server.origin}/metrics`)).text()
  const gauge = (name: string) => Number(metrics.match(new RegExp(`^${name}{lane="node"} (\\d+)`, 'm'))?.[1])
  return { running: gauge('countersign_requests_running'), waiting: gauge('countersign_requests_waiting') }
}

async function createToken(as: Browser): Promise<ClientOptions> {
  const { token } = await call(as, createApiToken, { name: 'script', scopes: ['read'], expiresAt: null })
  return { baseUrl: server.origin, headers: { authorization: `Bearer ${token}` } }
}

const one = (method: string, ...params: unknown[]): Body => ({ method, params })
const many = (count: number, body: Body) => Array.from({ length: count }, () => body)

describe('one account and a slow node', () => {
  test.each<[string, () => Promise<string>[]]>([
    ['six runs', () => many(6, one('eth_call', run, 'latest')).map((body) => send(mallory, body))],
    ['forty', () => many(40, one('eth_call', run, 'latest', overrides)).map((body) => send(mallory, body))],
    ['batches', () => Array.from({ length: 6 }, () => send(mallory, many(100, one('eth_call', run, 'latest'))))],
    ['estimates', () => many(12, one('eth_estimateGas', run)).map((body) => send(mallory, body))],
    [
      'simulations',
      () => many(12, one('eth_simulateV1', { blockStateCalls: [{ calls: [run] }] })).map((body) => send(mallory, body)),
    ],
    [
      'logs',
      () => many(12, one('eth_getLogs', { address: endless, fromBlock: '0x0' })).map((body) => send(mallory, body)),
    ],
    ['access lists', () => many(12, one('eth_createAccessList', run, 'latest')).map((body) => send(mallory, body))],
    ['proofs', () => many(12, one('eth_getProof', endless, ['0x0'], 'latest')).map((body) => send(mallory, body))],
    ['balances', () => many(12, one('eth_getBalance', endless, 'latest')).map((body) => send(mallory, body))],
    ['transactions', () => many(12, one('eth_sendRawTransaction', endless)).map((body) => send(mallory, body))],
  ])('behavior: %s take a share of its places, and others are asked meanwhile', async (_, attack) => {
    const sent = attack()
    await eventually(async () => held.size >= 2)
    expect(await send(anna, one('eth_call', { to: alice.address, data: '0x' }, 'latest'))).toBe('no error')
    const safeAddress = await newSafe(devnet.rpcUrl)
    expect(await codeOf(call(anna, addSafe, { chainId, address: safeAddress }))).toBe('no error')
    expect(held.size).toBe(2)
    expect(reached()).toHaveLength(2)
    await letGo(sent)
  })

  test('behavior: sessions and API tokens of one account share its limit', async () => {
    const ways = [mallory, await signInAs(server, alice), await createToken(mallory), await createToken(mallory)]
    const sent = ways.flatMap((as) => many(4, one('eth_call', run, 'latest')).map((body) => send(as, body)))
    await eventually(async () => held.size >= 2)
    expect(await send(anna, one('eth_blockNumber'))).toBe('no error')
    expect(reached()).toHaveLength(2)
    await letGo(sent)
  })

  test('behavior: a client that leaves gives back its place, and its waiting requests reach no node', async () => {
    const [begun, waiting] = [new AbortController(), new AbortController()]
    const ask = (count: number, { signal }: AbortController) =>
      many(count, one('eth_call', { ...run, gas: '0x5208' }, 'latest')).map((body) => send(mallory, body, signal))
    const sent = ask(2, begun)
    await eventually(async () => held.size >= 2)
    sent.push(...ask(6, waiting))
    await eventually(async () => (await requestsAtNodes()).waiting === 5)
    waiting.abort()
    await eventually(async () => (await requestsAtNodes()).running === 2)
    begun.abort()
    await Promise.all(sent)
    // Its next questions are asked although the node has not let go of the first.
    const next = many(2, one('eth_getCode', endless, 'latest')).map((body) => send(mallory, body))
    await eventually(async () => held.size >= 4)
    expect(reached().map(([asked]) => asked?.method)).toEqual(['eth_call', 'eth_call', 'eth_getCode', 'eth_getCode'])
    await letGo(next)
  })

  test('behavior: calls above a limit do not reach the node, and the rest of the batch does', async () => {
    const body = [
      one('eth_getLogs', { fromBlock: '0x0', toBlock: '0xfffffff', address: many(1_001, one('')) }),
      one('eth_simulateV1', { blockStateCalls: many(9, one('')) }),
      one('eth_call', { to: alice.address, gas: '0xfffffffffff' }, 'latest'),
    ].map(asRequest)
    expect(await call(anna, callNode, { chainId, body })).toMatchObject([
      { id: FIRST_PASSED_ID + 2, result: '0x' },
      { id: FIRST_PASSED_ID, error: { code: -32602 } },
      { id: FIRST_PASSED_ID + 1, error: { code: -32602 } },
    ])
    expect(node.exchanges.filter(isPassed)).toMatchObject([
      [{ method: 'eth_call', params: [{ gas: '0x1c9c380' }, 'latest'] }],
    ])
  })
})
