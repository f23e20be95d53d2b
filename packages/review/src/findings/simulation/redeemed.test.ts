import { type Address, encodeFunctionData, type Hex, numberToHex, padHex, parseAbi, zeroAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import { reviewSafeTx } from '../../review.ts'
import { inputOf, safeAddress, stranger, token } from '../../scene.ts'
import { callOf } from './runs.ts'
import { balanceOf, simulationOf } from './scene.ts'

const TRANSFER: Hex = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const share: Address = '0x5555555555555555555555555555555555555555'
const thief: Address = '0x6666666666666666666666666666666666666666'
const held = 50_000_000_000n

const withdraw = (asset: Address) =>
  encodeFunctionData({
    abi: parseAbi(['function withdraw(address asset, uint256 amount, address to)']),
    args: [asset, 1_000n, safeAddress],
  })
const log = (address: Address, from: Address, to: Address, amount: bigint) => ({
  address,
  data: numberToHex(amount, { size: 32 }),
  topics: [TRANSFER, padHex(from, { size: 32 }), padHex(to, { size: 32 })],
})
const burnt = log(share, safeAddress, zeroAddress, 1_000n)
const paidOut = log(token, share, safeAddress, 1_000n)

async function found(
  logs: ReturnType<typeof log>[],
  {
    shares = [held, held - 999n] as readonly [bigint, bigint],
    more = [] as ReturnType<typeof balanceOf>[],
    data = withdraw(token),
  } = {},
) {
  const balances = [balanceOf(safeAddress, share, shares), balanceOf(safeAddress, token, [0n, 1_000n]), ...more]
  const input = inputOf({ to: stranger, data }, simulationOf({ balances, call: callOf({ logs }) }))
  const { findings } = await reviewSafeTx(input)
  return findings.flatMap(({ id }) => (id === 'MOVES-MORE' || id === 'VALUE-DRAIN' ? [id] : []))
}

describe('a share that is handed in for its asset', () => {
  test('default: less than is paid out is gone, as interest came meanwhile', async () => {
    expect(await found([burnt, paidOut])).toEqual([])
  })

  test('behavior: all of it is no drain, and the log may tell of less than was burnt', async () => {
    const all = { shares: [1_000n, 0n] as const }
    expect(await found([burnt, paidOut], all)).toEqual([])
    expect(await found([log(share, safeAddress, zeroAddress, 900n), paidOut], all)).toEqual([])
  })

  test.each<[string, Parameters<typeof found>]>([
    ['nothing comes for it', [[burnt]]],
    ['less comes for it', [[burnt, log(token, share, safeAddress, 900n)]]],
    ['another than its contract pays', [[burnt, log(token, stranger, safeAddress, 1_000n)]]],
    ['its contract pays somebody else, too', [[burnt, paidOut, log(token, share, thief, 50n)]]],
    ['somebody else gets the share', [[log(share, safeAddress, thief, 999n), paidOut]]],
    ['somebody else has more of it afterwards', [[burnt, paidOut], { more: [balanceOf(thief, share, [0n, 999n])] }]],
    [
      'the asset that comes is on no list',
      [[burnt, log(thief, share, safeAddress, 1_000n)], { data: withdraw(thief) }],
    ],
    ['no call names the asset', [[burnt, paidOut], { data: withdraw(thief) }]],
  ])('behavior: it is told where %s', async (_, args) => {
    expect(await found(...args)).toContain('MOVES-MORE')
  })
})
