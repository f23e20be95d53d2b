import { encodeAbiParameters, type Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import type { RpcRequest } from '../safe/safe-state.ts'
import { readTokenNames } from '../tokens/token-readings.ts'
import { type Question, readBounded } from './bounded-reads.ts'

const target = '0x5aFE3855358E112B5647B952709E6165e1c1eEEe'
const other = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

/** A node that runs no code without an address, and so is asked one by one; it counts the calls that ask many. */
function nodeOf(answer: (to: string, data: Hex) => Hex): { request: RpcRequest; calls: () => number } {
  let calls = 0
  return {
    calls: () => calls,
    request: async ({ params = [] }) => {
      const [{ to, data }] = params as [{ to?: string; data: Hex }]
      if (to !== undefined) return answer(to, data)
      calls += 1
      return '0x'
    },
  }
}

describe('readBounded', () => {
  it.each([
    ['gas that fits to the last unit', { gasLimit: 5_000_000, maxBytes: 32 }, 2, 1],
    ['one unit of gas more', { gasLimit: 5_000_001, maxBytes: 32 }, 2, 2],
    ['answers that fit to the last byte', { gasLimit: 1_000, maxBytes: 8_000 }, 2, 1],
    ['one byte more', { gasLimit: 1_000, maxBytes: 8_001 }, 2, 2],
    ['a hundred questions', { gasLimit: 1_000, maxBytes: 32 }, 100, 1],
    ['one question more', { gasLimit: 1_000, maxBytes: 32 }, 101, 2],
  ])('behavior: %s are asked in as few calls as their limits allow', async (_what, limits, count, calls) => {
    const node = nodeOf(() => '0x')
    const question: Question = { target, data: '0x', ...limits }
    const answers = await readBounded(
      node.request,
      Array.from({ length: count }, () => question),
    )
    expect(answers).toHaveLength(count)
    expect(node.calls()).toBe(calls)
  })
})

describe('readTokenNames', () => {
  it('default: the symbol and the name of each token, in their order', async () => {
    const symbol: Hex = '0x95d89b41'
    const node = nodeOf((to, data) =>
      encodeAbiParameters([{ type: 'string' }], [`${data === symbol ? 'symbol' : 'name'} of ${to.toLowerCase()}`]),
    )
    const tokens = [target, other] as const
    const said = tokens.map((token) => token.toLowerCase())
    expect(await readTokenNames(node.request, tokens)).toEqual(
      said.map((token) => ({ symbol: `symbol of ${token}`, name: `name of ${token}` })),
    )
  })
})
