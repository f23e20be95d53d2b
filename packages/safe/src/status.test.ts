import { describe, expect, it } from 'vitest'
import { transactionStatus } from './status.ts'

const alice = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const bob = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const safe = { owners: [alice], threshold: 1, nonce: 5n }
const open = { nonce: 5n, isExecuted: false, isSuccessful: null, confirmations: [] }

describe('transactionStatus', () => {
  it.each([
    ['AWAITING_CONFIRMATIONS', open],
    ['AWAITING_CONFIRMATIONS', { ...open, confirmations: [{ owner: bob }] }],
    ['AWAITING_EXECUTION', { ...open, nonce: 9n, confirmations: [{ owner: alice }] }],
    ['CANCELLED', { ...open, nonce: 4n, confirmations: [{ owner: alice }] }],
    ['SUCCESS', { ...open, nonce: 4n, isExecuted: true, isSuccessful: true }],
    ['FAILED', { ...open, nonce: 4n, isExecuted: true, isSuccessful: false }],
  ] as const)('%s', (status, transaction) => {
    expect(transactionStatus(transaction, safe)).toBe(status)
  })
})
