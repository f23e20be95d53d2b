import { newSafeTx } from '@countersign/safe-core'
import { zeroAddress, zeroHash } from 'viem'
import { expect, it } from 'vitest'
import { nextNonceOver } from './other-service.ts'

const at = (nonce: bigint) => ({
  ...{
    safeTx: newSafeTx({ to: zeroAddress, nonce }),
    safeTxHash: zeroHash,
    origin: null,
    signatures: [],
    unreadable: 0,
  },
})
const there = (...nonces: bigint[]) => ({ waiting: nonces.map(at) })

it('is free here and there', () => {
  expect(nextNonceOver([], null, 5n)).toBe(5n)
  expect(nextNonceOver([{ nonce: 6n }], there(5n), 5n)).toBe(7n)
  expect(nextNonceOver([{ nonce: 6n }], there(5n, 9n), 5n)).toBe(7n)
  expect(nextNonceOver([], { waiting: null }, 5n)).toBe(5n)
})
