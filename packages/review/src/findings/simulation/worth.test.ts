import { encodeMultiSend } from '@countersign/safe/calls'
import { type Address, encodeFunctionData, getAddress, type Hex, parseAbi, zeroAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import { writtenEvidence } from '../../evidence.ts'
import { reviewSafeTx } from '../../review.ts'
import { inputOf, safeAddress, stranger } from '../../scene.ts'
import type { SimulatedCall } from '../../simulation/simulation-result.ts'
import { callOf, callReceiving } from './runs.ts'
import { simulationOf } from './scene.ts'
import { assetsExchanged } from './worth.ts'

const weth: Address = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2'
const usdc: Address = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const usdt: Address = '0xdAC17F958D2ee523a2206206994597C13D831ec7'
const junk: Address = '0x6666666666666666666666666666666666666666'
const batchLibrary: Address = '0x9641d764fc13c8B624c04430C7356C1C7C8102e2'
const tokens = [
  { address: weth, symbol: 'WETH', decimals: 18 },
  { address: usdc, symbol: 'USDC', decimals: 6 },
  { address: usdt, symbol: 'USDT', decimals: 6 },
]
const prices = { currency: 'USD', ofAsset: { [weth.toLowerCase()]: '3000', [usdc.toLowerCase()]: '1', native: '3000' } }
const ether = 10n ** 18n
const dollar = 10n ** 6n

const call = (signature: string, args: unknown[]) =>
  encodeFunctionData({ abi: parseAbi([`function ${signature}`] as never), args } as never)
const swap = (sold: Address, bought: Address, least = 1n) =>
  call('swapExactTokensForTokens(uint256,uint256,address[],address,uint256)', [
    ether,
    least,
    [sold, bought],
    safeAddress,
    1n,
  ])

type Moved = readonly { token: Address; amount: bigint }[]
type Made = { data: Hex; moved: Moved; value?: bigint }

const made = ({ data, moved, value = 0n }: Made): SimulatedCall => ({
  ...callReceiving(safeAddress, moved),
  from: safeAddress,
  to: stranger,
  value,
  input: data,
})

/** Reviews swaps that the Safe makes, each with what it moves. */
async function said(all: Made[], change: { prices?: typeof prices | undefined } = { prices }) {
  const [first, ...more] = all
  const calls = all.map(({ data, value = 0n }) => ({ to: stranger, value, data, operation: 0 as const }))
  const fields =
    first !== undefined && more.length === 0
      ? { to: stranger, data: first.data, value: first.value ?? 0n }
      : { to: batchLibrary, data: encodeMultiSend(calls), operation: 1 as const }
  const run = simulationOf({ call: callOf({ calls: all.map(made) }) })
  const { findings } = await reviewSafeTx(inputOf(fields, { tokens, ...change, ...run }))
  return findings
    .filter(({ id }) => id === 'POOL-OFF-PRICE' || id === 'SWAP-WORTH-LESS' || id === 'SWAP-BELOW-PAR')
    .map(({ id, evidence: { to: _to, call: _call, function: _function, ...evidence } }) => ({
      id,
      ...writtenEvidence(evidence),
    }))
}

const out = (token: Address, amount: bigint) => ({ token, amount: -amount })
const into = (token: Address, amount: bigint) => ({ token, amount })

describe('a swap by prices', () => {
  const data = swap(weth, usdc)
  const brings = (amount: bigint) => [{ data, moved: [out(weth, ether), into(usdc, amount)] }]

  test('is said to lose, with both amounts and what they are worth, to two digits', async () => {
    expect(await said(brings(1_516n * dollar))).toEqual([
      {
        id: 'SWAP-WORTH-LESS',
        asset: weth,
        amount: String(ether),
        bought: usdc,
        received: '1500000000',
        worthTaken: '3000.00 USD',
        worthBrought: '1500.00 USD',
      },
    ])
  })

  test('may lose a tenth, since sources may differ by as much', async () => {
    expect(await said(brings(2_700n * dollar))).toEqual([])
    expect(await said(brings(2_699n * dollar))).toMatchObject([{ id: 'SWAP-WORTH-LESS' }])
  })

  test('is not compared without prices of what it brings; what it takes beside counts as nothing', async () => {
    expect(await said(brings(1n), {})).toEqual([])
    const ofAsset = { [weth.toLowerCase()]: '3000' }
    expect(await said(brings(1n), { prices: { currency: 'USD', ofAsset } as never })).toEqual([])
    const moved = [out(weth, ether), out(usdt, 9_000n * dollar), into(usdc, 3_000n * dollar)]
    expect(await said([{ data, moved }])).toEqual([])
  })

  test('may be a call that is not decoded', async () => {
    const moved = [out(weth, ether), into(usdc, 1_500n * dollar)]
    expect(await said([{ data: '0x12345678', moved }])).toMatchObject([{ id: 'SWAP-WORTH-LESS' }])
  })

  test('gains nothing by a token that no list has', async () => {
    const moved = [out(weth, ether), into(usdc, 1_500n * dollar), into(junk, ether)]
    expect(await said([{ data, moved }])).toMatchObject([{ id: 'SWAP-WORTH-LESS', received: '1500000000' }])
  })

  test('counts coin, and what of it comes back', async () => {
    const bought = call('swapExactETHForTokens(uint256,address[],address,uint256)', [1n, [weth, usdc], safeAddress, 1n])
    const of = (moved: Moved) => said([{ data: bought, value: 2n * ether, moved }])
    expect(await of([into(usdc, 3_000n * dollar), into(zeroAddress, ether)])).toEqual([])
    expect(await of([into(usdc, 3_000n * dollar)])).toMatchObject([
      { id: 'SWAP-WORTH-LESS', asset: 'native', worthTaken: '6000.00 USD', worthBrought: '3000.00 USD' },
    ])
  })

  test('of many is told alone, and one that is spread over calls together', async () => {
    const fair = { data: swap(weth, usdc, 2n), moved: [out(weth, 100n * ether), into(usdc, 300_000n * dollar)] }
    expect(await said([fair, ...brings(1_500n * dollar)])).toMatchObject([{ worthTaken: '3000.00 USD' }])
    const given = { data: swap(weth, usdc, 3n), moved: [out(weth, ether)] }
    const come = { data: swap(weth, usdc, 4n), moved: [into(usdc, 1_500n * dollar)] }
    expect(await said([given, come])).toMatchObject([{ id: 'SWAP-WORTH-LESS', worthBrought: '1500.00 USD' }])
    expect(await said([given, { ...come, moved: [into(usdc, 3_000n * dollar)] }])).toEqual([])
  })

  test('by another Safe that is told to is compared by what that one gives and gets', async () => {
    const none = zeroAddress
    const signature = 'execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)'
    const told = call(signature, [stranger, 0n, data, 0, 0n, 0n, 0n, none, none, '0x'])
    const other = getAddress(junk)
    const swapping = { ...callReceiving(other, [out(weth, ether), into(usdc, 1_500n * dollar)]), input: data }
    const outer = callOf({
      from: safeAddress,
      to: other,
      input: told,
      calls: [{ ...swapping, from: other, to: stranger }],
    })
    const run = simulationOf({ call: callOf({ calls: [outer] }) })
    const { findings } = await reviewSafeTx(inputOf({ to: other, data: told }, { tokens, prices, ...run }))
    expect(findings.find(({ id }) => id === 'SWAP-WORTH-LESS')?.evidence).toMatchObject({ account: other })
  })

  test('is none where something is paid, repaid or put somewhere', async () => {
    const moved = [out(weth, ether), into(usdc, 1n * dollar)]
    const pool = call('repay(address,uint256,uint256,address)', [weth, ether, 2n, safeAddress])
    expect(await said([{ data: pool, moved }])).toEqual([])
    expect(await said([{ data: '0x', value: ether, moved: [into(usdc, 1n)] }])).toEqual([])
  })
})

describe('a swap of what stands for the same', () => {
  const brings = (amount: bigint) => [
    { data: swap(usdc, usdt), moved: [out(usdc, 1_000n * dollar), into(usdt, amount)] },
  ]

  test('may lose a twentieth, whatever prices say', async () => {
    expect(await said(brings(950n * dollar), {})).toEqual([])
    expect(await said(brings(949n * dollar), {})).toEqual([
      { id: 'SWAP-BELOW-PAR', asset: usdc, amount: '1000000000', bought: usdt, received: '940000000' },
    ])
    const ofAsset = { [usdc.toLowerCase()]: '1', [usdt.toLowerCase()]: '0.5' }
    expect(await said(brings(1_000n * dollar), { prices: { currency: 'USD', ofAsset } as never })).toEqual([])
  })

  test('is told of the coin and its wrapped form, too', async () => {
    const data = call('swapExactETHForTokens(uint256,address[],address,uint256)', [1n, [weth, usdc], safeAddress, 1n])
    expect(await said([{ data, value: ether, moved: [into(weth, ether / 2n)] }], {})).toMatchObject([
      { id: 'SWAP-BELOW-PAR', asset: 'native', bought: weth },
    ])
  })
})

describe('liquidity at a price', () => {
  const given = (dollars: bigint, coins: bigint) =>
    call('addLiquidity(address,address,uint256,uint256,uint256,uint256,address,uint256)', [
      usdc,
      weth,
      dollars,
      coins,
      (dollars * 99n) / 100n,
      (coins * 99n) / 100n,
      safeAddress,
      1n,
    ])
  const pool = (dollars: bigint, coins: bigint, more: Moved = []) => [
    { data: given(dollars, coins), moved: [out(usdc, dollars), out(weth, coins), into(junk, ether), ...more] },
  ]

  test('of a pool that somebody has moved is said with both amounts and what they are worth', async () => {
    expect(await said(pool(1_000_000n * dollar, ether / 100n))).toEqual([
      {
        id: 'POOL-OFF-PRICE',
        asset: usdc,
        amount: '1000000000000',
        worthAmount: '1000000.00 USD',
        beside: weth,
        besideAmount: String(ether / 100n),
        worthBeside: '30.00 USD',
      },
    ])
    expect(await said(pool(30n * dollar, 100n * ether))).toMatchObject([
      { id: 'POOL-OFF-PRICE', asset: weth, beside: usdc },
    ])
  })

  test('may be two and a half times that of the sources, either way: trades then take less than a tenth', async () => {
    expect(await said(pool(7_500n * dollar, ether))).toEqual([])
    expect(await said(pool(7_800n * dollar, ether))).toMatchObject([{ id: 'POOL-OFF-PRICE' }])
    expect(await said(pool(1_200n * dollar, ether))).toEqual([])
    expect(await said(pool(1_150n * dollar, ether))).toMatchObject([{ id: 'POOL-OFF-PRICE' }])
  })

  test('counts coin without what comes back, and says nothing without prices of both', async () => {
    const data = call('addLiquidityETH(address,uint256,uint256,uint256,address,uint256)', [
      usdc,
      3_000n * dollar,
      2_970n * dollar,
      ether,
      safeAddress,
      1n,
    ])
    const of = (moved: Moved) => said([{ data, value: 10n * ether, moved: [out(usdc, 3_000n * dollar), ...moved] }])
    expect(await of([into(zeroAddress, 9n * ether)])).toEqual([])
    expect(await of([])).toMatchObject([{ id: 'POOL-OFF-PRICE', asset: 'native', beside: usdc }])
    expect(await said(pool(1_000_000n * dollar, ether / 100n), {})).toEqual([])
    const ofAsset = { [usdc.toLowerCase()]: '1' }
    expect(await said(pool(1_000_000n * dollar, 1n), { prices: { currency: 'USD', ofAsset } as never })).toEqual([])
  })
})

test('assetsExchanged: those of swaps that a list has, and none of a payment', () => {
  const data = swap(weth, usdc)
  const moved = [out(weth, ether), into(usdc, 1n), into(junk, 1n)]
  const of = (fields: { data: Hex }) => {
    const run = simulationOf({ call: callOf({ calls: [made({ data: fields.data, moved })] }) })
    const input = inputOf({ to: stranger, ...fields }, { tokens, ...run })
    return assetsExchanged(input, input)
  }
  expect(of({ data })).toEqual([weth, usdc].map((address) => getAddress(address)))
  expect(of({ data: call('transfer(address,uint256)', [stranger, 1n]) })).toEqual([])
})
