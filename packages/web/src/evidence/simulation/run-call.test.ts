import type { CallAnswer, StateReader } from '@countersign/review'
import { type Address, numberToHex, zeroAddress, zeroHash } from 'viem'
import { describe, expect, test } from 'vitest'
import type { Engine } from './engine.ts'
import type { Job } from './messages.ts'
import { awaitRun } from './precedence.ts'
import { openCallQueue } from './run-call.ts'

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
const readerOf = (): StateReader => ({
  chainId: 1,
  header,
  headerGrade: 'proved',
  read: () => Promise.reject(new Error('unread')),
})
const at = (index: number): Address => numberToHex(index, { size: 20 })
const callOf = (index: number) => ({ kind: 'call', from: zeroAddress, to: at(index), data: '0x' }) as const

/** Engines that take a job each and end it when the test says so. */
function engines() {
  const open: { index: number; to: (string | null)[]; end: (answers: CallAnswer[]) => void }[] = []
  let count = 0
  const openOne = (): Engine => {
    const index = count++
    return (job: Job) =>
      new Promise((resolve) => {
        const to = job.kind === 'calls' ? job.calls.map((call) => call.to) : []
        open.push({ index, to, end: (answers) => resolve({ kind: 'answers', answers }) })
      })
  }
  return { open, openOne }
}
const settle = () => new Promise((resolve) => setTimeout(resolve, 0))
const returned: CallAnswer = { kind: 'returned', data: '0x', grade: 'proved' }

describe('openCallQueue', () => {
  test('default: calls of one go travel together', async () => {
    const { open, openOne } = engines()
    const [queue, reader] = [openCallQueue(openOne), readerOf()]
    const answers = [1, 2, 3].map((index) => queue(reader, callOf(index)))
    await settle()
    expect(open).toMatchObject([{ index: 0, to: [at(1), at(2), at(3)] }])
    open[0]?.end([returned, returned, returned])
    expect(await Promise.all(answers)).toEqual([returned, returned, returned])
  })

  test('behavior: a review that somebody looks at comes before rows that were asked for earlier', async () => {
    const { open, openOne } = engines()
    const queue = openCallQueue(openOne)
    for (let row = 1; row <= 15; row++) {
      void queue(readerOf(), callOf(100 + row))
      await settle()
    }
    // One row is busy, and nobody waits.
    expect(open).toMatchObject([{ index: 0, to: [at(101)] }])
    const stop = awaitRun('the page')
    void queue(readerOf(), callOf(1))
    await settle()
    expect(open.slice(1)).toMatchObject([{ index: 1, to: [at(1)] }])
    stop()
    // The rows go on, by the engine that is theirs, the newest first.
    open[1]?.end([returned])
    open[0]?.end([returned])
    await settle()
    expect(open.slice(2)).toMatchObject([{ index: 0, to: [at(115)] }])
  })
})
