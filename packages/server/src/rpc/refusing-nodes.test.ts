import { demoAccounts } from '@countersign/devnet'
import { type Hex, numberToHex, padHex } from 'viem'
import { afterEach, describe, expect, test } from 'vitest'
import { type ProviderName, playing, providers, type Taking } from '../test/providers.ts'
import { actor, devnet, openChain } from '../test/scene.ts'
import { changing, type Script, type ScriptedNode, startScriptedNode } from '../test/scripted-node.ts'
import { codeOf, devnetChain, eventually, newSafe } from '../test/test-server.ts'
import { type Chain, createChains } from './clients.ts'
import { readBlock, readLogsInRange } from './logs.ts'

openChain()

let nodes: ScriptedNode[] = []
afterEach(async () => {
  await Promise.all(nodes.map((node) => node.close()))
})

const head = async () => Number(await actor.rpc('eth_blockNumber'))

/** A chain of nodes with these limits, the first of them asked first. */
async function startChain(...takings: Taking[]): Promise<Chain> {
  return startChainOf(1, takings)
}

async function startChainOf(agreement: number, takings: readonly Taking[]): Promise<Chain> {
  nodes = await Promise.all(
    takings.map((taking) =>
      startScriptedNode(
        devnet.rpcUrl,
        playing(() => taking, head),
      ),
    ),
  )
  const chain = createChains([
    { ...devnetChain(devnet.rpcUrl), isDevnet: false, agreement, rpcUrls: nodes.map(({ url }) => url) },
  ]).get(31337)
  if (!chain) throw new Error('unreachable')
  return chain
}

async function logs(chain: Chain, filter: object = {}, fromBlock = 0): Promise<number> {
  const last = await readBlock(chain.request, await head())
  if (!last) throw new Error('unreachable')
  const range = { fromBlock, toBlock: last.number, toHash: last.hash }
  return (await readLogsInRange(chain.requestLogs, [filter], range)).length
}

const asked = (node: ScriptedNode | undefined, method: string) =>
  node?.exchanges.flat().filter((call) => call.method === method).length
const kinds = (chain: Chain) => chain.limits().map(({ limits }) => limits.map(({ kind }) => kind))

describe('a node that refuses', () => {
  const cases: [ProviderName, (chain: Chain) => Promise<unknown>, string][] = [
    ['needs an address', (chain) => logs(chain), 'eth_getLogs'],
    ['takes 10 blocks, and names them', (chain) => logs(chain), 'eth_getLogs'],
    [
      'has no traces, proofs, overrides, simulation',
      (chain) => chain.ask({ method: 'debug_traceBlockByNumber', params: ['0x5', { tracer: 'callTracer' }] }),
      'debug_traceBlockByNumber',
    ],
    [
      'keeps little state',
      (chain) => chain.request({ method: 'eth_getBalance', params: [demoAccounts[0].address, '0x1'] }),
      'eth_getBalance',
    ],
  ]

  test.each(cases)('behavior: %s: the next is asked, and first from then on', async (name, ask, method) => {
    await actor.rpc('anvil_mine', '0x64')
    const chain = await startChain(providers[name], {})
    await readBlock(chain.request, 'latest')
    await ask(chain)
    expect([asked(nodes[0], method), asked(nodes[1], method)]).toEqual([1, 1])
    await ask(chain)
    expect([asked(nodes[0], method), asked(nodes[1], method)]).toEqual([1, 2])
    expect(kinds(chain)[1]).toEqual([])
    const [limit] = chain.limits()[0]?.limits ?? []
    expect(limit?.words.length).toBeGreaterThan(10)
    // The first is still asked for all that it takes.
    await chain.request({ method: 'eth_chainId' })
    expect(asked(nodes[0], 'eth_chainId')).toBeGreaterThan(0)
  })

  test('behavior: of what all refuse, the refusal that asks for fewer blocks counts', async () => {
    const chain = await startChain(providers['needs an address'], providers['takes 10 blocks, and names them'])
    await actor.rpc('anvil_mine', '0x20')
    await expect(logs(chain)).rejects.toThrow('10 block range')
    await expect(logs(chain, {}, (await head()) - 5)).resolves.toBeGreaterThanOrEqual(0)
  })

  test('behavior: a node that has not got the last block of a range has no say about its logs', async () => {
    const safe = await newSafe(devnet.rpcUrl)
    const number = await head()
    const chain = await startChain(providers['needs an address'], {})
    const lagging = changing((answer, { method, params }) => {
      if (method === 'eth_getLogs') return { ...answer, result: [] }
      return method === 'eth_getBlockByNumber' && Number(params[0]) >= number ? { ...answer, result: null } : answer
    })
    nodes[1]?.play(lagging)
    // The first has it, and takes no such query; the second has not, and would leave out the Safe's set-up.
    expect(await logs(chain, { address: safe }, number)).toBeGreaterThan(0)
    expect(await codeOf(logs(chain, {}, number))).not.toBe('no error')
  })

  test.each([
    [10, 'too many addresses: the maximum is 10', 51],
    [100, 'addresses limit exceeded', 16],
    [1_000, 'at most 1000 addresses', 1],
  ])(
    'behavior: takes %i addresses in a filter: 500 are asked for in parts, all of whose logs count',
    async (most, words, requests) => {
      const safes = [await newSafe(devnet.rpcUrl), await newSafe(devnet.rpcUrl)]
      const others = Array.from({ length: 498 }, (_, at) => padHex(numberToHex(at + 1), { size: 20 }))
      const address = [safes[0], ...others, safes[1]]
      const chain = await startChain({ names: { most, code: -32602, words } })
      const found = await logs(chain, { address })
      expect(found).toBeGreaterThan(1)
      expect(asked(nodes[0], 'eth_getLogs')).toBe(requests)
      const limits = chain.limits()[0]?.limits ?? []
      expect(limits.map(({ kind }) => kind)).toEqual(requests > 1 ? ['log-addresses'] : [])
      const before = asked(nodes[0], 'eth_getLogs') ?? 0
      expect(await logs(chain, { address })).toBe(found)
      // As is known by now, at once in parts that are taken.
      expect((asked(nodes[0], 'eth_getLogs') ?? 0) - before).toBe(Math.ceil(500 / (limits[0]?.value ?? 500)))
      const free = await startChain({})
      expect(await logs(free, { address })).toBe(found)
    },
  )

  test('behavior: takes few addresses: another that takes them is asked from then on', async () => {
    const names = { most: 10, code: -32602, words: 'too many addresses: the maximum is 10' }
    const chain = await startChain({ names }, {})
    const address = Array.from({ length: 25 }, (_, at) => padHex(numberToHex(at + 1), { size: 20 }))
    await logs(chain, { address })
    expect([asked(nodes[0], 'eth_getLogs'), asked(nodes[1], 'eth_getLogs')]).toEqual([4, 0])
    await logs(chain, { address })
    expect([asked(nodes[0], 'eth_getLogs'), asked(nodes[1], 'eth_getLogs')]).toEqual([4, 1])
  })

  test('behavior: nodes that have to agree are asked in the same parts, which each of them takes', async () => {
    const safe = await newSafe(devnet.rpcUrl)
    const names = { most: 10, code: -32602, words: 'too many addresses: the maximum is 10' }
    const chain = await startChainOf(2, [{ names }, {}])
    const others = Array.from({ length: 24 }, (_, at) => padHex(numberToHex(at + 1), { size: 20 }))
    expect(await logs(chain, { address: [...others, safe] })).toBeGreaterThan(0)
  })

  test('behavior: what is cut off at a usual bound, without a word, is asked for again in smaller ranges', async () => {
    const chain = await startChain({})
    const log = await actor.rpc('eth_getLogs', { fromBlock: '0x0', toBlock: 'latest' })
    const [one] = log as { logIndex: Hex; blockNumber: Hex }[]
    const many = (count: number) => Array.from({ length: count }, (_, at) => ({ ...one, logIndex: numberToHex(at) }))
    nodes[0]?.play(
      changing((answer, { method }) => (method === 'eth_getLogs' ? { ...answer, result: many(1_000) } : answer)),
    )
    await expect(logs(chain)).rejects.toThrow('may not be whole')
    nodes[0]?.play(
      changing((answer, { method }) => (method === 'eth_getLogs' ? { ...answer, result: many(999) } : answer)),
    )
    expect(await logs(chain)).toBe(999)
  })

  test('behavior: one that is asked too often is asked in smaller batches, and its words are kept', async () => {
    const chain = await startChain({ rate: { requests: 60, words: 'compute units' } })
    const ask = (count: number) =>
      Promise.all(
        Array.from({ length: count }, (_, at) =>
          chain.request({ method: 'eth_getStorageAt', params: [demoAccounts[0].address, numberToHex(at), 'latest'] }),
        ),
      )
    await ask(99).catch(() => {})
    expect(chain.limits()[0]?.limits).toMatchObject([{ kind: 'rate', words: 'compute units' }])
    expect(await eventually(() => ask(40).catch(() => null))).toHaveLength(40)
  })
})

/** A node that answers each question with this error. */
const each =
  (code: number, message: string): Script =>
  async (asked) =>
    asked.map(({ id }) => ({ jsonrpc: '2.0', id, error: { code, message } }))
/** One that answers a batch with one error. */
const whole =
  (code: number, message: string): Script =>
  async () => ({ text: JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } }) })

/** Nodes in trouble of their own, as providers say it. */
const troubles: Record<string, Script> = {
  'was asked too often, in one answer': whole(429, 'compute units exceeded'),
  'was asked too often, in each answer': each(429, 'compute units exceeded'),
  'is at its limit': each(-32005, 'daily request count exceeded'),
  'is at its limit, in one answer': whole(-32005, 'limit exceeded'),
  'has an internal error': each(-32603, 'internal error'),
  'has an internal error, in one answer': whole(-32603, 'internal error'),
  'is overloaded': each(-32000, 'server overloaded, try again later'),
  'ran out of time': each(-32002, 'request timed out'),
  'takes no request that long': async () => ({ status: 413, text: '<html>413</html>' }),
  'answers nothing': async () => ({ text: '[]' }),
  'leaves out a half': async (asked, truth) => (await truth()).slice(0, asked.length / 2),
  'is cut off': async (_, truth) => ({ text: JSON.stringify(await truth()).slice(0, -9) }),
}

describe('batches of a page', () => {
  const balances = (count: number) =>
    Array.from({ length: count }, (_, at) => ({
      jsonrpc: '2.0',
      id: at,
      method: 'eth_getBalance',
      params: [demoAccounts[at % 5]?.address, 'latest'],
    }))
  const forward = async (chain: Chain, body: unknown): Promise<Record<string, unknown>[]> =>
    [JSON.parse(await chain.forward(body))].flat()

  test('default: are split as the node takes them, and as soon as that is known, at once', async () => {
    const chain = await startChain(providers['takes three in a batch'])
    const answers = await forward(chain, balances(20))
    expect(answers.map(({ id }) => id)).toEqual(Array.from({ length: 20 }, (_, at) => at))
    expect(answers.every(({ result }) => typeof result === 'string')).toBe(true)
    const node = nodes[0]
    if (!node) throw new Error('unreachable')
    node.exchanges.length = 0
    expect(await forward(chain, balances(20))).toHaveLength(20)
    expect(node.exchanges.map(({ length }) => length).sort()).toEqual([2, 3, 3, 3, 3, 3, 3])
    expect(chain.limits()[0]?.limits).toMatchObject([{ kind: 'batch', value: 3 }])
  })

  test('behavior: a node that takes no batches is asked one by one', async () => {
    const batch = { requests: 1, status: 400, code: -32600, words: 'batch requests are not supported' }
    const chain = await startChain({ batch })
    expect(await forward(chain, balances(5))).toHaveLength(5)
  })

  test('behavior: what one refuses another answers, each under its id', async () => {
    const chain = await startChain(providers['has no traces, proofs, overrides, simulation'], {})
    const proof = { jsonrpc: '2.0', id: 9, method: 'eth_getProof', params: [demoAccounts[0].address, [], 'latest'] }
    const answers = await forward(chain, [...balances(2), proof])
    expect(answers.map(({ id }) => id)).toEqual([0, 1, 9])
    expect(answers[2]).toHaveProperty('result.accountProof')
    expect([asked(nodes[0], 'eth_getProof'), asked(nodes[1], 'eth_getProof')]).toEqual([1, 1])
    expect(await forward(chain, proof)).toMatchObject([{ id: 9, result: {} }])
    expect([asked(nodes[0], 'eth_getProof'), asked(nodes[1], 'eth_getProof')]).toEqual([1, 2])
  })

  test('behavior: what all refuse is answered in the words of the first', async () => {
    const lacks = providers['has no traces, proofs, overrides, simulation']
    const chain = await startChain(lacks, { lacks: lacks.lacks })
    const proof = { jsonrpc: '2.0', id: 1, method: 'eth_getProof', params: [demoAccounts[0].address, [], 'latest'] }
    expect(await forward(chain, proof)).toMatchObject([
      { id: 1, error: { message: expect.stringContaining('eth_getProof') } },
    ])
  })

  test('behavior: a revert is an answer', async () => {
    const chain = await startChain({}, {})
    const call = { to: await newSafe(devnet.rpcUrl), data: '0x610b5925' }
    const body = { jsonrpc: '2.0', id: 1, method: 'eth_call', params: [call, 'latest'] }
    expect(await forward(chain, body)).toMatchObject([{ error: {} }])
    expect(asked(nodes[1], 'eth_call')).toBe(0)
  })

  test.each(Object.keys(troubles))(
    'behavior: a node that %s: the next is asked, by the page and by the server',
    async (name) => {
      const chain = await startChain({}, {})
      const trouble = troubles[name]
      if (!trouble) throw new Error('unreachable')
      nodes[0]?.play(trouble)
      const answers = await forward(chain, balances(6))
      expect(answers.map(({ id, result }) => [id, typeof result])).toEqual(
        [0, 1, 2, 3, 4, 5].map((id) => [id, 'string']),
      )
      const own = balances(6).map(({ method, params }) => chain.request({ method, params }))
      expect(await Promise.all(own)).toEqual(answers.map(({ result }) => result))
    },
  )

  test('behavior: trouble of a moment says nothing of the batches that a node takes', async () => {
    const chain = await startChain({})
    nodes[0]?.play(whole(-32603, 'internal error'))
    await forward(chain, balances(6))
    await chain.request({ method: 'eth_chainId' }).catch(() => {})
    expect(kinds(chain)[0]).not.toContain('batch')
  })

  test('behavior: a node that hangs at some requests does not keep a page waiting', async () => {
    const chain = await startChain({}, {})
    nodes[0]?.play((asked, truth) =>
      asked.some(({ method }) => method === 'eth_getBalance') ? new Promise(() => {}) : truth(),
    )
    expect(await forward(chain, balances(3))).toHaveLength(3)
  })

  test('behavior: what no node answers is answered in the words of the first, and what cannot be read is a failure', async () => {
    const chain = await startChain({}, {})
    nodes[0]?.play(each(-32603, 'internal error of the first'))
    nodes[1]?.play(each(-32603, 'internal error'))
    expect(await forward(chain, balances(1))).toMatchObject([{ error: { message: 'internal error of the first' } }])
    const cut = await startChain({})
    nodes[0]?.play(async () => ({ text: '[{"id":0,"resu' }))
    expect(await codeOf(forward(cut, balances(2)))).toBe('CHAIN_UNREACHABLE')
  })

  test('behavior: a page of HTML is no answer: the next is asked', async () => {
    const chain = await startChain({ html: '<html>Attention required</html>' }, {})
    expect(await forward(chain, balances(3))).toHaveLength(3)
  })
})
