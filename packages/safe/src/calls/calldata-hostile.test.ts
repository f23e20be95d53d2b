import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { type Address, concat, encodeFunctionData, type Hex, pad, size, toHex } from 'viem'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../../scripts/testing/random-tests.mjs'
import { multiSendAbi } from '../abi/abi.ts'
import { CountersignError } from '../error.ts'
import { DECODE_BUDGET, describeCall, flattenCalls } from './calldata.ts'
import { callOnly, describePlain, faultsOf, functions, multicall3, safeAddress, to, word } from './calldata-scene.ts'
import { parseGivenAbi } from './given-abi.ts'
import { encodeMultiSend } from './multi-send.ts'

describe('budgets', () => {
  it('name the depth', () => {
    let data = encodeMultiSend([])
    for (let depth = 0; depth < DECODE_BUDGET.depth + 2; depth += 1) {
      data = encodeMultiSend([{ to: callOnly, value: 0n, data, operation: 1 }])
    }
    const deep = describePlain(data, { to: callOnly, operation: 1 })
    expect(flattenCalls(deep).at(-1)).toMatchObject({ problem: 'BUDGET', issues: [{ id: 'budget-depth' }] })
  })

  it('name the number of calls', () => {
    const many = encodeMultiSend(Array.from({ length: 600 }, () => ({ to, value: 1n, data: '0x' as const })))
    const wide = flattenCalls(describePlain(many, { to: callOnly, operation: 1 }))
    expect(wide.at(-1)).toMatchObject({ problem: 'BUDGET', issues: [{ id: 'budget-calls' }] })
    // The batch itself, as many entries as the budget has, and the one that is too many.
    expect(wide.length).toBe(DECODE_BUDGET.calls + 2)
  })

  it('name the bytes of one call, and of all', () => {
    const long: Hex = `0x${'00'.repeat(DECODE_BUDGET.bytes + 1)}`
    expect(describePlain(long)).toMatchObject({ problem: 'BUDGET', issues: [{ id: 'budget-bytes' }] })
    // Every entry of the multicall is the same 100 KiB: the calldata is small, what it says is not.
    const shared = `${word(32)}${word(100)}${Array.from({ length: 100 }, () => word(3200)).join('')}${word(100_000)}${'00'.repeat(100_000)}`
    expect(describePlain(`0xac9650d8${shared}`)).toMatchObject({ problem: 'BUDGET', issues: [{ id: 'budget-bytes' }] })
  })

  it('name the bytes of a tree that says everything twice, and twice again', () => {
    let data: Hex = `0x${'11'.repeat(50_000)}`
    for (let depth = 0; depth < 6; depth += 1) {
      const inner = data.slice(2).padEnd(Math.ceil(size(data) / 32) * 64, '0')
      data = `0xac9650d8${word(32)}${word(2)}${word(64)}${word(64)}${word(size(data))}${inner}`
    }
    const calls = flattenCalls(describePlain(data))
    expect(calls.flatMap(({ issues }) => issues.map(({ id }) => id))).toContain('budget-bytes')
    expect(calls.reduce((sum, call) => sum + size(call.data), 0)).toBeLessThan(2 * DECODE_BUDGET.allBytes)
  })

  it('allow as many bytes as they have', () => {
    expect(describePlain(`0x${'11'.repeat(DECODE_BUDGET.bytes)}`).issues).toEqual([])
    const multicall = (...data: Hex[]) =>
      encodeFunctionData({ abi: functions, functionName: 'multicall', args: [data] })
    let data: Hex = `0x${'11'.repeat(115_232)}`
    for (let depth = 1; depth < DECODE_BUDGET.depth; depth += 1) data = multicall(data)
    const calls = flattenCalls(describePlain(multicall(data, `0x${'11'.repeat(2_944)}`)))
    expect(calls.reduce((sum, call) => sum + size(call.data), 0)).toBe(DECODE_BUDGET.allBytes)
    expect(calls.flatMap(({ issues }) => issues)).toEqual([])
  })

  it('name the number of values', () => {
    const deep = parseGivenAbi([{ type: 'function', name: 'f', inputs: [{ type: 'uint256[1][1][1][1][1][]' }] }])
    const data = concat([deep[0]?.selector ?? '0x', `0x${word(32)}${word(4000)}${'00'.repeat(4000 * 32)}`])
    const call = describePlain(data, { abis: [{ address: to, functions: deep }] })
    expect(call).toMatchObject({ problem: 'BUDGET', issues: [{ id: 'budget-values' }] })
  })
})

describe('calldata of transactions that happened', () => {
  type Vector = { safe: Address; to: Address; value: string; data: Hex; operation: 0 | 1 | 2; attack?: string }
  const vectors: Vector[] = JSON.parse(
    readFileSync(new URL('../../vectors/safe-tx-hashes.json', import.meta.url), 'utf8'),
  )
  const describeVector = ({ safe, to: target, value, data, operation }: Vector) =>
    describeCall({ safeAddress: safe, to: target, value: BigInt(value), data, operation: operation === 0 ? 0 : 1 })
  const attack = (name: string) => {
    const vector = vectors.find((candidate) => candidate.attack?.startsWith(name))
    if (vector === undefined) throw new Error(`There is no vector \`${name}\`.`)
    return describeVector(vector)
  }

  it('is sound in every vector', () => {
    for (const vector of vectors) expect(faultsOf(describeVector(vector))).toEqual([])
  })

  it('is no transfer in the attack on Bybit, though its selector is', () => {
    expect(attack('bybit')).toMatchObject({ operation: 1, kind: 'unknown', name: null, undecodedBytes: 68, issues: [] })
  })

  it('cannot be read in the attack on WazirX', () => {
    expect(attack('wazirx')).toMatchObject({ operation: 1, name: null, undecodedBytes: 36, issues: [] })
  })

  it('hands over the ownership in the attack on Radiant', () => {
    expect(attack('radiant')).toMatchObject({
      operation: 0,
      name: 'transferOwnership(address)',
      family: 'ownership',
      undecoded: [],
    })
  })

  it('decodes to the last byte in all 53 multicalls that a Safe ran as itself', () => {
    const multicalls = vectors.filter(({ data }) => data.startsWith('0x82ad56cb') || data.startsWith('0x174dea71'))
    expect(multicalls).toHaveLength(53)
    for (const vector of multicalls) {
      const call = describeVector(vector)
      expect(call).toMatchObject({ family: 'multicall', source: 'built-in', undecoded: [], issues: [], problem: null })
      expect(call.calls?.length).toBeGreaterThan(0)
      for (const inner of call.calls ?? []) expect(inner).toMatchObject({ from: vector.safe, problem: null })
    }
  })
})

describe('hostile calldata', () => {
  const bytes = fc.uint8Array({ maxLength: 300 }).map((all): Hex => `0x${Buffer.from(all).toString('hex')}`)
  const selectors = fc.constantFrom(
    '8d80ff0a',
    'a9059cbb',
    '82ad56cb',
    '174dea71',
    'ac9650d8',
    '6a761202',
    '468721a7',
    '87517c45',
    '1f931c1c',
    '4f1ef286',
    '252dba42',
    '01d5062a',
    'e38335e5',
  )
  // Words that are offsets and lengths as often as not: they are what a decoder trips over.
  const words = fc.oneof(
    fc.integer({ min: 0, max: 40 }).map((n) => word(n * 32)),
    fc.integer({ min: 0, max: 300 }).map(word),
    fc.constantFrom(
      'ff'.repeat(32),
      `${'00'.repeat(28)}ffffffff`,
      `80${'00'.repeat(31)}`,
      `${'00'.repeat(24)}${'ff'.repeat(8)}`,
    ),
    fc.uint8Array({ minLength: 32, maxLength: 32 }).map((all) => Buffer.from(all).toString('hex')),
  )
  const crafted = fc
    .tuple(selectors, fc.array(words, { maxLength: 30 }), fc.constantFrom('', '00', '8d80ff0a'))
    .map(([selector, all, rest]): Hex => `0x${selector}${all.join('')}${rest}`)
  const batch = fc
    .array(fc.tuple(fc.integer({ min: 0, max: 255 }), fc.oneof(bytes, crafted), fc.integer({ min: -40, max: 40 })), {
      maxLength: 6,
    })
    .map((entries) => {
      const packed = entries.map(([operation, data, more]) =>
        concat([
          toHex(operation < 200 ? operation % 2 : operation, { size: 1 }),
          to,
          pad('0x01'),
          pad(toHex(Math.max(0, size(data) + (more > 30 ? more : 0)))),
          data,
        ]),
      )
      return encodeFunctionData({ abi: multiSendAbi, functionName: 'multiSend', args: [concat(['0x', ...packed])] })
    })
  const nested = fc.tuple(fc.oneof(batch, crafted), fc.integer({ min: 0, max: 10 })).map(([data, times]) => {
    let all = data
    for (let index = 0; index < times; index += 1) {
      all =
        index % 2
          ? encodeMultiSend([{ to, value: 0n, data: all, operation: 1 }])
          : encodeFunctionData({ abi: functions, functionName: 'multicall', args: [[all, '0x']] })
    }
    return all
  })

  it('is described without an exception, and consistently', () => {
    fc.assert(
      fc.property(
        fc.oneof(bytes, crafted, batch, nested),
        fc.constantFrom<(0 | 1)[]>(0, 1),
        fc.constantFrom(to, callOnly, multicall3, safeAddress),
        (data, operation, target) => {
          expect(faultsOf(describeCall({ to: target, value: 1n, data, operation, safeAddress }))).toEqual([])
        },
      ),
      runs(1500),
    )
  })

  it('is a batch without even an offset', () => {
    expect(faultsOf(describePlain('0x8d80ff0a'))).toEqual([])
    expect(describePlain('0x8d80ff0a')).toMatchObject({ problem: 'MULTISEND_MALFORMED', undecoded: [] })
  })

  it('ends at the budget when it points at itself', () => {
    // Besides the calls of the budget: the outermost, and the one at which it ends.
    // Each multicall is the calldata around it again, several times over.
    const self = (count: number): Hex => `0xac9650d8${word(32)}${word(count)}${word(0).repeat(count)}`
    for (const count of [0, 1, 100, 4000]) {
      const call = describePlain(self(count))
      expect(faultsOf(call)).toEqual([])
      expect(flattenCalls(call).length).toBeLessThanOrEqual(DECODE_BUDGET.calls + 2)
    }
    const tail = `${word(32)}${word(1000)}${Array.from({ length: 1000 }, () => word(32_000)).join('')}${word(64)}${'11'.repeat(64)}`
    const call = describePlain(`0xac9650d8${tail}`)
    expect(faultsOf(call)).toEqual([])
    expect(flattenCalls(call).some(({ problem }) => problem !== null)).toBe(true)
    expect(flattenCalls(call).length).toBeLessThanOrEqual(DECODE_BUDGET.calls + 2)
  })

  it('refuses an ABI with more parameters than all contracts together', () => {
    const inputs = Array.from({ length: 250 }, () => ({ type: 'uint256' }))
    const abi = Array.from({ length: 100 }, (_, index) => ({ type: 'function', name: `f${index}`, inputs }))
    expect(() => parseGivenAbi(abi)).toThrow(expect.objectContaining({ code: 'ABI_MALFORMED' }))
    expect(parseGivenAbi(abi.slice(0, 50))).toHaveLength(50)
  })

  it('makes a given ABI a CountersignError or nothing', () => {
    const json = fc.letrec((tie) => ({
      type: fc.constantFrom(
        'uint256',
        'tuple',
        'tuple[]',
        'uint256[0]',
        'bytes33',
        'uint7',
        'string[999999][999999]',
        'function',
        'x'.repeat(300),
        `uint8${'[]'.repeat(40)}`,
        'address payable',
        '',
      ),
      input: fc.record(
        {
          name: fc.constantFrom('a', '', '__proto__', 'b c', '\u202e'),
          type: tie('type'),
          components: fc.option(fc.array(tie('input'), { maxLength: 3, depthIdentifier: 'abi' }), { nil: undefined }),
        },
        { requiredKeys: [] },
      ),
    }))
    fc.assert(
      fc.property(
        fc.oneof(
          fc.jsonValue(),
          fc.array(
            fc.record({
              type: fc.constant('function'),
              name: fc.constantFrom('f', 'g', ''),
              inputs: fc.array(json.input, { maxLength: 3 }),
            }),
          ),
        ),
        (abi) => {
          try {
            parseGivenAbi(abi)
          } catch (error) {
            expect(error).toBeInstanceOf(CountersignError)
          }
        },
      ),
      runs(500),
    )
  })
})
