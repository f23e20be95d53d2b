import { demoAccounts } from '@countersign/devnet'
import { type Hex, numberToHex, pad } from 'viem'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { ChainSettings } from '../config/chains.ts'
import { createActor } from '../test/safe-actor.ts'
import { devnet, openChain } from '../test/scene.ts'
import {
  type Answer,
  changing,
  honest,
  type Script,
  type ScriptedNode,
  startScriptedNode,
} from '../test/scripted-node.ts'
import { codeOf, devnetChain, eventually } from '../test/test-server.ts'
import { type Chain, createChains } from './clients.ts'

let first: ScriptedNode
let second: ScriptedNode
let third: ScriptedNode

openChain()

afterEach(async () => {
  for (const node of [first, second, third]) await node?.close()
})

async function startChain(settings: Partial<ChainSettings> = {}, scripts: Script[] = []): Promise<Chain> {
  const [one, two, three] = await Promise.all([0, 1, 2].map((at) => startScriptedNode(devnet.rpcUrl, scripts[at])))
  if (!one || !two || !three) throw new Error('unreachable')
  first = one
  second = two
  third = three
  const base = { ...devnetChain(one.url), isDevnet: false }
  const chain = createChains([{ ...base, rpcUrls: [one.url, two.url, three.url], ...settings }]).get(base.chainId)
  if (!chain) throw new Error('unreachable')
  return chain
}

const head = (chain: Chain) => chain.request({ method: 'eth_blockNumber' })
const portOf = (node: ScriptedNode) => new URL(node.url).host
const status =
  (code: number, headers = {}) =>
  async () => ({ status: code, headers, text: '{"error":"slow down"}' })
const notHex = (answer: Answer) => ({ ...answer, result: '0x1' })

describe('failover', () => {
  const failures: Record<string, Script> = {
    'answers 500': status(500),
    'answers 401': status(401),
    'answers 429': status(429),
    'says within JSON-RPC that it is asked too often': changing(({ id }) => ({
      jsonrpc: '2.0',
      id,
      error: { code: 429, message: 'compute units' },
    })),
    'breaks off': async (_, truth) => ({ text: JSON.stringify(await truth()).slice(0, 20) }),
    'answers something else': async () => ({ text: '<html>maintenance</html>' }),
    'answers a batch without one of its answers': async (_, truth) => (await truth()).slice(1),
    'closes the connection': async () => {
      throw new Error('gone')
    },
    'is on another chain': changing((answer, { method }) => (method === 'eth_chainId' ? notHex(answer) : answer)),
  }

  test.each(Object.keys(failures))(
    'behavior: the next is asked when one %s; the first again when it is well',
    async (name) => {
      const failure = failures[name]
      if (!failure) throw new Error('unreachable')
      const chain = await startChain({}, [failure])
      const [number, id] = await Promise.all([head(chain), chain.request({ method: 'eth_chainId' })])
      expect([Number(number) > 0, id]).toEqual([true, '0x7a69'])
      expect(second.exchanges).toHaveLength(1)
      // Left alone for a while, and then asked by the way, without anybody waiting for it.
      await head(chain)
      expect(second.exchanges).toHaveLength(2)
      first.play((_, truth) => truth())
      await eventually(async () => {
        const before = second.exchanges.length
        await head(chain)
        return second.exchanges.length === before
      })
      expect(await chain.check()).toBe('ok')
    },
  )

  test('behavior: a slow node is given up, and the next asked', async () => {
    const chain = await startChain({}, [() => new Promise(() => {})])
    expect(Number(await head(chain))).toBeGreaterThan(0)
    await head(chain)
    expect(first.exchanges).toHaveLength(1)
    expect(second.exchanges).toHaveLength(2)
  })

  test('behavior: one that hangs is not waited for, and one that reverts has answered', async () => {
    const hangs: Script = () => new Promise(() => {})
    const chain = await startChain({}, [hangs])
    expect(Number(await head(chain))).toBeGreaterThan(0)
    expect(first.exchanges).toHaveLength(1)
    const refused: Script = changing(({ id }) => ({
      jsonrpc: '2.0',
      id,
      error: { code: 3, message: 'execution reverted' },
    }))
    second.play(refused)
    third.play(refused)
    await expect(head(chain)).rejects.toThrow('execution reverted')
  })

  test('error: CHAIN_UNREACHABLE when the only node hangs', async () => {
    const chain = await startChain({}, [() => new Promise(() => {})])
    const alone = createChains([{ ...chain.settings, rpcUrls: [first.url] }]).get(chain.settings.chainId)
    expect(await codeOf(alone?.readSafe(demoAccounts[0].address) ?? Promise.resolve())).toBe('CHAIN_UNREACHABLE')
  })

  test('behavior: a node that names a time is left alone until then', async () => {
    const chain = await startChain({ rpcUrls: [] })
    const alone = createChains([{ ...chain.settings, rpcUrls: [first.url] }]).get(31337)
    if (!alone) throw new Error('unreachable')
    first.play(status(429, { 'retry-after': '1' }))
    const start = performance.now()
    const number = head(alone)
    await eventually(async () => first.exchanges.length === 1)
    first.play((_, truth) => truth())
    expect(Number(await number)).toBeGreaterThan(0)
    expect(performance.now() - start).toBeGreaterThan(990)
    expect(first.exchanges).toHaveLength(2)
    first.play(status(429, { 'retry-after': '3600' }))
    await head(alone).catch(() => {})
    await head(alone).catch(() => {})
    expect(await alone.check()).toBe('unreachable')
    expect(first.exchanges).toHaveLength(3)
  })

  test('behavior: pauses grow while a node fails', async () => {
    const chain = await startChain({ rpcUrls: [] })
    const alone = createChains([{ ...chain.settings, rpcUrls: [first.url] }]).get(31337)
    if (!alone) throw new Error('unreachable')
    first.play(status(503))
    const end = performance.now() + 2_500
    while (performance.now() < end) {
      await Promise.all([1, 2, 3].map(() => head(alone).catch(() => {})))
    }
    // 250 ms doubled each time, at most half of it taken off.
    expect(first.exchanges.length).toBeLessThan(12)
  })

  test('behavior: a node that lags far behind the others is asked after them', async () => {
    const old = await devnetBlock('0x0')
    const lagging = changing((answer, { method, params }) => {
      if (method === 'eth_blockNumber') return { ...answer, result: '0x0' }
      if (method === 'eth_getBlockByNumber' && params[0] === 'latest') return { ...answer, result: old }
      return answer
    })
    const chain = await startChain({}, [lagging])
    expect(await chain.check()).toBe('ok')
    expect(Number(await head(chain))).toBeGreaterThan(0)
  })

  test('behavior: what another node knows is asked of that one: traces', async () => {
    const missing = changing(({ id }) => ({ jsonrpc: '2.0', id, error: { code: -32601, message: 'no such method' } }))
    const chain = await startChain({}, [missing])
    const traced = await chain.ask({ method: 'debug_traceBlockByNumber', params: ['latest', { tracer: 'callTracer' }] })
    expect(traced).toBeInstanceOf(Array)
  })
})

async function devnetBlock(at: string): Promise<object> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getBlockByNumber', params: [at, false] })
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body }
  const { result }: { result: object } = JSON.parse(
    await fetch(devnet.rpcUrl, init).then((response) => response.text()),
  )
  return { ...result, timestamp: numberToHex(Math.floor(Date.now() / 1000) - 600) }
}

describe('batches', () => {
  const ask = (chain: Chain, count: number) =>
    Promise.all(
      Array.from({ length: count }, () =>
        chain.request({ method: 'eth_getBalance', params: [demoAccounts[0].address, 'latest'] }),
      ),
    )

  /** One node: of several, one that takes a second and a half on a busy machine is not waited for alone. */
  async function startAlone(script: Script = (_, truth) => truth()): Promise<Chain> {
    const { settings } = await startChain({}, [script])
    const alone = createChains([{ ...settings, rpcUrls: [first.url] }]).get(settings.chainId)
    if (!alone) throw new Error('unreachable')
    return alone
  }

  test('default: no more than a hundred at once, each with the chain that it is of', async () => {
    const chain = await startAlone()
    expect(await ask(chain, 250)).toHaveLength(250)
    expect(first.exchanges.map(({ length }) => length)).toEqual([100, 100, 53])
    for (const asked of first.exchanges) expect(asked.at(-1)?.method).toBe('eth_chainId')
  })

  test('behavior: no more bytes than a node takes', async () => {
    // It answers by itself: a chain that takes in megabytes on a busy machine is another matter.
    const result = (method: string) => (method === 'eth_chainId' ? '0x7a69' : '0x')
    const chain = await startAlone(async (asked) => ({
      text: JSON.stringify(asked.map(({ id, method }) => ({ jsonrpc: '2.0', id, result: result(method) }))),
    }))
    const data = `0x${'00'.repeat(200_000)}`
    const calls = Array.from({ length: 6 }, () =>
      chain.request({ method: 'eth_call', params: [{ to: demoAccounts[0].address, data }, 'latest'] }),
    )
    await Promise.all(calls)
    expect(first.exchanges.map((asked) => asked.filter(({ method }) => method === 'eth_call').length)).toEqual([
      2, 2, 2,
    ])
  })

  test.each([
    ['an error', async () => ({ text: '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"batch"}}' })],
    ['413', async () => ({ status: 413, text: 'too large' })],
  ] as const)('behavior: a node that answers large batches with %s is asked in smaller ones', async (_, refusal) => {
    const chain = await startAlone((asked, truth) => (asked.length > 10 ? refusal() : truth()))
    expect(await ask(chain, 60)).toHaveLength(60)
    first.exchanges.length = 0
    expect(await ask(chain, 60)).toHaveLength(60)
    expect(first.exchanges.every(({ length }) => length <= 10)).toBe(true)
  })

  test('behavior: no more in a second than is allowed', async () => {
    const chain = await startChain({ requestsPerSecond: 100 })
    const start = performance.now()
    await ask(chain, 150)
    await ask(chain, 1)
    expect(performance.now() - start).toBeGreaterThan(1_400)
  })
})

describe('agreement', () => {
  let last = '0x0'
  const logs = () => ({ method: 'eth_getLogs', params: [{ fromBlock: '0x0', toBlock: last }] })
  const block = { method: 'eth_getBlockByNumber', params: ['0x5', false] }
  const lying = changing((answer, { method }) => (method === 'eth_getLogs' ? { ...answer, result: [] } : answer))

  beforeAll(async () => {
    last = String(await createActor(devnet.rpcUrl).rpc('eth_blockNumber'))
  })

  test('default: what so many say', async () => {
    const chain = await startChain({ agreement: 2 })
    expect(await chain.request(logs())).not.toEqual([])
    expect(await chain.request(block)).toHaveProperty('number', '0x5')
    expect([first.exchanges.length, second.exchanges.length, third.exchanges.length]).toEqual([2, 2, 0])
  })

  test('error: NODES_DISAGREE names the nodes by host, and the block; neither is believed', async () => {
    for (const scripts of [[lying], [(_: unknown, truth: () => Promise<Answer[]>) => truth(), lying]]) {
      const chain = await startChain({ agreement: 2 }, scripts)
      const error = await chain.request(logs()).catch((thrown: unknown) => thrown)
      expect(error).toMatchObject({
        code: 'NODES_DISAGREE',
        data: { hosts: [portOf(first), portOf(second)], blockNumber: Number(last) },
      })
      for (const node of [first, second, third]) await node.close()
    }
  })

  test('error: NODES_DISAGREE about a hash, code, a balance', async () => {
    const wrong = changing((answer, { method }) => {
      if (method === 'eth_getBlockByNumber' && typeof answer.result === 'object')
        return { ...answer, result: { ...answer.result, hash: `0x${'ab'.repeat(32)}` } }
      return method === 'eth_getLogs' ? answer : notHex(answer)
    })
    const chain = await startChain({ agreement: 2 }, [
      changing((answer) => answer),
      (asked, truth) => (asked.some(({ method }) => method === 'eth_chainId') ? truth() : wrong(asked, truth)),
    ])
    const at = [demoAccounts[0].address, '0x5']
    for (const call of [block, { method: 'eth_getCode', params: at }, { method: 'eth_getBalance', params: at }])
      expect(await codeOf(chain.request(call))).toBe('NODES_DISAGREE')
  })

  test('behavior: what a node adds of its own is no disagreement, nor the order of its logs', async () => {
    const chatty = changing((answer) => ({
      ...answer,
      result: Array.isArray(answer.result)
        ? answer.result.toReversed().map((entry: object) => ({ ...entry, extra: 1 }))
        : typeof answer.result === 'object'
          ? { ...answer.result, totalDifficulty: '0x0' }
          : answer.result,
    }))
    const chain = await startChain({ agreement: 2 }, [chatty])
    expect(await chain.request(logs())).not.toEqual([])
    expect(await chain.request(block)).toHaveProperty('number', '0x5')
  })

  test('behavior: a node that does not know the block yet lags, and does not disagree', async () => {
    const lagging = changing((answer, { method }) => {
      if (method === 'eth_chainId') return answer
      return { ...answer, result: method === 'eth_getLogs' ? [] : null }
    })
    const chain = await startChain({ agreement: 2 }, [lagging])
    expect(await codeOf(chain.request(logs()))).toBe('RPC_ERROR')
    expect(await codeOf(chain.request(block))).toBe('RPC_ERROR')
  })

  test('error: CHAIN_UNREACHABLE when too few answer', async () => {
    const chain = await startChain({ agreement: 2 }, [status(500), status(500)])
    expect(await codeOf(chain.request(block))).toBe('CHAIN_UNREACHABLE')
  })

  test('behavior: a node that failed a moment ago is waited for', async () => {
    const chain = await startChain({ agreement: 3 }, [status(503)])
    expect(await codeOf(chain.request(block))).toBe('CHAIN_UNREACHABLE')
    first.play((_, truth) => truth())
    expect(await chain.request(block)).toHaveProperty('number', '0x5')
  })

  test('behavior: a node that is named twice does not agree with itself', async () => {
    const chain = await startChain()
    const twice = { ...chain.settings, rpcUrls: [first.url, first.url, second.url], agreement: 2 }
    const other = createChains([twice]).get(chain.settings.chainId)
    await other?.request(block)
    expect(second.exchanges.length).toBeGreaterThan(0)
  })

  test('behavior: the lower head is the one that all know', async () => {
    const behind = changing((answer, { method }) =>
      method === 'eth_blockNumber' ? { ...answer, result: '0x2' } : answer,
    )
    const chain = await startChain({ agreement: 3 }, [changing((answer) => answer), behind])
    expect(await head(chain)).toBe('0x2')
  })
})

describe('readBlockHashes', () => {
  const lying = changing((answer, { method }) =>
    method === 'eth_getBlockByNumber'
      ? { ...answer, result: { ...(answer.result as object), hash: pad('0x1') } }
      : answer,
  )
  const without = changing((answer, { method }) =>
    method === 'eth_getBlockByNumber' ? { ...answer, result: null } : answer,
  )

  test('default: each node says its own, and nobody speaks for another', async () => {
    const chain = await startChain({}, [honest, lying, without])
    const [one, two, three] = await chain.readBlockHashes(1)
    const known = await chain.request({ method: 'eth_getBlockByNumber', params: ['0x1', false] })
    const newest = await chain.request({ method: 'eth_getBlockByNumber', params: ['latest', false] })
    expect(one).toEqual({
      name: portOf(first),
      host: 'localhost',
      hash: (known as { hash: Hex }).hash,
      newestTime: Number((newest as { timestamp: Hex }).timestamp),
    })
    expect([two?.hash, three?.hash]).toEqual([pad('0x1'), null])
  })

  test('behavior: ignores a node that hangs, fails or answers for another block, and does not wait for it', async () => {
    const other = changing((answer, { method }) =>
      method === 'eth_getBlockByNumber'
        ? { ...answer, result: { ...(answer.result as object), number: '0x9' } }
        : answer,
    )
    const chain = await startChain({}, [() => new Promise(() => {}), status(500), other])
    expect((await chain.readBlockHashes(1)).map(({ hash }) => hash)).toEqual([null, null, null])
    // Nor does it make others late by a block that is not there yet.
    const ahead = changing((answer, { method }) =>
      method === 'eth_getBlockByNumber'
        ? { ...answer, result: { ...(answer.result as object), timestamp: '0xffffffffff' } }
        : answer,
    )
    const future = await startChain({}, [ahead])
    expect((await future.readBlockHashes(1))[0]?.newestTime).toBeNull()
  })

  test('behavior: a node that is a moment behind is asked once more', async () => {
    let asked = 0
    const late: Script = async (_, truth) => {
      asked += 1
      return asked === 1 ? (await truth()).map((answer) => ({ ...answer, result: null })) : truth()
    }
    const chain = await startChain({}, [late])
    expect((await chain.readBlockHashes(1))[0]?.hash).toMatch(/^0x/)
  })

  test('behavior: two URLs, or two ports, at one host are named apart, and have one host', async () => {
    const chain = await startChain()
    const twice = { ...chain.settings, rpcUrls: [first.url, `${first.url}/key`, second.url] }
    const hashes = await createChains([twice]).get(chain.settings.chainId)?.readBlockHashes(1)
    const host = portOf(first)
    expect(hashes?.map((source) => [source.name, source.host])).toEqual([
      [host, 'localhost'],
      [`${host} (2)`, 'localhost'],
      [portOf(second), 'localhost'],
    ])
  })
})
