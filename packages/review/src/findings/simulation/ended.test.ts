import { hashSafeTx, newSafeTx } from '@countersign/safe'
import { describe, expect, test } from 'vitest'
import { demandsOf, isClosed } from '../../acknowledgements.ts'
import type { ReviewInput } from '../../input.ts'
import { reviewSafeTx } from '../../review.ts'
import { inputOf, safeAddress, state, stranger } from '../../scene.ts'
import { failureOf, simulationOf, slotsAfter, unfinished } from './scene.ts'

const review = (simulation: Pick<ReviewInput, 'simulation'>, data: `0x${string}` = '0x') =>
  reviewSafeTx(inputOf({ value: 1n, data }, simulation))
const found = async (simulation: Pick<ReviewInput, 'simulation'>) =>
  (await review(simulation)).findings.filter(({ id }) => id.startsWith('SIM-'))

describe('how far a simulation can be believed', () => {
  test('default: a run that ended, and that the node agrees with, says nothing by itself', async () => {
    expect(await found(simulationOf())).toEqual([])
  })

  test('behavior: a node that runs it otherwise leaves two stories, and nothing is read from either', async () => {
    const said = { status: 'diverges', method: 'eth_call', data: '0x' } as const
    const moved = { account: stranger, token: safeAddress, here: 5n, node: 4n }
    for (const [crossCheck, evidence] of [
      [
        { ...said, outcome: 'reverted', compared: null, moved: null },
        { here: 'success', node: 'reverted' },
      ],
      [
        { ...said, outcome: 'success', compared: 2, moved },
        { account: stranger, token: safeAddress, here: '5', node: '4' },
      ],
    ] as const) {
      const lie = simulationOf({ slots: slotsAfter({ singleton: stranger }) }, crossCheck)
      const { verdict, findings, configuration, ...rest } = await review(lie)
      expect(findings).toContainEqual(expect.objectContaining({ id: 'SIM-DIVERGES', severity: 'high' }))
      expect(findings.map((finding) => finding.evidence)).toContainEqual({ ...evidence, method: 'eth_call' })
      expect([verdict, isClosed({ findings, ...rest })]).toEqual(['cannot-verify', true])
      expect(configuration?.changed).toBe(false)
    }
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

  describe('on a chain whose machine is no EVM', () => {
    const machine = { kind: 'machine', name: 'ZKsync' } as const
    const block = { chainId: 324, number: 1n, hash: '0x', timestamp: 0n } as const
    const said = { method: 'eth_call', block, outcome: 'success', failure: null, gasUsed: null, logs: null } as const
    const reviewAt = (
      chainId: number,
      simulation: Pick<ReviewInput, 'simulation'>,
      { tx = {}, version = '1.4.1' }: { tx?: Parameters<typeof inputOf>[0]; version?: string } = {},
    ) => {
      const safeTx = newSafeTx({ to: stranger, nonce: 5n, value: 1n, ...tx })
      const { safeTxHash: hash } = hashSafeTx({ chainId, safeAddress, version, safeTx })
      const known = { state: { ...state, chainId, version }, chainId, nodeChainId: chainId }
      return reviewSafeTx(inputOf(safeTx, { ...known, claimedHash: hash, chainSafeTxHash: hash, ...simulation }))
    }

    test("default: the node's own run stands in, by name, and is ticked", async () => {
      const reviewed = await reviewAt(324, unfinished(machine, said))
      expect(reviewed.findings).toContainEqual(
        expect.objectContaining({ id: 'SIM-BY-NODE', evidence: { machine: 'ZKsync', method: 'eth_call' } }),
      )
      expect(reviewed.verdict).toBe('matches-with-warnings')
      expect(demandsOf(reviewed).map(({ finding: { id }, way }) => [id, way])).toEqual([['SIM-BY-NODE', 'tick']])
    })

    test.each<[string, Parameters<typeof reviewAt>]>([
      ['another chain, whatever the run says of its machine', [1, unfinished(machine, said)]],
      ['a chain on another EVM', [42_161, unfinished(machine, said)]],
      ['a run that ended for another reason', [324, unfinished({ kind: 'limit', limit: 'reads' }, said)]],
      ['a node that ran nothing', [324, unfinished(machine)]],
      ['a call that nobody has read', [324, unfinished(machine, said), { tx: { data: '0xdeadbeef' } }]],
    ])('behavior: nothing opens it for %s', async (_, args) => {
      const { verdict, ...rest } = await reviewAt(...args)
      expect([verdict, isClosed(rest)]).toEqual(['cannot-verify', true])
    })

    test('behavior: a Safe whose hash does not name the chain has no stand-in', async () => {
      const reviewed = await reviewAt(324, unfinished(machine, said), { version: '1.1.1' })
      expect(reviewed.findings).toContainEqual(expect.objectContaining({ id: 'SIM-UNAVAILABLE' }))
      expect(isClosed(reviewed)).toBe(true)
    })

    test('behavior: a node by which it fails is said as such', async () => {
      const failure = failureOf('0x')
      const { findings } = await reviewAt(324, unfinished(machine, { ...said, outcome: 'reverted', failure }))
      expect(findings.map(({ id }) => id)).toEqual(expect.arrayContaining(['SIM-BY-NODE', 'SIM-REVERT']))
    })
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
