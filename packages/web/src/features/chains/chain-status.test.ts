import type { ChainStatus } from '@countersign/contract'
import { describe, expect, test } from 'vitest'
import { isBehind, percentOf, percentOfSafe, standingOf } from './chain-status.ts'

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
  discovery: null,
  stoppedAt: null,
  disagreement: null,
  failure: null,
}
const past = { safes: 2, blocksLeft: 570, blocksTotal: 1_000 }

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

describe('percentOfSafe', () => {
  test('default: counted from where that Safe is', () => {
    expect(percentOfSafe({ ...fine, backfill: past }, 501)).toBe(50)
    expect(percentOfSafe(fine, 501)).toBeNull()
  })
})
