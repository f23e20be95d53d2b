import type { MultisigTransaction } from '@countersign/contract'
import { newSafeTx } from '@countersign/safe-core'
import { describe, expect, it } from 'vitest'
import { countConfirmations, groupQueue, nextFreeNonce, waitsFor } from './queue.ts'

const safeAddress = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const [first, second, third] = [
  '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
] as const
const state = { owners: [first, second, third], threshold: 2 }

function proposal(
  nonce: bigint,
  owners: readonly (typeof first | typeof second | typeof third)[] = [],
): MultisigTransaction {
  return {
    chainId: 31337,
    safeAddress,
    safeTxHash: `0x${nonce.toString(16).padStart(64, '0')}`,
    safeTx: newSafeTx({ to: safeAddress, nonce }),
    proposer: first,
    origin: null,
    submissionDate: '2026-01-01T00:00:00Z',
    confirmations: owners.map((owner) => ({
      owner,
      signature: '0x',
      signatureType: 'EOA',
      submissionDate: '2026-01-01T00:00:00Z',
    })),
    confirmationsRequired: 2,
    isExecuted: false,
    isSuccessful: null,
    transactionHash: null,
    executor: null,
    blockNumber: null,
    executionDate: null,
    pendingExecution: null,
  }
}

describe('groupQueue', () => {
  it('puts conflicts side by side and says what blocks what', () => {
    const groups = groupQueue([proposal(4n), proposal(3n), proposal(3n), proposal(7n)], 3n)
    expect(groups.map(({ nonce, transactions, waitsFor }) => [nonce, transactions.length, waitsFor])).toEqual([
      [3n, 2, null],
      [4n, 1, { nonce: 3n, isProposed: true }],
      [7n, 1, { nonce: 5n, isProposed: false }],
    ])
  })

  it('leaves out what the Safe has used, and knows nothing without the nonce', () => {
    expect(groupQueue([proposal(1n), proposal(2n)], 2n).map(({ nonce }) => nonce)).toEqual([2n])
    expect(groupQueue([proposal(1n)], null)[0]?.waitsFor).toBeNull()
  })

  it('is not stopped by an absurd nonce', () => {
    expect(groupQueue([proposal((1n << 256n) - 1n)], 0n)[0]?.waitsFor).toEqual({ nonce: 0n, isProposed: false })
  })
})

it('finds the next free nonce', () => {
  expect(nextFreeNonce([], 5n)).toBe(5n)
  expect(nextFreeNonce([proposal(5n), proposal(6n)], 5n)).toBe(7n)
  expect(nextFreeNonce([proposal(2n)], 5n)).toBe(5n)
})

it('says who is missing, and whether it waits for me', () => {
  const one = proposal(3n, [second])
  expect(countConfirmations(one, state)).toEqual({ confirmed: [second], missing: [first, third] })
  expect(waitsFor(one, first, state)).toBe(true)
  expect(waitsFor(one, second, state)).toBe(false)
  expect(waitsFor(one, safeAddress, state)).toBe(false)
  expect(waitsFor(proposal(3n, [second, third]), first, state)).toBe(false)
})
