import { describe, expect, test } from 'vitest'
import { boundBody, joinAnswers } from './bound-body.ts'
import { boundCall, MAX_GAS } from './bound-call.ts'

const to = '0x4444444444444444444444444444444444444444'
const endless = { [to]: { code: '0x5b600056' } }
const capped = `0x${MAX_GAS.toString(16)}`
const head = 20_000_000

function bound(method: string, ...params: unknown[]) {
  return boundCall({ method, params }, head)
}

describe('boundCall', () => {
  test.each<[string, unknown[], unknown[]]>([
    ['more gas', [{ to, gas: '0xfffffffffff' }, 'latest', endless], [{ to, gas: capped }, 'latest', endless]],
    ['gas in digits', [{ to, gas: '1000000000000' }, 'latest'], [{ to, gas: capped }, 'latest']],
    ['gas as a number', [{ to, gas: 1e15 }, 'latest'], [{ to, gas: capped }, 'latest']],
    ['gas by its other name', [{ to, gasLimit: '0xfffffffffff' }, 'latest'], [{ to, gasLimit: capped }, 'latest']],
    ['gas in other letters', [{ to, gas_limit: '0XFFFFFFFFFFF' }], [{ to, gas_limit: capped }]],
    [
      'the gas of a block',
      [{ to }, 'latest', endless, { gasLimit: '0xfffffffffff' }],
      [{ to }, 'latest', endless, { gasLimit: capped }],
    ],
    ['little gas', [{ to, gas: '0xfbc520' }, 'latest'], [{ to, gas: '0xfbc520' }, 'latest']],
    ['none', [{ to }, 'latest', null], [{ to }, 'latest', null]],
  ])('behavior: no run has more gas than the most: %s', (_, params, passed) => {
    for (const method of ['eth_call', 'eth_estimateGas', 'eth_createAccessList'])
      expect(bound(method, ...params)).toMatchObject({ call: { method, params: passed } })
  })

  test.each<[string, string, unknown[]]>([
    ['gas that is no number', 'eth_call', [{ to, gas: '-1' }]],
    ['gas that is a list', 'eth_call', [{ to, gas: ['0xfffffffffff'] }]],
    ['a call that is a list', 'eth_estimateGas', [[to]]],
    ['no call', 'eth_call', []],
    ['long code', 'eth_call', [{ to }, 'latest', { [to]: { code: `0x${'5b'.repeat(300_000)}` } }]],
    ['many codes', 'eth_call', [{ to }, 'latest', accounts(65, { code: '0x5b600056' })]],
    ['many slots', 'eth_call', [{ to }, 'latest', accounts(3, { stateDiff: slots(2_000) })]],
    ['many slots instead', 'eth_estimateGas', [{ to }, 'latest', accounts(1, { state: slots(5_001) })]],
    ['many simulated blocks', 'eth_simulateV1', [{ blockStateCalls: Array(5).fill({ calls: [{ to }] }) }]],
    ['many simulated calls', 'eth_simulateV1', [{ blockStateCalls: [{ calls: Array(17).fill({ to }) }] }]],
    ['a block far from now', 'eth_simulateV1', [{ blockStateCalls: [{ blockOverrides: { number: '0xfffffff' } }] }]],
    ['many simulated codes', 'eth_simulateV1', [{ blockStateCalls: [{ stateOverrides: accounts(65, {}) }] }]],
    ['all logs', 'eth_getLogs', [{ fromBlock: '0x0' }]],
    ['all logs from the first', 'eth_getLogs', [{ fromBlock: 'earliest', toBlock: 'latest' }]],
    ['all logs, backwards', 'eth_getLogs', [{ fromBlock: 'latest', toBlock: 'earliest' }]],
    ['all logs in digits', 'eth_getLogs', [{ fromBlock: '1', toBlock: '19000000' }]],
    ['logs of an address since ever', 'eth_getLogs', [{ address: to, fromBlock: '0x0', toBlock: 'finalized' }]],
    ['logs of an empty list', 'eth_getLogs', [{ address: [], fromBlock: '0x0' }]],
    ['logs of many', 'eth_getLogs', [{ address: Array(1_001).fill(to), blockHash: '0x00' }]],
    ['a list of topics', 'eth_getLogs', [{ address: to, topics: [Array(1_000).fill(null)] }]],
    ['many proofs', 'eth_getProof', [to, Array(1_025).fill('0x0'), 'latest']],
    ['all fees', 'eth_feeHistory', ['0xffffff', 'latest', []]],
    ['many fees', 'eth_feeHistory', ['0x400', 'latest', Array(101).fill(50)]],
  ])('behavior: refuses %s', (_, method, params) => {
    expect(bound(method, ...params)).toHaveProperty('refusal')
  })

  test.each<[string, string, unknown[]]>([
    ['the run of the review, asked of the node', 'eth_simulateV1', [simulated(), '0x10']],
    ['its run with a code that asks', 'eth_call', [run(), '0x10', { [to]: { code: `0x${'5b'.repeat(24_000)}` } }]],
    ['many questions in one', 'eth_call', [{ data: `0x${'60'.repeat(30_000)}`, gas: '0xfbc520' }, 'latest']],
    ['a proof', 'eth_getProof', [to, Array(500).fill('0x0'), '0x10']],
    [
      'logs of a Safe in a month',
      'eth_getLogs',
      [{ address: to, topics: [[to, to]], fromBlock: '0x120a5c0', toBlock: '0x1312d00' }],
    ],
    ['logs of all in a few blocks', 'eth_getLogs', [{ fromBlock: '0x1312c00' }]],
    ['logs of the newest block', 'eth_getLogs', [{}]],
    ['fees', 'eth_feeHistory', ['0xa', 'latest', [10, 50]]],
    ['an estimate', 'eth_estimateGas', [{ from: to, to, data: '0x' }]],
    ['the newest block', 'eth_getBlockByNumber', ['latest', false]],
    ['a chain without anything', 'eth_chainId', []],
  ])('behavior: passes on as it is: %s', (_, method, params) => {
    expect(bound(method, ...params)).toMatchObject({ call: { method, params } })
  })

  test('behavior: refuses ranges that end at an unknown newest block', () => {
    const open = { method: 'eth_getLogs', params: [{ address: to, fromBlock: '0x1' }] }
    expect(boundCall(open, null)).toHaveProperty('refusal')
    expect(boundCall({ ...open, params: [{ address: to, fromBlock: '0x1', toBlock: '0x2' }] }, null)).toHaveProperty(
      'call',
    )
  })
})

describe('boundBody', () => {
  const ask = (id: number, method: string, ...params: unknown[]) => ({ jsonrpc: '2.0' as const, id, method, params })

  test('behavior: splits a batch by cost, and answers a call above the limit without the node', () => {
    const runs = Array.from({ length: 100 }, (_, id) => ask(id, 'eth_call', { to }, 'latest', endless))
    const reads = Array.from({ length: 100 }, (_, id) => ask(id, 'eth_getCode', to, 'latest'))
    expect(boundBody(reads, head).parts).toHaveLength(1)
    const { parts, answers, cost } = boundBody([...runs, ask(200, 'eth_getLogs', { fromBlock: '0x0' })], head)
    expect(parts.flatMap(({ calls }) => calls)).toHaveLength(100)
    expect(Math.max(...parts.map((part) => part.cost))).toBeLessThanOrEqual(600)
    expect(cost).toBeGreaterThan(3_000)
    expect(answers.map((text) => JSON.parse(text))).toMatchObject([{ id: 200, error: { code: -32602 } }])
  })

  test('behavior: joins the answers of the parts', () => {
    expect(joinAnswers(['[{"id":1}, {"id":2}]', ' {"id":3}', '[]'], true)).toBe('[{"id":1}, {"id":2},{"id":3}]')
    expect(joinAnswers(['{"id":1}'], false)).toBe('{"id":1}')
  })
})

function accounts(count: number, override: object): object {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`0x${String(at).padStart(40, '0')}`, override]))
}

function slots(count: number): object {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`0x${String(at).padStart(64, '0')}`, '0x1']))
}

function run() {
  return { from: to, to, data: '0x6a761202', gas: '0x1000000' }
}

function simulated() {
  return {
    blockStateCalls: [{ stateOverrides: { [to]: { stateDiff: slots(3) } }, calls: [run()] }],
    traceTransfers: true,
  }
}
