import { RpcRequestError } from 'viem'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createNodeLimits } from './node-limits.ts'
import { parseRefusal } from './refusals.ts'

const refused = (message: string, code = -32000, method = 'eth_getLogs') =>
  new RpcRequestError({ body: { method }, url: 'http://node', error: { code, message } })
const logs = (blocks: number, address?: string) => ({
  method: 'eth_getLogs',
  params: [{ fromBlock: '0x1', toBlock: `0x${blocks.toString(16)}`, ...(address ? { address } : {}) }],
})
const at = (method: string, block: string) => ({ method, params: ['0x00', block] })

describe('parseRefusal', () => {
  test.each([
    ['eth_getLogs is limited to a 10,000 range', 'log-range', 10_000],
    ['you can make eth_getLogs requests with up to a 10 block range.', 'log-range', 10],
    ['Block range is too large', 'log-range', 19_999],
    ['exceed maximum block range: 5000', 'log-range', 5_000],
    ['requested too many blocks from 1 to 20000, maximum is set to 2048', 'log-range', 2_048],
    ['block range limit exceeded. See more details at docs', 'log-range', 19_999],
    ['query returned more than 10000 results', 'log-results', 10_000],
    ['query exceeds max results 20000, retry with the range 5-9', 'log-results', 20_000],
    ['Log response size exceeded. You can make requests with up to a 2K block range', 'answer-size', null],
    ['Please specify an address in your request', 'log-address', null],
    ['missing address filter', 'log-address', null],
    // Words about many addresses, of a query that names none, are about something else.
    ['too many addresses', 'log-range', 19_999],
  ] as const)('default: logs, %s', (words, kind, value) => {
    expect(parseRefusal(logs(20_000), refused(words), null)).toEqual({ kind, value, words })
  })

  test.each([
    ['too many addresses in filter', 'log-addresses', 250],
    ['too many addresses: 500, the maximum is 100', 'log-addresses', 100],
    ['number of addresses must not be more than 10', 'log-addresses', 10],
    ['Please specify at most 1,000 addresses', 'log-addresses', 250],
    ['addresses limit exceeded: 500 > 100', 'log-addresses', 250],
    ['exceed max addresses or topics per search position', 'log-addresses', 250],
    ['exceed maximum of 64 topics', 'log-addresses', 64],
    ['filter too complex', 'log-addresses', 250],
  ] as const)('behavior: logs of many contracts, %s', (words, kind, value) => {
    const address = Array.from({ length: 500 }, (_, at) => `0x${at.toString(16).padStart(40, '0')}`)
    const call = { method: 'eth_getLogs', params: [{ address, topics: [], fromBlock: '0x1', toBlock: '0x9' }] }
    expect(parseRefusal(call, refused(words), null)).toEqual({ kind, value, words })
  })

  test('behavior: logs by many values of a topic', () => {
    const topics = [['0x01'], ['0x02', '0x03', '0x04', '0x05']]
    const call = { method: 'eth_getLogs', params: [{ address: '0x06', topics, fromBlock: '0x1', toBlock: '0x9' }] }
    const words = 'exceed max addresses or topics per search position'
    expect(parseRefusal(call, refused(words), null)).toEqual({ kind: 'log-topics', value: 2, words })
  })

  test('behavior: state that is gone names how far back it is kept', () => {
    const gone = refused('missing trie node 9f1e (path ) state 0x52 is not available')
    expect(parseRefusal(at('eth_getBalance', '0x64'), gone, 1_100)).toMatchObject({ kind: 'archive', value: 999 })
    // A node that does not have the block yet lags; it says nothing of old state.
    expect(parseRefusal(at('eth_getBalance', '0x44c'), gone, 1_100)).toMatchObject({ kind: null })
  })

  test.each([
    ['eth_getProof', 'proofs'],
    ['eth_simulateV1', 'simulation'],
    ['debug_traceTransaction', 'traces'],
  ] as const)('behavior: %s that the node does not have', (method, kind) => {
    const error = refused('the method does not exist', -32601, method)
    expect(parseRefusal({ method, params: [] }, error, null)).toMatchObject({ kind })
  })

  test('behavior: overrides', () => {
    const call = { method: 'eth_call', params: [{}, 'latest', { '0x00': {} }] }
    const error = refused('too many arguments, want at most 2', -32602)
    expect(parseRefusal(call, error, null)).toMatchObject({ kind: 'overrides' })
    expect(parseRefusal({ method: 'eth_call', params: [{}, 'latest'] }, error, null)).toBe(null)
  })

  test('behavior: what a contract or a pool of transactions says is an answer', () => {
    const call = { method: 'eth_call', params: [{}, 'latest'] }
    expect(parseRefusal(call, refused('execution reverted: archive', 3), null)).toBe(null)
    const send = { method: 'eth_sendRawTransaction', params: ['0x'] }
    expect(parseRefusal(send, refused('nonce too low'), null)).toBe(null)
    expect(parseRefusal(call, refused('execution reverted: try again later'), null)).toBe(null)
    expect(parseRefusal(call, refused('VM Exception while processing transaction', -32603), null)).toBe(null)
  })
})

describe('createNodeLimits', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  test('default: a limit is known by the next question', () => {
    const limits = createNodeLimits([])
    expect(limits.refuses(logs(501), null)).toBe(false)
    limits.learn({ kind: 'log-range', value: 500, words: 'at most 500' })
    limits.learn({ kind: 'log-address', value: null, words: 'name one' })
    expect(limits.refuses(logs(501, '0x00'), null)).toBe(true)
    expect(limits.refuses(logs(500, '0x00'), null)).toBe(false)
    expect(limits.refuses(logs(500), null)).toBe(true)
    limits.learn({ kind: 'archive', value: 128, words: 'gone' })
    expect(limits.refuses(at('eth_getCode', '0x64'), 300)).toBe(true)
    expect(limits.refuses(at('eth_getCode', '0x64'), 200)).toBe(false)
  })

  test('behavior: an answer takes back what was learned', () => {
    const limits = createNodeLimits([])
    limits.learn({ kind: 'log-range', value: 500, words: 'at most 500' })
    limits.answered(logs(500, '0x00'), null)
    expect(limits.all()).toHaveLength(1)
    limits.answered(logs(2_000, '0x00'), null)
    expect(limits.all()).toEqual([])
  })

  test('behavior: words hold no key of the URL, no second line, and an end', () => {
    const limits = createNodeLimits(['s3cr3t-key-0123'])
    limits.learn({ kind: 'log-range', value: 1, words: `see https://x/s3cr3t-key-0123\n${'a'.repeat(400)}` })
    const [one] = limits.all()
    expect(one?.words).toMatch(/^see https:\/\/x\/… a+$/)
    expect(one?.words.length).toBeLessThanOrEqual(200)
  })

  test('behavior: is forgotten after hours, for the node may have changed its mind', () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const limits = createNodeLimits([])
    limits.learn({ kind: 'log-address', value: null, words: 'name one' })
    vi.setSystemTime(Date.now() + 7 * 3_600_000)
    expect(limits.refuses(logs(5), null)).toBe(false)
  })

  test('behavior: what was kept is known again', () => {
    const limits = createNodeLimits([])
    const kept = { kind: 'log-range', value: 500, words: 'at most 500', learnedAt: Date.now() } as const
    limits.recall([kept])
    expect(limits.all()).toEqual([kept])
    expect(limits.refuses(logs(501), null)).toBe(true)
  })
})
