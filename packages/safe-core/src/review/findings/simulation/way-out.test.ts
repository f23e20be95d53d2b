import { type Hex, keccak256 } from 'viem'
import { describe, expect, test } from 'vitest'
import { encodeMultiSend } from '../../../multi-send.ts'
import type { CrossCheck, FinishedSimulation } from '../../../simulation/simulation-result.ts'
import { type Acknowledgement, demandsOf, isClosed, stillOpen } from '../../acknowledgements.ts'
import type { ReviewInput } from '../../input.ts'
import { reviewSafeTx } from '../../review.ts'
import { inputOf, safeAddress, stranger, token } from '../../scene.ts'
import { balanceOf, failureOf, simulationOf, slotsAfter, unfinished } from './scene.ts'

const held = 50_000_000_000n
const other: Hex = '0x5555555555555555555555555555555555555555'
const callOnly = '0x9641d764fc13c8B624c04430C7356C1C7C8102e2'
const swap = { to: stranger, data: '0xdeadbeef' } as const
const gets = (amount: bigint) => ({ balances: [balanceOf(safeAddress, token, [held, held + amount])] })
const review = (
  fields: Partial<FinishedSimulation> = {},
  tx: Parameters<typeof inputOf>[0] = swap,
  crossCheck?: CrossCheck,
  change: Partial<ReviewInput> = {},
) => reviewSafeTx(inputOf(tx, { ...simulationOf(fields, crossCheck), ...change }))
const keys = async (...args: Parameters<typeof review>) => demandsOf(await review(...args)).map(({ key }) => key)

describe('the way out of cannot-verify', () => {
  test('default: an unread call that was run to its end is typed, with a reason', async () => {
    const reviewed = await review(gets(1_000n))
    expect(reviewed.verdict).toBe('cannot-verify')
    const [demand, ...more] = demandsOf(reviewed)
    expect(more).toEqual([])
    expect(demand).toMatchObject({ way: 'typed', typed: stranger.slice(-6), finding: { id: 'DECODE-NONE' } })
    const answer: Acknowledgement = { key: demand?.key ?? '0x', id: 'DECODE-NONE', words: 'Nobody has read it' }
    expect(stillOpen(reviewed, [answer])).toHaveLength(1)
    const whole = { ...answer, typed: stranger.slice(-6), reason: 'The desk made it' }
    expect(stillOpen(reviewed, [whole])).toEqual([])
  })

  test.each<[string, Parameters<typeof review>]>([
    ['it was not run', [{}, swap, undefined, { simulation: undefined, blockNumber: 1n }]],
    ['the run did not end', [{}, swap, undefined, unfinished({ kind: 'limit', limit: 'reads' })]],
    ['the run fails', [{ outcome: { kind: 'reverted', failure: failureOf('0x'), began: [] } }]],
    ['not all balances were asked', [{ gaps: ['balances'] }]],
    ['the node was not asked', [{}, swap, { status: 'unasked', reason: 'no overrides' }]],
    [
      'the node says otherwise',
      [{}, swap, { status: 'diverges', method: 'eth_call', outcome: 'reverted', data: '0x' }],
    ],
    ['foreign code would run as the Safe', [{}, { ...swap, operation: 1 }]],
    ['the hash is another', [{}, swap, undefined, { claimedHash: keccak256('0x') }]],
    ['a signature is not for it', [{}, swap, undefined, { confirmations: [{ owner: stranger, signature: '0x' }] }]],
    ['the Safe was not read', [{}, swap, undefined, { state: null }]],
    ['slots of the Safe change', [{ slots: slotsAfter({ threshold: 1 }) }]],
  ])('behavior: nothing opens it where %s', async (_, args) => {
    expect(isClosed(await review(...args))).toBe(true)
  })

  test('behavior: the answer belongs to what the run does, and not to the block', async () => {
    const answered = await keys(gets(62_761n))
    const block = { chainId: 1, number: 101n, hash: '0x01', timestamp: 1n } as const
    expect(await keys({ ...gets(62_790n), block, gasUsed: 1n })).toEqual(answered)
    expect(await keys(gets(1n))).not.toEqual(answered)
    expect(await keys({ balances: [] })).not.toEqual(answered)
    const taken = { balances: [balanceOf(safeAddress, other, [5n, 4n])] }
    expect(await keys(taken)).not.toEqual(await keys({ balances: [balanceOf(safeAddress, other, [5n, 3n])] }))
    const approval = { token, owner: safeAddress, spender: stranger, standard: 'erc20', tokenId: null } as const
    expect(await keys({ ...gets(62_761n), approvals: [{ ...approval, before: 0n, after: 1n }] })).not.toEqual(answered)
    expect(await keys(gets(62_761n), { ...swap, data: '0xdeadbee0' })).not.toEqual(answered)
  })

  test('behavior: each unread target of a batch is typed by itself', async () => {
    const data = encodeMultiSend([
      { to: stranger, value: 0n, data: '0xdeadbeef' },
      { to: other, value: 0n, data: '0xdeadbeef' },
    ])
    const demands = demandsOf(await review({}, { to: callOnly, operation: 1, data }))
    expect(demands.map(({ way, typed }) => [way, typed])).toEqual([
      ['typed', stranger.slice(-6)],
      ['typed', other.slice(-6)],
    ])
  })
})
