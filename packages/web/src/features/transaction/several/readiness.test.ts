import type { Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { joinReadiness, type RowReadiness } from './readiness.ts'

const hashes = ['0x01', '0x02'] as const
const chosen = hashes.map((safeTxHash, index) => ({ safeTxHash, nonce: BigInt(index) }))
const call = { to: '0x0000000000000000000000000000000000000001', data: '0x' } as const

function ready(safeTxHash: Hex, nonce: bigint): RowReadiness {
  const shown = { hash: safeTxHash, acknowledgements: [] }
  return { ready: { safeTxHash, nonce, shown }, reason: null, call, gas: 50_000n }
}

const [first, second] = [ready('0x01', 0n), ready('0x02', 1n)]

describe('joinReadiness', () => {
  test('default', () => {
    expect(joinReadiness(chosen, new Map([['0x01', first] as const, ['0x02', second] as const]))).toEqual({
      ready: [first.ready, second.ready],
      blocked: null,
      calls: [call, call],
      gas: 100_000n,
    })
  })

  test('behavior: the first that cannot be executed blocks those behind it, with its reason', () => {
    const refused = { ...second, ready: null, reason: 'Not yet' }
    const { blocked } = joinReadiness(chosen, new Map([['0x01', first] as const, ['0x02', refused] as const]))
    expect(blocked).toEqual({ nonce: 1n, reason: 'Not yet' })
  })

  test('behavior: a row that has reported nothing blocks without a reason, and leaves the gas unknown', () => {
    const joined = joinReadiness(chosen, new Map([['0x02', second] as const]))
    expect(joined).toMatchObject({ blocked: { nonce: 0n, reason: null }, gas: null })
  })
})
