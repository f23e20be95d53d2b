import { TimeoutError } from 'viem'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ChainSettings } from '../config/chains.ts'
import { type Asked, type ScriptedNode, startScriptedNode } from '../test/scripted-node.ts'
import { devnetChain, eventually } from '../test/test-server.ts'
import { askContract } from './ask-contract.ts'
import { type Chain, createChains } from './clients.ts'
import { chainsOfOneRequest } from './one-request.ts'
import { patient } from './patient.ts'

const to = '0x4444444444444444444444444444444444444444'
const settled = () => new Promise((resolve) => setTimeout(resolve, 30))

let node: ScriptedNode
let chain: Chain
/** Open exchanges of the node, with the function that releases each. */
let held: { asked: readonly Asked[]; go: () => void }[]
let sent: Promise<unknown>[]
beforeEach(async () => {
  held = []
  sent = []
  node = await startScriptedNode('http://127.0.0.1:1', async (asked) => {
    await new Promise<void>((go) => held.push({ asked, go }))
    return asked.map(({ id, method }) => ({ jsonrpc: '2.0', id, result: method === 'eth_chainId' ? '0x7a69' : '0x01' }))
  })
  chain = chainAt(node.url)
})
afterEach(async () => {
  const timer = setInterval(() => {
    for (const { go } of held) go()
  }, 5)
  await Promise.allSettled(sent)
  clearInterval(timer)
  await node.close()
})

function chainAt(url: string, settings: Partial<ChainSettings> = {}): Chain {
  const found = createChains([{ ...devnetChain(url), ...settings }]).get(31337)
  if (!found) throw new Error('unreachable')
  return found
}

function send(work: Promise<unknown>): void {
  sent.push(work.catch(() => null))
}

/** The chain in a request of an account, or of a network without a session. */
function chainOf(key: string): Chain {
  const found = chainsOfOneRequest(new Map([[31337, chain]]), { key }).get(31337)
  if (!found) throw new Error('unreachable')
  return found
}

/** Sends each request in a separate batch, because requests of one turn share a batch. */
async function sendEach(count: number, work: () => Promise<unknown>): Promise<void> {
  for (let at = 0; at < count; at += 1) {
    send(work())
    await settled()
  }
}

/** Returns the chain as its follower uses it, with two nodes that have to agree. */
function agreed(): Chain {
  if (!chain.settings.agreement) chain = chainAt(node.url, { rpcUrls: [node.url, `${node.url}/other`], agreement: 2 })
  return patient(chain, () => false)
}

const range = { fromBlock: 1, toBlock: 1, toHash: '0x01' } as const
const isAsked = (method: string) => held.some(({ asked }) => asked.some((call) => call.method === method))
const ask = (of: Pick<Chain, 'request'>, method: string) => of.request({ method, params: [to] })
const question = { from: to, to, data: '0x', gas: '0x5208' } as const

/** Releases whatever the node holds, until the returned function is called. */
function answering(): () => void {
  const timer = setInterval(() => {
    for (const { go } of held) go()
  }, 5)
  return () => clearInterval(timer)
}

describe('questions to contracts', () => {
  test('behavior: those beyond the places of a client wait for their turn', async () => {
    const asked = Array.from({ length: 20 }, () => askContract(chainOf('mallory'), question, '0x1'))
    const stop = answering()
    expect(await Promise.all(asked)).toEqual(asked.map(() => ({ kind: 'answer', data: '0x01' })))
    stop()
  })

  test('behavior: a client with too many waiting questions is refused', async () => {
    const asked = Array.from({ length: 1_000 }, () => askContract(chainOf('mallory'), question, '0x1'))
    const refused = await Promise.race(asked)
    expect(refused).toMatchObject({ kind: 'unavailable', cause: { code: 'OVERLOADED' } })
    const stop = answering()
    const kinds = (await Promise.all(asked)).map(({ kind }) => kind)
    stop()
    expect(kinds.filter((kind) => kind === 'answer').length).toBeLessThanOrEqual(208)
  })

  test('behavior: a chain whose node hangs does not keep a question about another chain waiting', async () => {
    for (const key of ['a', 'b', 'c', 'd', 'e'])
      for (let at = 0; at < 8; at += 1) send(askContract(chainOf(key), question, '0x1'))
    const other = await startScriptedNode('http://127.0.0.1:1', async (asked) =>
      asked.map(({ id, method }) => ({ jsonrpc: '2.0', id, result: method === 'eth_chainId' ? '0x7a6a' : '0x02' })),
    )
    const [otherChain] = createChains([devnetChain(other.url, 31338)]).values()
    if (!otherChain) throw new Error('unreachable')
    const waited = new Promise((resolve) => setTimeout(resolve, 2_000, 'it waits'))
    expect(await Promise.race([askContract(otherChain, question, '0x1'), waited])).toEqual({
      kind: 'answer',
      data: '0x02',
    })
    await other.close()
  })
})

describe('the status of a chain', () => {
  test('behavior: three late answers mark it unreachable; fewer, clients that leave, or a node that answers meanwhile do not', async () => {
    const readSafe = async (milliseconds: number, signal?: AbortSignal) => {
      const [found] = chainsOfOneRequest(new Map([[31337, chain]]), { key: 'a', signal }, milliseconds).values()
      await found?.readSafe(to).catch(() => {})
      await settled()
      return chain.status
    }
    const stop = answering()
    expect(await chain.check()).toBe('ok')
    stop()
    for (let at = 0; at < 4; at += 1) expect(await readSafe(5_000, AbortSignal.timeout(20))).toBe('ok')
    expect([await readSafe(20), await readSafe(20), await readSafe(20)]).toEqual(['ok', 'ok', 'unreachable'])
    const stopAgain = answering()
    expect(await chain.check()).toBe('ok')
    stopAgain()
    for (const askOther of [
      () => ask(chain, 'eth_gasPrice'),
      () => chain.ask({ method: 'eth_gasPrice' }),
      () => chain.forward(body()),
    ]) {
      expect([await readSafe(20), await readSafe(20)]).toEqual(['ok', 'ok'])
      const stopOther = answering()
      await askOther()
      stopOther()
    }
  })
})

describe('places at a node', () => {
  test.each<[string, number, () => Promise<void>]>([
    [
      'a follower with much to read',
      6,
      () =>
        sendEach(9, () =>
          ask(
            patient(chain, () => false),
            'eth_getCode',
          ),
        ),
    ],
    [
      'a follower that asks alone',
      6,
      () => sendEach(9, () => patient(chain, () => false).ask({ method: 'eth_getCode', params: [to] })),
    ],
    [
      'logs that a follower reads of nodes that have to agree',
      12,
      () => sendEach(9, () => agreed().requestLogs([{}], range)),
    ],
    ['Safes that a follower reads of nodes that have to agree', 12, () => sendEach(9, () => agreed().readSafe(to))],
    ['blocks that a follower compares', 6, () => sendEach(9, () => chain.findNodesWithBlocks(new Map([[1, '0x01']])))],
    ['passed calls of an account', 2, () => sendEach(9, () => chainOf('mallory').forward(body()))],
    ['contracts that an account names', 2, () => sendEach(9, () => askContract(chainOf('mallory'), question, '0x1'))],
    ['contracts that a network names', 2, () => sendEach(9, () => askContract(chainOf('10.0.0.1'), question, '0x1'))],
    ['hashes of blocks that an account asks for', 2, () => sendEach(5, () => chainOf('mallory').readBlockHashes(1))],
    ['calls that estimate', 2, () => sendEach(9, () => chainOf('m').ask({ method: 'eth_call', params: [question] }))],
    [
      'passed calls of many',
      4,
      async () => {
        for (const key of ['a', 'b', 'c', 'd', 'e']) await sendEach(2, () => chainOf(key).forward(body()))
      },
    ],
    [
      'contracts that many name',
      4,
      async () => {
        for (const key of ['a', 'b', 'c', 'd', 'e']) await sendEach(2, () => askContract(chainOf(key), question, '0x1'))
      },
    ],
  ])('behavior: %s keep nobody from being asked for', async (_, most, attack) => {
    await attack()
    await eventually(async () => held.length >= most)
    expect(held).toHaveLength(most)
    send(ask(chain, 'eth_gasPrice'))
    await eventually(async () => isAsked('eth_gasPrice'))
    expect(held).toHaveLength(most + 1)
  })

  test('behavior: one kind of request does not block another', async () => {
    await sendEach(9, () => chainOf('mallory').forward(body()))
    send(askContract(chainOf('mallory'), question, '0x1'))
    send(
      ask(
        patient(chain, () => false),
        'eth_getCode',
      ),
    )
    await eventually(async () => held.length === 4)
  })

  test('behavior: log requests of a client do not wait for the follower, and end at the deadline', async () => {
    await sendEach(9, () => patient(chain, () => false).requestLogs([{}], range))
    await eventually(async () => held.length === 6)
    const [found] = chainsOfOneRequest(new Map([[31337, chain]]), { key: 'alice' }, 500).values()
    const asked = found?.requestLogs([{}], range).catch((error: unknown) => error)
    await eventually(async () => node.open() === 7)
    expect(await asked).toBeInstanceOf(TimeoutError)
    // None of them has reached its own limit.
    expect(node.open()).toBe(7)
  })

  test('behavior: requests that arrive while all places are taken go into one batch, whichever client asks', async () => {
    await sendEach(4, () => ask(chain, 'eth_getCode'))
    await eventually(async () => held.length === 4)
    await sendEach(20, () => ask(chain, 'eth_getBalance'))
    expect(held).toHaveLength(4)
    held[0]?.go()
    await eventually(async () => held.length === 5)
    expect(held[4]?.asked.filter(({ method }) => method === 'eth_getBalance')).toHaveLength(20)
  })

  test('behavior: single requests do not overtake a waiting batch', async () => {
    await sendEach(4, () => chain.ask({ method: 'eth_getCode', params: [to] }))
    await eventually(async () => held.length === 4)
    send(ask(chain, 'eth_gasPrice'))
    await settled()
    await sendEach(4, () => chain.ask({ method: 'eth_getCode', params: [to] }))
    held[0]?.go()
    await eventually(async () => held.length === 5)
    expect(isAsked('eth_gasPrice')).toBe(true)
  })

  test('behavior: at a limited pace, requests for clients come before the follower', async () => {
    chain = chainAt(node.url, { requestsPerSecond: 20 })
    const follower = patient(chain, () => false)
    const timer = setInterval(() => {
      for (const { go } of held) go()
    }, 5)
    for (let at = 0; at < 60; at += 1) send(ask(follower, 'eth_getCode'))
    await eventually(async () => isAsked('eth_getCode'))
    send(ask(chain, 'eth_gasPrice'))
    await Promise.all(sent)
    clearInterval(timer)
    const order = held.map(({ asked }) => asked.some(({ method }) => method === 'eth_gasPrice'))
    expect(order.indexOf(true)).toBeLessThan(order.length - 1)
  })

  test('behavior: at a limited pace, many requests for clients do not starve the follower', async () => {
    chain = chainAt(node.url, { requestsPerSecond: 25 })
    const timer = setInterval(() => {
      for (const { go } of held) go()
    }, 5)
    let isFollowed = false
    const asking = async () => {
      while (!isFollowed) await ask(chain, 'eth_gasPrice').catch(() => null)
    }
    // A request for a client is always waiting for the pace.
    const people = Array.from({ length: 8 }, asking)
    await eventually(async () => held.length > 4)
    const follower = patient(chain, () => false)
    const before = held.length
    await Promise.race([ask(follower, 'eth_getCode'), eventually(async () => held.length > before + 40)])
    isFollowed = true
    await Promise.all(people)
    clearInterval(timer)
    expect(isAsked('eth_getCode')).toBe(true)
  })

  test('behavior: requests that are aborted while they wait for the pace are not sent and cost no pace', async () => {
    chain = chainAt(node.url, { requestsPerSecond: 2 })
    const timer = setInterval(() => {
      for (const { go } of held) go()
    }, 5)
    const left = new AbortController()
    const forward = (key: string, signal?: AbortSignal) =>
      chain.forward(body(), { restMilliseconds: 6_000, client: { key, signal } })
    await forward('alice')
    for (let at = 0; at < 4; at += 1) send(forward(`${at % 2}`, left.signal))
    await settled()
    left.abort(new Error('left'))
    const order: string[] = []
    await Promise.all(['0', 'bob'].map((key) => forward(key).then(() => order.push(key))))
    clearInterval(timer)
    expect(order).toEqual(['0', 'bob'])
    expect(held).toHaveLength(3)
  })

  /** Answers whatever is asked, and returns the methods in the order in which the node got them. */
  const order = () => held.flatMap(({ asked }) => asked.map(({ method }) => method))

  test.each<[string, (client: Chain) => Promise<unknown>, string]>([
    ['questions', (client) => ask(client, 'eth_getCode'), 'eth_getCode'],
    ['Safes', (client) => client.readSafe(to), 'eth_getBlockByNumber'],
    ['logs', (client) => client.requestLogs([{}], range), 'eth_getLogs'],
  ])(
    'behavior: %s of a client that leaves, or whose time is over, leave the queue of a paced node',
    async (_, work, method) => {
      chain = chainAt(node.url, { requestsPerSecond: 1 })
      const timer = setInterval(() => {
        for (const { go } of held) go()
      }, 5)
      await ask(chain, 'eth_chainId')
      const left = new AbortController()
      const of = (milliseconds?: number) => {
        const [found] = chainsOfOneRequest(
          new Map([[31337, chain]]),
          { key: 'mallory', signal: left.signal },
          milliseconds,
        ).values()
        if (!found) throw new Error('unreachable')
        return found
      }
      // Each goes out in a batch of its own.
      await sendEach(3, () => work(of()))
      await sendEach(3, () => work(of(100)))
      left.abort(new Error('left'))
      await settled()
      const startedAt = performance.now()
      await ask(chain, 'eth_gasPrice')
      // One turn, and not one for each of those before it.
      const turns = (performance.now() - startedAt) / 1_000
      clearInterval(timer)
      expect(order()).toContain('eth_gasPrice')
      expect(order()).not.toContain(method)
      expect(turns).toBeLessThan(3)
    },
  )

  test('behavior: a batch goes out for the clients that still wait', async () => {
    chain = chainAt(node.url, { requestsPerSecond: 4 })
    const timer = setInterval(() => {
      for (const { go } of held) go()
    }, 5)
    await ask(chain, 'eth_chainId')
    const left = new AbortController()
    send(chain.request({ method: 'eth_getCode', params: [to], signal: left.signal }))
    const stays = ask(chain, 'eth_gasPrice')
    await settled()
    left.abort(new Error('left'))
    await stays
    clearInterval(timer)
    expect(order()).not.toContain('eth_getCode')
  })
})

function body() {
  return { jsonrpc: '2.0', id: 1, method: 'eth_getCode', params: [to] }
}
