import { executionSize, MAX_TRANSACTION_BYTES } from '@countersign/safe/calls'
import type { Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import { reviewSafeTx } from '../review.ts'
import { inputOf, state } from '../scene.ts'
import { callOf } from './simulation/runs.ts'
import { failureOf, simulationOf } from './simulation/scene.ts'

/** Bytes of data that a transaction of the scene's Safe has room for. */
const room = Math.floor((MAX_TRANSACTION_BYTES - executionSize({ data: '0x' }, state)) / 32) * 32

async function review(length: number) {
  const data: Hex = `0x${'ab'.repeat(length)}`
  const { wouldFail, findings } = await reviewSafeTx(inputOf({ data }))
  return { wouldFail, found: findings.filter(({ evidence }) => evidence.byteLimit !== undefined) }
}

describe('a transaction of many bytes', () => {
  it('is told as too large from the first byte on that nodes do not take, and not before', async () => {
    expect((await review(room)).found).toEqual([])
    const { wouldFail, found } = await review(room + 1)
    expect(wouldFail).toBe(true)
    expect(found).toMatchObject([{ id: 'TX-OVERSIZED', severity: 'high', evidence: { byteLimit: 131_072 } }])
    expect(Number(found[0]?.evidence.byteSize)).toBeGreaterThan(MAX_TRANSACTION_BYTES)
  })

  it('does not say why a run of it fails, and nothing once its nonce is used', async () => {
    const data: Hex = `0x${'ab'.repeat(room + 1)}`
    const failure = failureOf('0x')
    const run = simulationOf({ outcome: { kind: 'reverted', failure, began: [] }, call: callOf({ failure }) })
    const { findings } = await reviewSafeTx(inputOf({ data }, run))
    const told = findings.flatMap(({ id, severity }) => (/OVERSIZED|REVERT/.test(id) ? [[id, severity]] : []))
    expect(told.toSorted()).toEqual([
      ['SIM-REVERT', 'high'],
      ['TX-OVERSIZED', 'high'],
    ])
    const past = await reviewSafeTx(inputOf({ data, nonce: 4n }))
    expect(past.findings.map(({ id }) => id)).not.toContain('TX-OVERSIZED')
  })
})
