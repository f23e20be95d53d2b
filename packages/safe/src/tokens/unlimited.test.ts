import { maxUint96, maxUint160, maxUint256 } from 'viem'
import { expect, test } from 'vitest'
import { isUnlimited } from './unlimited.ts'

test('default: the greatest numbers of tokens and of Permit2, and whatever no token has', () => {
  expect([maxUint256, 2n ** 255n - 1n, maxUint160, maxUint96].map(isUnlimited)).toEqual([true, true, true, true])
  expect([0n, 1_250_000_000n, maxUint96 - 1n, 10n ** 36n].map(isUnlimited)).toEqual([false, false, false, false])
})
