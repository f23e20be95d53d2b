import type { RpcRequest } from '@countersign/safe'
import { numberToHex } from 'viem'
import { describe, expect, it } from 'vitest'
import { safeAddress } from '../scene.ts'
import { readLogsOfPeriod } from './period-logs.ts'

/** A node with one block per second that answers queries for at most `max` blocks, and the block counts of its queries. */
function nodeOf(newest: number, most: number) {
  const asked: number[] = []
  const request: RpcRequest = async ({ method, params = [] }) => {
    const [query] = params as [string | { fromBlock: string; toBlock: string }]
    if (method === 'eth_getBlockByNumber') return { number: query, timestamp: query }
    if (typeof query === 'string') throw new Error(method)
    const blocks = Number(query.toBlock) - Number(query.fromBlock) + 1
    asked.push(blocks)
    if (blocks > most) throw new Error('too many blocks')
    return []
  }
  const read = (seconds: number) => {
    const block = Promise.resolve({ number: numberToHex(newest), timestamp: numberToHex(newest) })
    return readLogsOfPeriod(request, { address: safeAddress, topics: [] }, { newest: block, seconds })
  }
  return { asked, read }
}

describe('readLogsOfPeriod', () => {
  it('default: asks for the whole period at once, then in ranges', async () => {
    const { asked, read } = nodeOf(25_000, 10_000)
    expect(await read(86_400)).toEqual([])
    expect(asked).toEqual([25_001, 10_000, 10_000, 5_001])
  })

  it.each([
    ['one range', 5, 86_400],
    ['too many ranges', 1_000_000, 450_000],
  ])('error: the error of the node for %s, which are not requested again', async (_, newest, seconds) => {
    const { asked, read } = nodeOf(newest, 1)
    await expect(read(seconds)).rejects.toThrow('too many blocks')
    expect(asked).toHaveLength(1)
  })
})
