import type { ChainStatus } from '@countersign/contract'
import { describe, expect, test } from 'vitest'
import { isBehind, percentOf, progressOfSafe, secondsOf, standingOf } from './chain-status.ts'

const now = Date.parse('2026-03-01T12:00:00Z')
const time = (secondsAgo: number) => new Date(now - secondsAgo * 1000).toISOString()
const fine: ChainStatus = {
  chainId: 1,
  node: 'ok',
  index: 'tracked',
  cursor: { blockNumber: 1_000, time: time(12) },
  head: { blockNumber: 1_001, time: time(0), readAt: time(0) },
  lag: { blocks: 1, seconds: 12 },
  backfill: null,
  ofNamedTokens: null,
  discovery: null,
  stoppedAt: null,
  disagreement: null,
  failure: null,
  nodes: [],
}
const past = { safes: 2, blocksLeft: 570, blocksTotal: 1_000, blocksPerSecond: 10 }

describe('standingOf', () => {
  test.each([
    ['up-to-date', {}],
    ['up-to-date', { lag: { blocks: 0, seconds: 3_600 } }],
    ['behind', { lag: { blocks: 5, seconds: 60 } }],
    ['behind', { lag: { blocks: 100, seconds: null } }],
    ['reading-past', { backfill: past }],
    ['reading-past', { discovery: past, lag: { blocks: 5, seconds: 60 } }],
    ['starting', { cursor: null, lag: null }],
    ['silent', { head: { blockNumber: 1_001, time: time(0), readAt: time(120) } }],
    ['up-to-date', { failure: { code: 'RPC_ERROR', since: time(3) } }],
    ['failing', { failure: { code: 'RPC_ERROR', since: time(15) }, backfill: past }],
    ['unreachable', { node: 'unreachable', failure: { code: 'RPC_ERROR', since: time(99) } }],
    ['wrong-chain', { node: 'wrong-chain' }],
    ['disagreement', { disagreement: { since: time(1), blockNumber: 9, hosts: ['a', 'b'] }, node: 'unreachable' }],
    ['stopped', { stoppedAt: time(1), node: 'unreachable' }],
  ] satisfies [string, Partial<ChainStatus>][])('%s', (expected, part) => {
    expect(standingOf({ ...fine, ...part }, now)).toBe(expected)
  })
})

describe('isBehind', () => {
  test('default: not while nothing is known', () => {
    expect(isBehind({ ...fine, lag: null })).toBe(false)
  })
})

describe('percentOf', () => {
  test('default: whole percent, a hundred only at the end', () => {
    expect(percentOf(past)).toBe(43)
    expect(percentOf({ blocksLeft: 1, blocksTotal: 100_000 })).toBe(99)
    expect(percentOf({ blocksLeft: 0, blocksTotal: 0 })).toBe(100)
    expect(percentOf({ blocksLeft: 9, blocksTotal: 5 })).toBe(0)
  })
})

describe('progressOfSafe', () => {
  const status = { ...fine, backfill: past }

  test('default: counted down from where the chain is followed to, to where its history begins', () => {
    expect(progressOfSafe(status, { backfillBlock: 1, backfillTo: 500 })).toEqual({
      percent: 50,
      secondsLeft: 50,
      blocksPerSecond: 10,
    })
    expect(progressOfSafe(status, { backfillBlock: 1, backfillTo: null })).toEqual({
      percent: 0,
      secondsLeft: 100,
      blocksPerSecond: 10,
    })
    expect(progressOfSafe(fine, { backfillBlock: 1, backfillTo: 500 })).toBeNull()
  })

  test('behavior: no time is promised before anything was measured', () => {
    const unmeasured = { ...fine, backfill: { ...past, blocksPerSecond: null } }
    expect(progressOfSafe(unmeasured, { backfillBlock: 1, backfillTo: 500 })?.secondsLeft).toBeNull()
    expect(secondsOf(5, 0)).toBeNull()
  })
})
