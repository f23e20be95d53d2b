import { beforeEach, describe, expect, test } from 'vitest'
import { guardedStorage } from '../guarded-storage.ts'
import { forgetWaitingSignIn, readWaitingSignIn, storeWaitingSignIn } from './waiting-sign-in.ts'

const account = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const other = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const key = 'countersign.waiting-sign-in'
const collecting = {
  prepared: { message: 'text', expiresAt: '2026-01-02T00:00:00Z' },
  pending: { messageHash: '0xab', safeTxHash: null },
} as const
const before = Date.parse('2026-01-01T00:00:00Z')

describe('readWaitingSignIn', () => {
  beforeEach(() => storeWaitingSignIn(account, 1, collecting))

  test('default: the account and the chain that wait', () => {
    expect(readWaitingSignIn(account, 1, before)).toEqual(collecting)
    expect(readWaitingSignIn(other, 1, before)).toBeNull()
    expect(readWaitingSignIn(account, 10, before)).toBeNull()
    expect(readWaitingSignIn(account, 1, before), 'asking for another forgets nothing').toEqual(collecting)
    forgetWaitingSignIn()
    expect(readWaitingSignIn(account, 1, before)).toBeNull()
  })

  test('behavior: what has expired is forgotten', () => {
    expect(readWaitingSignIn(account, 1, Date.parse(collecting.prepared.expiresAt))).toBeNull()
    expect(guardedStorage.getItem(key)).toBeNull()
  })

  test.each([
    '',
    'null',
    '[]',
    '{',
    JSON.stringify({ account, chainId: 1 }),
    JSON.stringify({ account: 'x', chainId: 1, ...collecting }),
    JSON.stringify({ account, chainId: '1', ...collecting }),
    JSON.stringify({ account, chainId: 1, ...collecting, prepared: { message: 'text', expiresAt: 'soon' } }),
    JSON.stringify({ account, chainId: 1, ...collecting, pending: { messageHash: '<b>', safeTxHash: null } }),
  ])('behavior: a stored %j is nothing', (stored) => {
    guardedStorage.setItem(key, stored)
    expect(readWaitingSignIn(account, 1, before)).toBeNull()
  })
})
