import { decodeMultiSend, encodeMultiSend } from '@countersign/safe/calls'
import { concat, encodeFunctionData, type Hex, keccak256, parseAbi, size, slice, zeroHash } from 'viem'
import { describe, expect, test } from 'vitest'
import { type Acknowledgement, demandsOf, isClosed, stillOpen } from '../../acknowledgements.ts'
import type { ReviewInput } from '../../input.ts'
import { reviewSafeTx } from '../../review.ts'
import { inputOf, safeAddress, stranger, token } from '../../scene.ts'
import type { CrossCheck, FinishedSimulation } from '../../simulation/simulation-result.ts'
import { callOf } from './runs.ts'
import { balanceOf, failureOf, simulationOf, slotsAfter, unfinished } from './scene.ts'

const held = 50_000_000_000n
const other: Hex = '0x5555555555555555555555555555555555555555'
const callOnly = '0x9641d764fc13c8B624c04430C7356C1C7C8102e2'
const swap = { to: stranger, data: '0xdeadbeef' } as const
const otherwise = { status: 'diverges', method: 'eth_call', data: '0x' } as const
const gets = (amount: bigint) => ({ balances: [balanceOf(safeAddress, token, [held, held + amount])] })
/** The calls of a transaction as the Safe makes them. */
const madeBy = ({ to = stranger, value = 0n, data = '0x', operation }: Parameters<typeof inputOf>[0]) => {
  const calls = operation === 1 && data.startsWith('0x8d80ff0a') ? decodeMultiSend(data) : [{ to, value, data }]
  return callOf({ calls: calls.map((one) => callOf({ ...one, ...madeWith(one.data), operation: 'call' })) })
}
const madeWith = (data: Hex) => ({ from: safeAddress, input: data, inputSize: size(data) })
const review = (
  fields: Partial<FinishedSimulation> = {},
  tx: Parameters<typeof inputOf>[0] = swap,
  crossCheck?: CrossCheck,
  change: Partial<ReviewInput> = {},
) => reviewSafeTx(inputOf(tx, { ...simulationOf({ call: madeBy(tx), ...fields }, crossCheck), ...change }))
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
    ['the node says otherwise', [{}, swap, { ...otherwise, outcome: 'reverted', compared: null, moved: null }]],
    [
      'the node moves something else',
      [
        {},
        swap,
        { ...otherwise, outcome: 'success', compared: 1, moved: { account: stranger, token, here: 1n, node: 2n } },
      ],
    ],
    ['foreign code would run as the Safe', [{}, { ...swap, operation: 1 }]],
    ['the hash is another', [{}, swap, undefined, { claimedHash: keccak256('0x') }]],
    ['a signature is not for it', [{}, swap, undefined, { confirmations: [{ owner: stranger, signature: '0x' }] }]],
    ['the Safe was not read', [{}, swap, undefined, { state: null }]],
    ['slots of the Safe change', [{ slots: slotsAfter({ threshold: 1 }) }]],
  ])('behavior: nothing opens it where %s', async (_, args) => {
    expect(isClosed(await review(...args))).toBe(true)
  })

  describe('of a call with bytes of a partner behind it', () => {
    const abi = parseAbi([
      'function unwrapWETH9(uint256 amountMinimum, address receiver)',
      'function transfer(address to, uint256 amount)',
    ])
    const unwrap = encodeFunctionData({ abi, functionName: 'unwrapWETH9', args: [5_000n, safeAddress] })
    const tagged = { to: stranger, data: concat([unwrap, '0xdeadbeef']) } as const

    test('default: it is typed', async () => {
      const demands = demandsOf(await review(gets(1_000n), tagged))
      expect(demands.map(({ finding, way }) => `${finding.id} ${way}`)).toEqual([
        'DECODE-NONCANONICAL typed',
        // The run brings less than its arguments promise.
        'MOVES-LESS tick',
      ])
    })

    test('behavior: a payment in a token is typed', async () => {
      const run = { balances: [balanceOf(safeAddress, token, [held, held - 5n]), balanceOf(other, token, [0n, 5n])] }
      const demands = demandsOf(await review(run, { to: token, data: concat([transferOf(5n), '0xdeadbeef']) }))
      expect(demands).toMatchObject([{ way: 'typed', finding: { id: 'DECODE-NONCANONICAL' } }])
    })

    test('behavior: what the arguments give away stays, and what the run takes', async () => {
      const others = encodeFunctionData({ abi, functionName: 'unwrapWETH9', args: [5_000n, other] })
      const toOther = await review(gets(1_000n), { to: stranger, data: concat([others, '0xdeadbeef']) })
      expect(demandsOf(toOther).map(({ finding }) => finding.id)).toContain('RECEIVER-OTHER')
      const taken = await review({ balances: [balanceOf(safeAddress, token, [held, 0n])] }, tagged)
      expect(demandsOf(taken).map(({ finding }) => finding.id)).toEqual(
        expect.arrayContaining(['DECODE-NONCANONICAL', 'MOVES-MORE', 'VALUE-DRAIN']),
      )
    })

    test.each<[string, Parameters<typeof review>]>([
      ['nobody ran it', [{}, tagged, undefined, { simulation: undefined, blockNumber: 1n }]],
      ['bytes are missing inside', [{}, { to: stranger, data: slice(tagged.data, 0, 40) }]],
      ['it is of the Safe itself', [{}, { to: safeAddress, data: concat([transferOf(5n), '0xdeadbeef']) }]],
    ])('behavior: nothing opens it where %s', async (_, args) => {
      expect(isClosed(await review(...args))).toBe(true)
    })

    function transferOf(amount: bigint): Hex {
      return encodeFunctionData({ abi, functionName: 'transfer', args: [other, amount] })
    }
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

  const later = encodeFunctionData({
    abi: parseAbi(['function schedule(address, uint256, bytes, bytes32, bytes32, uint256)']),
    args: [other, 0n, '0xdeadbeef', zeroHash, zeroHash, 1n],
  })
  const inner = { from: stranger, to: other, ...madeWith('0xdeadbeef') }
  const made = (...calls: Parameters<typeof callOf>[0][]) => ({
    call: callOf({
      calls: [callOf({ ...madeWith(later), from: safeAddress, to: stranger, calls: calls.map(callOf) })],
    }),
  })

  test.each<[string, Partial<FinishedSimulation>]>([
    ['is only put down for later', {}],
    ['fails, and is forgiven', made({ ...inner, from: stranger, failure: failureOf('0x') })],
    ['goes to another contract', made({ ...inner, from: stranger, to: token })],
    ['has other bytes', made({ ...inner, ...madeWith('0xdeadbee0'), from: stranger })],
    ['is made by another account', made({ ...inner, from: other })],
    ['was cut', made({ ...inner, from: stranger, input: '0x' })],
  ])('behavior: an unread call inside a read one that %s is shown by no run', async (_, run) => {
    const reviewed = await review(run, { to: stranger, data: later })
    expect([reviewed.verdict, isClosed(reviewed)]).toEqual(['cannot-verify', true])
  })

  test('behavior: an unread call inside a read one that the run makes is typed', async () => {
    const reviewed = await review(made({ ...inner, from: stranger }), { to: stranger, data: later })
    expect(demandsOf(reviewed)).toMatchObject([{ way: 'typed', typed: other.slice(-6) }])
  })
})
