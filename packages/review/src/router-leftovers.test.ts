import {
  concat,
  encodeAbiParameters,
  encodeFunctionData,
  encodePacked,
  getAddress,
  type Hex,
  parseAbi,
  parseAbiParameters,
  zeroAddress,
} from 'viem'
import { describe, expect, it } from 'vitest'
import type { ReviewInput } from './input.ts'
import { reviewSafeTx } from './review.ts'
import { inputOf, safeAddress, token } from './scene.ts'
import { wrappedCoins } from './tokens/wrapped-coins.data.ts'

const usdc = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const weth = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2'
const wbtc = '0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599'
const unlisted: Hex = `0x${'5a'.repeat(20)}`
/** The router takes this for itself. */
const router = '0x0000000000000000000000000000000000000002'
const tokens = [
  { address: usdc, symbol: 'USDC', decimals: 6 },
  { address: weth, symbol: 'WETH', decimals: 18 },
  { address: wbtc, symbol: 'WBTC', decimals: 8 },
] as const

type Step = { code: Hex; input: Hex }

const encode = (code: Hex, types: string, values: readonly unknown[]): Step => ({
  code,
  input: encodeAbiParameters(parseAbiParameters(types), values as never),
})
const ALL_HELD = 1n << 255n
const swap = (receiver: Hex, from: Hex, to: Hex, isPaidByCaller: boolean, amountIn = 10n ** 9n) =>
  encode('0x00', 'address, uint256, uint256, bytes, bool', [
    receiver,
    amountIn,
    10n ** 6n,
    encodePacked(['address', 'uint24', 'address'], [from, 500, to]),
    isPaidByCaller,
  ])
const pull = (asset: Hex) => encode('0x02', 'address, address, uint160', [asset, router, 10n ** 9n])
const sweep = (asset: Hex) => encode('0x04', 'address, address, uint256', [asset, safeAddress, 10n ** 6n])
const wrap = encode('0x0b', 'address, uint256', [router, 10n ** 17n])
const unwrap = (receiver: Hex) => encode('0x0c', 'address, uint256', [receiver, 10n ** 6n])

async function severe(steps: readonly Step[], change: Partial<ReviewInput> = {}, value = 0n): Promise<string[]> {
  const codes: Hex = `0x${steps.map(({ code }) => code.slice(2)).join('')}`
  const abi = parseAbi(['function execute(bytes commands, bytes[] inputs, uint256 deadline)'])
  const data = encodeFunctionData({ abi, args: [codes, steps.map(({ input }) => input), 1n] })
  const { findings } = await reviewSafeTx(inputOf({ to: token, data, value }, { tokens, ...change }))
  return findings.filter(({ severity }) => severity === 'high' || severity === 'critical').map(({ id }) => id)
}

describe('tokens that a step leaves in a router', () => {
  it.each([
    ['swept', [swap(router, usdc, wbtc, true), sweep(wbtc)]],
    ['unwrapped', [swap(router, usdc, weth, true), unwrap(safeAddress)]],
    ['sold by the router', [swap(router, usdc, weth, true), swap(safeAddress, weth, wbtc, false, ALL_HELD)]],
    ['wrapped, then sold by the router', [wrap, swap(safeAddress, weth, usdc, false, 10n ** 17n)]],
    [
      'sold in two parts',
      [
        wrap,
        swap(safeAddress, weth, usdc, false, 6n * 10n ** 16n),
        swap(safeAddress, weth, wbtc, false, 4n * 10n ** 16n),
      ],
    ],
    ['pulled, then sold by the router', [pull(usdc), swap(safeAddress, usdc, weth, false)]],
  ])('are sent on: %s', async (_, steps) => expect(await severe(steps)).toEqual([]))

  it.each([
    ['another token is swept', [swap(router, usdc, wbtc, true), sweep(usdc)]],
    ['what was bought cannot be unwrapped', [swap(router, usdc, wbtc, true), unwrap(safeAddress)]],
    ['a token without a listing is unwrapped', [swap(router, usdc, unlisted, true), unwrap(safeAddress)]],
    ['it is unwrapped to the router', [swap(router, usdc, weth, true), unwrap(router)]],
    ['another token is sold', [swap(router, usdc, weth, true), swap(safeAddress, wbtc, usdc, false)]],
    ['the caller pays for the next swap', [wrap, swap(safeAddress, weth, usdc, true)]],
    ['a part of it is sold', [pull(usdc), swap(safeAddress, usdc, weth, false, 1n)]],
    ['a part of what was bought is sold', [swap(router, usdc, weth, true), swap(safeAddress, weth, wbtc, false, 1n)]],
    ['nothing follows', [pull(usdc)]],
    ['another token than the pulled one is swept', [pull(usdc), sweep(wbtc)]],
  ])('are for whoever comes first: %s', async (_, steps) => expect(await severe(steps)).toContain('RECEIVER-OTHER'))
})

describe('native coin that is sent to a router', () => {
  const poolKey = [zeroAddress, usdc, 500, 10, zeroAddress]
  const sell = (amountIn: bigint) =>
    encode('0x06', '((address, address, uint24, int24, address), bool, uint128, uint128, bytes)', [
      [poolKey, true, amountIn, 1n, '0x'],
    ])
  const settle = (amount: bigint) => encode('0x0b', 'address, uint256, bool', [zeroAddress, amount, true])
  const alongPool = (...steps: Step[]) =>
    encode('0x10', 'bytes, bytes[]', [concat(steps.map(({ code }) => code)), steps.map(({ input }) => input)])

  it.each([
    ['what is settled', alongPool(settle(10n)), 10n],
    ['what a swap owes', alongPool(sell(10n), settle(0n)), 10n],
  ])('is taken: %s', async (_, step, value) => {
    expect(await severe([step], {}, value)).not.toContain('RECEIVER-OTHER')
    expect(await severe([step], {}, value + 1n)).toContain('RECEIVER-OTHER')
  })
})

describe('a wrapped coin', () => {
  it('is known by its address, whatever a token calls itself, and of other chains by the operator’s list', async () => {
    const imitation = getAddress(unlisted)
    const steps = [swap(router, usdc, imitation, true), unwrap(safeAddress)]
    const named = [...tokens, { address: imitation, symbol: 'WETH', decimals: 18 }]
    expect(await severe(steps, { tokens: named })).toEqual(['RECEIVER-OTHER'])
    expect(await severe(steps, { tokens: named, chainId: 424_242 })).not.toContain('RECEIVER-OTHER')
    expect(
      await severe(steps, { chainId: 424_242, tokens: [...tokens, { address: imitation, symbol: 'X', decimals: 18 }] }),
    ).toContain('RECEIVER-OTHER')
  })

  it('has an address with a correct checksum', () => {
    for (const address of Object.values(wrappedCoins)) expect(getAddress(address)).toBe(address)
  })
})
