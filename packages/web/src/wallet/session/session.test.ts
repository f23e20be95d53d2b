import type { Session } from '@countersign/contract'
import { describe, expect, test } from 'vitest'
import { accountStateOf } from './session.ts'

const anna = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const bruno = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const session: Session = {
  address: anna,
  chainId: 1,
  provenBy: 'key',
  createdAt: '2026-01-01T00:00:00Z',
  expiresAt: '2026-02-01T00:00:00Z',
}
const connected = (address: typeof anna | typeof bruno, chainId: number, id = 'io.metamask') =>
  ({ status: 'connected', address, chainId, connector: { id } }) as const
const signedIn = { status: 'authenticated', session } as const
const byContract = { status: 'authenticated', session: { ...session, provenBy: 'contract' } } as const

describe('accountStateOf', () => {
  test("default: verified on every chain by its key, as long as it is the wallet's account", () => {
    for (const chainId of [1, 10])
      expect(accountStateOf(signedIn, connected(anna, chainId))).toMatchObject({ status: 'verified', isSafe: false })
    expect(accountStateOf(signedIn, connected(bruno, 1))).toMatchObject({ status: 'wrong-account', account: bruno })
  })

  test('behavior: a contract is verified on its chain alone: elsewhere the address may be of somebody else', () => {
    expect(accountStateOf(byContract, connected(anna, 1, 'safe'))).toMatchObject({ status: 'verified', isSafe: true })
    expect(accountStateOf(byContract, connected(anna, 10, 'safe'))).toEqual({
      status: 'connected-unverified',
      account: anna,
      chainId: 10,
    })
  })

  test('behavior: without a wallet, and while either is not known yet', () => {
    expect(accountStateOf(signedIn, { status: 'disconnected' })).toEqual({ status: 'session-without-wallet', session })
    expect(accountStateOf(signedIn, { status: 'reconnecting' })).toEqual({ status: 'loading' })
    expect(accountStateOf({ status: 'loading', session: null }, connected(anna, 1))).toEqual({ status: 'loading' })
    expect(accountStateOf({ status: 'unauthenticated', session: null }, { status: 'connecting' })).toEqual({
      status: 'signed-out',
    })
    expect(accountStateOf({ status: 'unauthenticated', session: null }, connected(anna, 1))).toMatchObject({
      status: 'connected-unverified',
    })
  })
})
