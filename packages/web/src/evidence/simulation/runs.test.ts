import type { SimulationResult, SimulationRun, StateReader } from '@countersign/review'
import { zeroAddress, zeroHash } from 'viem'
import { describe, expect, test } from 'vitest'
import type { Engine } from './engine.ts'
import { awaitRun } from './precedence.ts'
import { openRunQueue } from './runs.ts'

const header = {
  hash: zeroHash,
  number: 1n,
  parentHash: zeroHash,
  stateRoot: zeroHash,
  timestamp: 1n,
  coinbase: zeroAddress,
  gasLimit: 1n,
  baseFeePerGas: null,
  prevRandao: zeroHash,
  excessBlobGas: null,
  fork: 'frontier' as const,
}
const reader: StateReader = {
  chainId: 1,
  header,
  headerGrade: 'proved',
  read: () => Promise.reject(new Error('unread')),
}
const run: SimulationRun = { kind: 'call', from: zeroAddress, to: zeroAddress, data: '0x' }
const cost = { rounds: 0, runs: 0, reads: 0, lastRunMs: 0, totalMs: 0 }
const tooLong: SimulationResult = {
  status: 'unfinished',
  reason: { kind: 'limit', limit: 'milliseconds' },
  block: { chainId: 1, number: 1n, hash: zeroHash, timestamp: 1n },
  cost,
}

/** Engines that take a job each and end it when the test says so. */
function engines() {
  const open: { index: number; milliseconds: number | undefined; end: (result: SimulationResult) => void }[] = []
  let count = 0
  const openOne = (): Engine => {
    const index = count++
    return (job) =>
      new Promise((resolve) => {
        const milliseconds = job.options.limits?.milliseconds
        open.push({ index, milliseconds, end: (result) => resolve({ kind: 'result', result }) })
      })
  }
  return { open, openOne }
}
const settle = () => new Promise((resolve) => setTimeout(resolve, 0))

describe('openRunQueue', () => {
  test('behavior: rows of a list never take the engine of what somebody waits for', async () => {
    const { open, openOne } = engines()
    const queue = openRunQueue(openOne)
    for (const key of ['row 1', 'row 2', 'row 3']) void queue(key, reader, run)
    expect(open).toMatchObject([{ index: 1, milliseconds: 4_000 }])
    const stop = awaitRun('row 3')
    // It stood last, and begins at once.
    expect(open).toMatchObject([{ index: 1 }, { index: 0, milliseconds: 20_000 }])
    stop()
  })

  test('behavior: a row that takes too long lets the others go first, and is then given its whole time', async () => {
    const { open, openOne } = engines()
    const queue = openRunQueue(openOne)
    const done: string[] = []
    for (const key of ['hostile', 'ordinary']) void queue(key, reader, run).then(() => done.push(key))
    open[0]?.end(tooLong)
    await settle()
    expect(done).toEqual([])
    open[1]?.end({ ...tooLong, reason: { kind: 'engine', message: 'ended' } })
    await settle()
    expect(done).toEqual(['ordinary'])
    expect(open[2]).toMatchObject({ milliseconds: 20_000 })
    open[2]?.end(tooLong)
    await settle()
    expect(done).toEqual(['ordinary', 'hostile'])
  })
})
