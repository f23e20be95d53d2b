import { describe, expect, test } from 'vitest'
import { isClosed } from '../../acknowledgements.ts'
import type { ReviewInput } from '../../input.ts'
import { reviewSafeTx } from '../../review.ts'
import { inputOf, safeAddress, stranger } from '../../scene.ts'
import { simulationOf, slotsAfter, unfinished } from './scene.ts'

const review = (simulation: Pick<ReviewInput, 'simulation'>, data: `0x${string}` = '0x') =>
  reviewSafeTx(inputOf({ value: 1n, data }, simulation))
const found = async (simulation: Pick<ReviewInput, 'simulation'>) =>
  (await review(simulation)).findings.filter(({ id }) => id.startsWith('SIM-'))

describe('how far a simulation can be believed', () => {
  test('default: a run that ended, and that the node agrees with, says nothing by itself', async () => {
    expect(await found(simulationOf())).toEqual([])
  })

  test('behavior: a node that runs it otherwise leaves two stories, and nothing is read from either', async () => {
    const crossCheck = { status: 'diverges', method: 'eth_call', outcome: 'reverted', data: '0x' } as const
    const lie = simulationOf({ slots: slotsAfter({ singleton: stranger }) }, crossCheck)
    const { verdict, findings, configuration, ...rest } = await review(lie)
    expect(findings).toContainEqual(expect.objectContaining({ id: 'SIM-DIVERGES', severity: 'high' }))
    expect([verdict, isClosed({ findings, ...rest })]).toEqual(['cannot-verify', true])
    expect(configuration?.changed).toBe(false)
  })

  test.each([
    { kind: 'limit', limit: 'milliseconds' },
    { kind: 'reader', code: 'RPC_ERROR', message: 'pruned' },
    { kind: 'engine', message: 'no Worker' },
    { kind: 'precompile', address: safeAddress },
  ] as const)(
    'behavior: a run that did not end ($kind) is never green, and nothing opens the button',
    async (reason) => {
      const { verdict, ...rest } = await review(unfinished(reason))
      expect(rest.findings).toContainEqual(expect.objectContaining({ id: 'SIM-UNAVAILABLE', severity: 'high' }))
      expect([verdict, isClosed(rest)]).toEqual(['cannot-verify', true])
    },
  )

  test('behavior: what a node says in place of a run is named, and passes nothing: any contract can end a run', async () => {
    const block = { chainId: 1, number: 1n, hash: '0x', timestamp: 0n } as const
    const standIn = { method: 'eth_call', block, outcome: 'success', failure: null, gasUsed: null, logs: null } as const
    for (const reason of [
      { kind: 'precompile', address: '0x000000000000000000000000000000000000000A' },
      { kind: 'limit', limit: 'milliseconds' },
    ] as const) {
      const { verdict, checks, findings, ...rest } = await review(unfinished(reason, standIn))
      expect(findings).toContainEqual(
        expect.objectContaining({ id: 'SIM-UNAVAILABLE', evidence: expect.objectContaining({ method: 'eth_call' }) }),
      )
      expect(checks).toContainEqual({ id: 'simulation', status: 'failed' })
      expect([verdict, isClosed({ checks, findings, ...rest })]).toEqual(['cannot-verify', true])
    }
  })

  test('behavior: so many logs that balances were not all asked hide nothing', async () => {
    expect(await found(simulationOf({ gaps: ['balances'] }))).toMatchObject([{ severity: 'high' }])
    expect(await found(simulationOf({ gaps: ['call-data'] }))).toEqual([])
  })

  test('behavior: a run that code can tell from the chain is never green, and nothing opens the button', async () => {
    const { verdict, ...rest } = await review(simulationOf({ gaps: ['conditions'] }))
    expect(rest.findings).toContainEqual(expect.objectContaining({ id: 'SIM-DEPENDS', severity: 'high' }))
    expect([verdict, isClosed(rest)]).toEqual(['cannot-verify', true])
  })
})
