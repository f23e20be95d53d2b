import { describe, expect, test } from 'vitest'
import { toHistory } from './balance-history.ts'

const point = (blockNumber: number, changeAfter: bigint, isUnexplained = false) => ({
  blockNumber,
  blockTime: new Date(blockNumber * 1000).toISOString(),
  changeAfter,
  isUnexplained,
})
const now = 1_000_000

describe('toHistory', () => {
  test('default: balances counted back from the end, and what each block changed', () => {
    const points = [point(10, -1n), point(20, 2n, true), point(30, 0n)]
    const known = { blockNumber: 40, hasUnexplained: false, change: 7n, changes: 3, changeSince: 7n, points }
    const history = toHistory(known, 7n, { now, from: null })
    expect(history.changes.map(({ balance }) => balance)).toEqual([8n, 5n, 7n])
    expect(history.changes.map(({ change }) => change)).toEqual([8n, -3n, 2n])
    expect(history.changes.map(({ isUnexplained }) => isUnexplained)).toEqual([false, true, false])
    expect(history).toMatchObject({ balance: 7n, first: null, beyondHistory: 0n, readAt: now })
  })

  test('behavior: what was there before the history stands at its beginning', () => {
    const known = {
      blockNumber: 40,
      hasUnexplained: false,
      change: 5n,
      changes: 1,
      changeSince: 5n,
      points: [point(10, 0n)],
    }
    expect(toHistory(known, 9n, { now, from: null })).toMatchObject({
      first: { at: 10_000, balance: 4n },
      beyondHistory: 4n,
    })
  })

  test('behavior: a period begins with what was there then', () => {
    const known = {
      blockNumber: 40,
      hasUnexplained: false,
      change: 9n,
      changes: 1,
      changeSince: -1n,
      points: [point(30, 0n)],
    }
    const history = toHistory(known, 9n, { now, from: 20_000 })
    expect(history).toMatchObject({ first: { at: 20_000, balance: 10n }, beyondHistory: 0n })
    expect(history.changes[0]?.change).toBe(-1n)
    const quiet = { blockNumber: 40, hasUnexplained: false, change: 9n, changes: 0, changeSince: 0n, points: [] }
    expect(toHistory(quiet, 9n, { now, from: 20_000 }).first).toEqual({ at: 20_000, balance: 9n })
  })

  test('behavior: where blocks are left out, no change is claimed', () => {
    const known = {
      blockNumber: 40,
      hasUnexplained: false,
      change: 9n,
      changes: 5,
      changeSince: 9n,
      points: [point(10, 4n), point(30, 0n)],
    }
    expect(toHistory(known, 9n, { now, from: null }).changes.map(({ change }) => change)).toEqual([null, null])
  })

  test('behavior: transfers that did not happen are more than there is', () => {
    const known = {
      blockNumber: 40,
      hasUnexplained: false,
      change: 1n << 200n,
      changes: 1,
      changeSince: 1n << 200n,
      points: [point(10, 0n)],
    }
    expect(toHistory(known, 0n, { now: 0, from: null })).toMatchObject({ beyondHistory: -(1n << 200n), readAt: 10_000 })
  })
})
