import type { SafeState } from '@countersign/safe'
import { zeroAddress, zeroHash } from 'viem'
import { expect, test } from 'vitest'
import { pinnedBlock, releaseBlock } from './pinned-block.ts'

const at = (blockNumber: bigint, change: Partial<SafeState> = {}): SafeState => ({
  chainId: 1,
  address: zeroAddress,
  owners: [],
  threshold: 1,
  nonce: 0n,
  proxyCodeHash: zeroHash,
  isOfficialProxy: true,
  singleton: zeroAddress,
  singletonCodeHash: zeroHash,
  version: '1.4.1',
  reportedVersion: '1.4.1',
  modules: [],
  guard: null,
  moduleGuard: null,
  fallbackHandler: null,
  balance: 5n,
  blockNumber,
  ...change,
})

test('a Safe keeps its block until it changes, the head moves far, or somebody signs', () => {
  expect(pinnedBlock(at(10n), 25)).toBe(10n)
  expect(pinnedBlock(at(11n), 25)).toBe(10n)
  expect(pinnedBlock(at(9n), 25)).toBe(10n)
  expect(pinnedBlock(at(12n, { balance: 4n }), 25)).toBe(12n)
  expect(pinnedBlock(at(37n, { balance: 4n }), 25)).toBe(12n)
  expect(pinnedBlock(at(38n, { balance: 4n }), 25)).toBe(38n)
  expect(pinnedBlock(at(41n, { balance: 4n }), 3)).toBe(38n)
  expect(pinnedBlock(at(42n, { balance: 4n }), 3)).toBe(42n)
  expect(pinnedBlock(at(60n, { balance: 4n }), 'newest')).toBe(60n)
  expect(pinnedBlock(at(61n, { balance: 4n }), 25)).toBe(60n)
  expect(pinnedBlock(at(7n, { chainId: 2 }), 25)).toBe(7n)
})

test('a Safe takes the newest block once an account that its run used is different', () => {
  expect(pinnedBlock(at(10n, { chainId: 3 }), 25)).toBe(10n)
  // That was of another block, which is over.
  releaseBlock({ chainId: 3, address: zeroAddress }, 9n)
  expect(pinnedBlock(at(11n, { chainId: 3 }), 25)).toBe(10n)
  releaseBlock({ chainId: 3, address: zeroAddress }, 10n)
  expect(pinnedBlock(at(11n, { chainId: 3 }), 25)).toBe(11n)
})
