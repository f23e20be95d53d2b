import { erc20Abi } from '@countersign/safe'
import { encodeFunctionData, erc721Abi, parseAbi, zeroAddress, zeroHash } from 'viem'
import { describe, expect, test } from 'vitest'
import { demandsOf } from '../../acknowledgements.ts'
import { writtenEvidence } from '../../evidence.ts'
import { reviewSafeTx } from '../../review.ts'
import { account, inputOf, safeAddress, stranger, token } from '../../scene.ts'
import type { FinishedSimulation } from '../../simulation/simulation-result.ts'
import { balanceOf, paid, simulationOf } from './scene.ts'

const other = '0x5555555555555555555555555555555555555555'
const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [stranger, 1_000n] })
const payment = { to: token, data }
const held = 50_000_000_000n
const of = (delta: bigint, by: `0x${string}` = safeAddress, asset: `0x${string}` = token) =>
  balanceOf(by, asset, [held, held + delta])
const found = async (balances: FinishedSimulation['balances'], fields: Parameters<typeof inputOf>[0] = payment) =>
  (await reviewSafeTx(inputOf(fields, simulationOf({ balances })))).findings.flatMap(({ id, severity, evidence }) =>
    /^(?:MOVES-|TOKEN-FEE|VALUE-DRAIN)/.test(id) ? [{ id, severity, evidence: writtenEvidence(evidence) }] : [],
  )

describe('what moves in a run, by balances', () => {
  test('default: as the calls say it', async () => {
    expect(await found([of(-1_000n), of(1_000n, stranger)])).toEqual([])
    expect(await found(paid(7n), { value: 7n })).toEqual([])
    // The account that sends it pays for the gas.
    const gas = balanceOf(account.address, zeroAddress, [10n, 4n], 'native')
    expect(await found([...paid(7n), gas], { value: 7n })).toEqual([])
  })

  test('behavior: more leaves than the calls say, or something that no call names', async () => {
    const more = [{ id: 'MOVES-MORE', severity: 'high', evidence: { asset: token, amount: '1500', said: '1000' } }]
    expect(await found([of(-1_500n), of(1_000n, stranger)])).toEqual(more)
    expect(await found([...paid(7n), of(-1n * 9n, safeAddress, other)], { value: 7n })).toMatchObject([
      { id: 'MOVES-MORE', evidence: { asset: other, amount: '9', said: '0' } },
    ])
    expect(await found(paid(8n), { value: 7n })).toMatchObject([{ id: 'MOVES-MORE', evidence: { asset: 'native' } }])
  })

  test('behavior: less comes a day later, of a transaction that costs nothing, and its answer stands in the next block', async () => {
    const demanded = async (received: bigint, receivedLater: bigint) => {
      const lessLater = [{ token, tokenId: null, received, receivedLater }]
      const run = simulationOf({ balances: [of(received)], lessLater })
      const review = await reviewSafeTx(inputOf({ to: stranger, data: '0xdeadbeef' }, run))
      return demandsOf(review).filter(({ finding }) => finding.id === 'MOVES-LESS-LATER')
    }
    const [now] = await demanded(1_000n, 800n)
    expect(now).toMatchObject({
      way: 'tick',
      finding: { id: 'MOVES-LESS-LATER', severity: 'high', evidence: { asset: token, share: 75n } },
    })
    expect((await demanded(999n, 798n)).map(({ key }) => key)).toEqual([now?.key])
    const [nothing] = await demanded(1_000n, 0n)
    expect(nothing).toMatchObject({ finding: { evidence: { share: 0n } } })
    expect(nothing?.key).not.toBe(now?.key)
  })

  test('behavior: a Safe, timelock or vault that obeys this one and is emptied, is measured, too', async () => {
    const child = '0x6666666666666666666666666666666666666666' as const
    const abi = parseAbi(['function execute(address to, uint256 value, bytes data)'])
    const fields = { to: child, data: encodeFunctionData({ abi, args: [token, 0n, data] }) }
    const drained = async (left: bigint, by = child, asset: typeof token = token) => {
      const run = simulationOf({ balances: [of(-left, by, asset), of(1_000n, stranger)] })
      const { findings } = await reviewSafeTx(inputOf(fields, run))
      return findings
        .filter(({ id }) => id === 'OTHER-DRAINED')
        .map(({ id, evidence }) => ({ id, ...writtenEvidence(evidence) }))
    }
    const evidence = { asset: token, account: child, needed: String(held - 1n), held: String(held) }
    expect(await drained(held - 1n)).toEqual([{ id: 'OTHER-DRAINED', ...evidence }])
    expect(await drained(held / 2n)).toEqual([])
    expect(await drained(held, child, zeroAddress)).toMatchObject([{ asset: 'native', needed: String(held) }])
    // An account that is only paid, or trades, is nobody's business here.
    expect(await drained(held, other)).toEqual([])
  })

  test('behavior: of a call that nobody read, what it names may leave, and nothing else', async () => {
    const unread = { to: stranger, data: '0xdeadbeef' } as const
    expect(await found([of(-9n)], unread)).toMatchObject([{ id: 'MOVES-MORE' }])
    const deposit = encodeFunctionData({
      abi: [
        {
          type: 'function',
          name: 'supply',
          stateMutability: 'nonpayable',
          outputs: [],
          inputs: [
            { name: 'asset', type: 'address' },
            { name: 'amount', type: 'uint256' },
            { name: 'onBehalfOf', type: 'address' },
            { name: 'referralCode', type: 'uint16' },
          ],
        },
      ],
      args: [token, 9n, safeAddress, 0],
    })
    expect(await found([of(-9n)], { to: stranger, data: deposit })).toEqual([])
    // An allowance that is left from before lets the contract take what it likes.
    expect(await found([of(-10_000n)], { to: stranger, data: deposit })).toMatchObject([
      { id: 'MOVES-MORE', evidence: { asset: token, amount: '10000', said: '0' } },
    ])
  })

  test.each([
    [
      'function repay(address asset, uint256 amount, uint256 rateMode, address debtor)',
      [token, 2n ** 256n - 1n, 2n, safeAddress],
    ],
    [
      'function swapTokensForExactTokens(uint256, uint256, address[], address, uint256)',
      [5n, 10_000n, [token, other], safeAddress, 1n],
    ],
    ['function depositForBurn(uint256, uint32, bytes32, address)', [10_000n, 1, zeroHash, token]],
  ])('behavior: a call takes what it names, up to the amount that it states: %s', async (signature, args) => {
    const call = encodeFunctionData({ abi: parseAbi([signature] as never), args } as never)
    const more = (await found([of(-10_000n)], { to: stranger, data: call })).filter(({ id }) => id === 'MOVES-MORE')
    expect(more).toEqual([])
  })

  test.each([
    [
      'function swapTokensForExactTokens(uint256, uint256, address[], address, uint256)',
      [2n ** 200n, 9_990n, [token, other], safeAddress, 2n ** 255n],
    ],
    ['function depositForBurn(uint256, uint32, bytes32, address)', [9_990n, 2 ** 31, zeroHash, token]],
  ])('behavior: no deadline, and no amount that is to come, is what a call states: %s', async (signature, args) => {
    const call = encodeFunctionData({ abi: parseAbi([signature] as never), args } as never)
    const more = (await found([of(-10_000n)], { to: stranger, data: call })).filter(({ id }) => id === 'MOVES-MORE')
    expect(more).toHaveLength(1)
  })

  test('behavior: a token that asks for a part of it', async () => {
    expect(await found([of(-1_000n), of(990n, stranger)])).toMatchObject([
      { id: 'TOKEN-FEE', severity: 'medium', evidence: { account: stranger, said: '1000', amount: '990' } },
    ])
    // Shares round.
    expect(await found([of(-1_000n), of(999n, stranger)])).toEqual([])
  })

  test('behavior: a transfer that does not happen', async () => {
    expect(await found([])).toMatchObject([{ id: 'MOVES-LESS' }, { id: 'MOVES-LESS' }])
    expect(await found([of(-1_000n)])).toMatchObject([{ id: 'MOVES-LESS', evidence: { account: stranger } }])
    expect(await found([], { value: 7n })).toMatchObject([{ id: 'MOVES-LESS', evidence: { asset: 'native' } }])
  })

  test('behavior: nearly everything leaves, by whatever call', async () => {
    const unread = { to: token, data: '0xdeadbeef' } as const
    expect(await found([of(1n - held)], unread)).toMatchObject([{ id: 'MOVES-MORE' }, { id: 'VALUE-DRAIN' }])
    // A balance that a token does not answer any more may be none.
    expect(await found([balanceOf(safeAddress, token, [held, null])], unread)).toHaveLength(2)
  })

  test('behavior: an item and the count of items beside it are one thing that leaves', async () => {
    const args = [safeAddress, stranger, 7n] as const
    const item = { to: token, data: encodeFunctionData({ abi: erc721Abi, functionName: 'safeTransferFrom', args }) }
    const sides = [
      { ...balanceOf(safeAddress, token, [1n, 0n], 'erc721'), tokenId: 7n },
      { ...balanceOf(stranger, token, [0n, 1n], 'erc721'), tokenId: 7n },
    ]
    const counting = (before: bigint, after: bigint) => [...sides, balanceOf(safeAddress, token, [before, after])]
    expect(await found(counting(1n, 0n), item)).toEqual([])
    expect(await found(counting(9n, 8n), item)).toEqual([])
    // Others go that nothing names.
    expect(await found(counting(9n, 5n), item)).toMatchObject([{ id: 'MOVES-MORE', evidence: { amount: '4' } }])
    expect(await found(counting(5n, 0n), item)).toMatchObject([{ id: 'MOVES-MORE' }, { id: 'VALUE-DRAIN' }])
  })
})
