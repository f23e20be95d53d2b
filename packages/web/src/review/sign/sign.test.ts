import { hashSubject } from '@countersign/review'
import { hashSafeMessage, newSafeTx, parseMessageContent, type SafeState } from '@countersign/safe'
import { type Address, zeroHash } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import type { Signer } from '../../wallet/signing.ts'
import { messageRequest } from '../message-request.ts'
import { signSubject } from './sign.ts'

const safeAddress: Address = '0x1c694Fc3006D81ff4a56F97E1b99529066a23725'
const account = privateKeyToAccount(generatePrivateKey())
const state = { version: '1.4.1', reportedVersion: '1.4.1' } as SafeState

function checked(content: string) {
  const request = messageRequest({ chainId: 1, safeAddress, content, confirmations: [], origin: null }, null, null)
  return { request, review: { hash: hashSubject(request.subject, state).hash }, state }
}

/** A wallet that shows one thing and lets another be signed. */
function walletOf(sign: Signer['signTypedData']): Signer {
  return { account: account.address, walletName: 'Wallet', signTypedData: sign } as Partial<Signer> as Signer
}

type Asked = Parameters<typeof account.signTypedData>[0]

describe('signSubject', () => {
  test('default: the account signs what was reviewed', async () => {
    const wallet = walletOf((asked) => account.signTypedData(asked as Asked))
    const context = { chainId: 1, safeAddress, version: '1.4.1', content: parseMessageContent('"Hello"') }
    const { safeMessageHash } = hashSafeMessage(context)
    const signature = await signSubject(wallet, checked('"Hello"'))
    expect(signature).toBe(await account.sign({ hash: safeMessageHash }))
  })

  test('default: a transaction is signed in the same way', async () => {
    const wallet = walletOf((asked) => account.signTypedData(asked as Asked))
    const safeTx = newSafeTx({ to: safeAddress, nonce: 0n })
    const subject = { kind: 'transaction', chainId: 1, safeAddress, safeTx } as const
    const request = {
      subject,
      claimedHash: null,
      confirmations: [],
      removedOwners: [],
      others: [],
      account: null,
      origin: null,
    }
    const { hash } = hashSubject(subject, state)
    expect(await signSubject(wallet, { request, review: { hash }, state })).toBe(await account.sign({ hash }))
  })

  test('error: SAFE_TX_HASH_MISMATCH and MESSAGE_HASH_MISMATCH before the wallet is asked', async () => {
    const wallet = walletOf(async () => {
      throw new Error('The wallet was asked.')
    })
    const message = { ...checked('"Hello"'), review: { hash: zeroHash } }
    await expect(signSubject(wallet, message)).rejects.toMatchObject({ code: 'MESSAGE_HASH_MISMATCH' })
    const subject = {
      kind: 'transaction',
      chainId: 1,
      safeAddress,
      safeTx: newSafeTx({ to: safeAddress, nonce: 0n }),
    } as const
    const request = {
      subject,
      claimedHash: null,
      confirmations: [],
      removedOwners: [],
      others: [],
      account: null,
      origin: null,
    }
    await expect(signSubject(wallet, { ...message, request })).rejects.toMatchObject({ code: 'SAFE_TX_HASH_MISMATCH' })
  })

  test.each<[string, Signer['signTypedData']]>([
    ['another message', (asked) => account.signTypedData({ ...asked, message: { message: '0x12' } } as Asked)],
    [
      'for another Safe',
      (asked) =>
        account.signTypedData({ ...asked, domain: { ...asked.domain, verifyingContract: account.address } } as Asked),
    ],
    ['with another account', (asked) => privateKeyToAccount(generatePrivateKey()).signTypedData(asked as Asked)],
  ])('error: SIGNER_IS_NOT_ACCOUNT when the wallet signs %s', async (_, sign) => {
    const attempt = signSubject(walletOf(sign), checked('"Hello"'))
    await expect(attempt).rejects.toMatchObject({ code: 'SIGNER_IS_NOT_ACCOUNT' })
  })
})
