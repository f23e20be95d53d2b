import { CountersignError } from '@countersign/safe'
import type { Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { type CollectSteps, collectSignature } from './collect-signature.ts'

const DAY = 86_400_000

/** A Safe whose owners sign as the script says, and a clock that only pauses move. */
function scene(script: (Hex | null | Error)[], verdicts: (CountersignError | null)[] = []) {
  let now = 12_345
  const pauses: number[] = []
  const verified: Hex[] = []
  const troubles: (string | undefined)[] = []
  const steps: CollectSteps = {
    read: async () => {
      const next = script.shift() ?? null
      if (next instanceof Error) throw next
      return next
    },
    verify: async (signature) => {
      verified.push(signature)
      const verdict = verdicts.shift()
      if (verdict) throw verdict
    },
    onTrouble: (error) => troubles.push(error?.code),
    now: () => now,
    pause: async (milliseconds) => {
      pauses.push(milliseconds)
      now += milliseconds
    },
  }
  return { steps, pauses, verified, troubles }
}

const run = (steps: CollectSteps, signal = new AbortController().signal) => collectSignature(DAY, steps, signal)

describe('collectSignature', () => {
  test('default: looks at once, then ever more seldom, up to a minute', async () => {
    const { steps, pauses, verified } = scene([...Array(8).fill(null), '0x1234'])
    await run(steps)
    expect(verified).toEqual(['0x1234'])
    expect(pauses.slice(0, 3)).toEqual([10_000, 15_000, 22_500])
    expect(Math.max(...pauses)).toBe(60_000)
  })

  test('behavior: a signature that does not hold yet, a node that is away, a busy server, a mute interface: it goes on', async () => {
    const invalid = new CountersignError('SIWE_SIGNATURE_INVALID', 'no')
    const away = new CountersignError('CHAIN_UNREACHABLE', 'no')
    const busy = new CountersignError('OVERLOADED', 'no')
    const { steps, verified, troubles } = scene(
      ['0x12', new Error('service down'), '0x12', null, '0x12', '0x1234'],
      [invalid, away, busy],
    )
    await run(steps)
    expect(verified).toEqual(['0x12', '0x12', '0x12', '0x1234'])
    expect(troubles).toEqual(['SIWE_SIGNATURE_INVALID', 'WALLET_FAILED', 'CHAIN_UNREACHABLE', undefined, 'OVERLOADED'])
  })

  test('behavior: the empty signature of a message signed on the chain is one', async () => {
    const { steps, verified } = scene([null, '0x'])
    await run(steps)
    expect(verified).toEqual(['0x'])
  })

  test('error: SIWE_NONCE_UNKNOWN ends it: no further try can change that', async () => {
    const { steps, pauses } = scene(['0x12'], [new CountersignError('SIWE_NONCE_UNKNOWN', 'no')])
    await expect(run(steps)).rejects.toMatchObject({ code: 'SIWE_NONCE_UNKNOWN' })
    expect(pauses).toEqual([])
  })

  test('error: SIWE_EXPIRED at the very end of its time', async () => {
    const { steps, pauses } = scene([])
    await expect(run(steps)).rejects.toMatchObject({ code: 'SIWE_EXPIRED' })
    expect(pauses.reduce((sum, pause) => sum + pause, 0)).toBe(DAY)
  })

  test('behavior: nothing is sent once it was ended', async () => {
    const ending = new AbortController()
    const { steps, verified } = scene([])
    const read = async () => {
      ending.abort()
      return '0x12' as const
    }
    await run({ ...steps, read }, ending.signal)
    expect(verified).toEqual([])
  })
})
