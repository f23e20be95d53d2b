import type { SafeState } from '@countersign/safe-core'
import { zeroAddress, zeroHash } from 'viem'
import { expect, test } from 'vitest'
import { MAX_BLOCKS_BEHIND, pinnedBlock } from './pinned-block.ts'

const at = (blockNumber: bigint, change: Partial<SafeState> = {}): SafeState => ({
  ...{ chainId: 1, address: zeroAddress, owners: [], threshold: 1, nonce: 0n, proxyCodeHash: zeroHash },
  ...{ isOfficialProxy: true, singleton: zeroAddress, singletonCodeHash: zeroHash, version: '1.4.1' },
  ...{ reportedVersion: '1.4.1', modules: [], guard: null, moduleGuard: null, fallbackHandler: null, balance: 5n },
  ...{ blockNumber, ...change },
})

test('a Safe keeps its block until it changes, the head moves far, or somebody signs', () => {
  expect(pinnedBlock(at(10n))).toBe(10n)
  expect(pinnedBlock(at(11n))).toBe(10n)
  expect(pinnedBlock(at(9n))).toBe(10n)
  expect(pinnedBlock(at(12n, { balance: 4n }))).toBe(12n)
  expect(pinnedBlock(at(12n + MAX_BLOCKS_BEHIND, { balance: 4n }))).toBe(12n)
  expect(pinnedBlock(at(13n + MAX_BLOCKS_BEHIND, { balance: 4n }))).toBe(13n + MAX_BLOCKS_BEHIND)
  expect(pinnedBlock(at(60n, { balance: 4n }), true)).toBe(60n)
  expect(pinnedBlock(at(61n, { balance: 4n }))).toBe(60n)
  expect(pinnedBlock(at(7n, { chainId: 2 }))).toBe(7n)
})
