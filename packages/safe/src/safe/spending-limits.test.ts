import {
  type Address,
  decodeFunctionData,
  encodeFunctionResult,
  getAddress,
  type Hex,
  parseAbi,
  zeroAddress,
} from 'viem'
import { describe, expect, test } from 'vitest'
import { limitModules, readSpendingLimits } from './spending-limits.ts'

const module: Address = '0xCFbFaC74C26F8647cBDb8c5caf80BB5b32E43134'
const [safe, anna, bruno, token] = [1, 2, 3, 4].map((digit) => getAddress(`0x${String(digit).repeat(40)}`)) as [
  Address,
  Address,
  Address,
  Address,
]
/** As the released module declares them. */
const abi = parseAbi([
  'function getDelegates(address safe, uint48 start, uint8 pageSize) view returns (address[] results, uint48 next)',
  'function getTokens(address safe, address delegate) view returns (address[])',
  'function getTokenAllowance(address safe, address delegate, address token) view returns (uint256[5])',
])

type Kept = Record<Address, Record<Address, readonly [bigint, bigint, bigint]>>

/** Answers as the module would that keeps these allowances. */
function moduleWith(kept: Kept, next = 0) {
  return async ({ params }: { method: string; params?: unknown }) => {
    const [{ to, data }] = params as [{ to: Address; data: Hex }]
    expect(to).toBe(module)
    const { functionName, args } = decodeFunctionData({ abi, data })
    expect(args[0]).toBe(safe)
    switch (functionName) {
      case 'getDelegates':
        return encodeFunctionResult({ abi, functionName, result: [Object.keys(kept) as Address[], next] })
      case 'getTokens':
        return encodeFunctionResult({ abi, functionName, result: Object.keys(kept[args[1]] ?? {}) as Address[] })
      case 'getTokenAllowance': {
        const [amount, spent, minutes] = kept[args[1]]?.[args[2]] ?? [0n, 0n, 0n]
        return encodeFunctionResult({ abi, functionName, result: [amount, spent, minutes, 29_000_000n, 3n] })
      }
    }
  }
}

describe('readSpendingLimits', () => {
  test('default: each delegate and asset, without those that were removed', async () => {
    const request = moduleWith({
      [anna]: { [zeroAddress]: [10n, 4n, 1440n], [token]: [0n, 0n, 0n] },
      [bruno]: { [token]: [5_000_000n, 5_000_000n, 0n] },
    })
    expect(await readSpendingLimits(request, safe, module)).toEqual({
      isWhole: true,
      limits: [
        { module, delegate: anna, token: zeroAddress, amount: 10n, spent: 4n, resetMinutes: 1440 },
        { module, delegate: bruno, token, amount: 5_000_000n, spent: 5_000_000n, resetMinutes: 0 },
      ],
    })
  })

  test('behavior: says that there are more', async () => {
    expect(await readSpendingLimits(moduleWith({}, 7), safe, module)).toEqual({ limits: [], isWhole: false })
  })

  test('error: RPC_ERROR where the module does not answer', async () => {
    await expect(readSpendingLimits(async () => '0x', safe, module)).rejects.toMatchObject({ code: 'RPC_ERROR' })
  })
})

test('limitModules: releases of the Allowance Module alone', () => {
  expect(limitModules([anna, module, token])).toEqual([module])
})
