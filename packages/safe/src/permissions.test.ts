import type { Address } from 'viem'
import { describe, expect, it } from 'vitest'
import {
  canCancel,
  canConfirm,
  canDelete,
  canExecute,
  canPropose,
  canReplace,
  isCancellation,
  newCancellation,
  type Permission,
} from './permissions.ts'
import { newSafeTx } from './signing/safe-tx.ts'

const [alice, bob, carol, delegate, outsider] = [
  '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
  '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65',
] as const
const address: Address = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const safe = { address, owners: [alice, bob], threshold: 2, nonce: 3n }
const delegates = [{ delegate, delegator: alice }]

function proposal(change: { nonce?: bigint; owners?: readonly Address[]; isExecuted?: boolean } = {}) {
  const { nonce = 3n, owners = [], isExecuted = false } = change
  return { nonce, isExecuted, confirmations: owners.map((owner) => ({ owner })), proposer: alice }
}

function reason(permission: Permission): string {
  if (permission.ok) return 'ok'
  expect(permission.error.message).toMatch(/^[A-Z`].*\.$/)
  return permission.code
}

describe('canPropose', () => {
  it.each<[string, Parameters<typeof canPropose>[0]]>([
    ['ok', { safe, nonce: 3n, account: alice }],
    ['ok', { safe, nonce: 99n, account: delegate, delegates }],
    ['NOT_SIGNED_IN', { safe, nonce: 3n, account: null }],
    ['NOT_OWNER_OR_DELEGATE', { safe, nonce: 3n, account: delegate }],
    ['NOT_OWNER_OR_DELEGATE', { safe, nonce: 3n, account: outsider, delegates }],
    // An owner who is removed takes the delegates along.
    ['NOT_OWNER_OR_DELEGATE', { safe, nonce: 3n, account: delegate, delegates: [{ delegate, delegator: carol }] }],
    ['NONCE_ALREADY_EXECUTED', { safe, nonce: 2n, account: alice }],
  ])('%s', (code, facts) => {
    expect(reason(canPropose(facts))).toBe(code)
  })
})

describe('canConfirm', () => {
  it.each<[string, Parameters<typeof canConfirm>[0]]>([
    ['ok', { safe, transaction: proposal({ nonce: 9n, owners: [bob] }), account: alice }],
    ['TRANSACTION_ALREADY_EXECUTED', { safe, transaction: proposal({ isExecuted: true }), account: alice }],
    ['NONCE_ALREADY_EXECUTED', { safe, transaction: proposal({ nonce: 2n }), account: alice }],
    ['NOT_SIGNED_IN', { safe, transaction: proposal(), account: null }],
    ['NOT_AN_OWNER', { safe, transaction: proposal(), account: delegate }],
    ['ALREADY_CONFIRMED', { safe, transaction: proposal({ owners: [alice] }), account: alice }],
  ])('%s', (code, facts) => {
    expect(reason(canConfirm(facts))).toBe(code)
  })
})

describe('canExecute', () => {
  it.each<[string, Parameters<typeof canExecute>[0]]>([
    ['ok', { safe, transaction: proposal({ owners: [alice, bob] }), account: outsider }],
    ['TRANSACTION_ALREADY_EXECUTED', { safe, transaction: proposal({ isExecuted: true }), account: alice }],
    ['NONCE_ALREADY_EXECUTED', { safe, transaction: proposal({ nonce: 2n }), account: alice }],
    ['NOT_SIGNED_IN', { safe, transaction: proposal({ owners: [alice, bob] }), account: null }],
    ['THRESHOLD_NOT_REACHED', { safe, transaction: proposal({ owners: [alice, alice, carol] }), account: alice }],
    ['NONCE_OUT_OF_ORDER', { safe, transaction: proposal({ nonce: 4n, owners: [alice, bob] }), account: alice }],
  ])('%s', (code, facts) => {
    expect(reason(canExecute(facts))).toBe(code)
  })
})

describe('canDelete', () => {
  const byDelegate = { ...proposal(), proposedByDelegate: delegate }
  it.each<[string, Parameters<typeof canDelete>[0]]>([
    ['ok', { transaction: proposal(), account: alice }],
    ['ok', { transaction: proposal({ nonce: 1n }), account: alice }],
    ['ok', { transaction: byDelegate, account: delegate, delegates }],
    ['NOT_PROPOSER', { transaction: byDelegate, account: delegate }],
    ['NOT_PROPOSER', { transaction: proposal(), account: delegate, delegates }],
    ['NOT_PROPOSER', { transaction: proposal(), account: bob }],
    ['NOT_PROPOSER', { transaction: { ...proposal(), proposer: null }, account: alice }],
    ['NOT_SIGNED_IN', { transaction: proposal(), account: null }],
    ['TRANSACTION_ALREADY_EXECUTED', { transaction: proposal({ isExecuted: true }), account: alice }],
  ])('%s', (code, facts) => {
    expect(reason(canDelete(facts))).toBe(code)
  })
})

describe('canReplace', () => {
  it.each<[string, Parameters<typeof canReplace>[0]]>([
    ['ok', { safe, transaction: proposal({ owners: [alice, bob] }), account: bob }],
    ['TRANSACTION_ALREADY_EXECUTED', { safe, transaction: proposal({ isExecuted: true }), account: alice }],
    ['NONCE_ALREADY_EXECUTED', { safe, transaction: proposal({ nonce: 2n }), account: alice }],
    ['NOT_OWNER_OR_DELEGATE', { safe, transaction: proposal(), account: outsider }],
  ])('%s', (code, facts) => {
    expect(reason(canReplace(facts))).toBe(code)
  })
})

describe('canCancel', () => {
  const payment = newSafeTx({ to: outsider, value: 1n, nonce: 3n })
  const cancellation = newCancellation(address, 3n)
  const facts = { safe, transaction: proposal(), proposals: [payment], account: alice }

  it('default', () => {
    expect(reason(canCancel(facts))).toBe('ok')
    expect(reason(canCancel({ ...facts, proposals: [payment, newCancellation(address, 4n)] }))).toBe('ok')
    expect(reason(canCancel({ ...facts, account: null }))).toBe('NOT_SIGNED_IN')
  })

  it('behavior: refuses a second cancellation, and one of itself', () => {
    expect(reason(canCancel({ ...facts, proposals: [payment, cancellation] }))).toBe('CANCELLATION_EXISTS')
  })

  it('behavior: only an empty call to itself without a refund is a cancellation', () => {
    expect(isCancellation(cancellation, address)).toBe(true)
    expect(isCancellation({ ...cancellation, gasPrice: 1n }, address)).toBe(false)
    expect(isCancellation({ ...cancellation, operation: 1 }, address)).toBe(false)
    expect(isCancellation({ ...cancellation, data: '0x00' }, address)).toBe(false)
    expect(isCancellation(payment, address)).toBe(false)
  })
})
