import { hashSafeMessage, readMessageContent, type SafeState } from '@countersign/safe-core'
import type { Address } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import type { Signer } from '../../wallet/index.ts'
import { signSafeMessage } from './sign-safe-message.ts'
import type { CheckedMessage } from './use-message-review.ts'

const safeAddress: Address = '0x1c694Fc3006D81ff4a56F97E1b99529066a23725'
const account = privateKeyToAccount(generatePrivateKey())
const state = { version: '1.4.1', reportedVersion: '1.4.1' } as SafeState

function checked(json: string): CheckedMessage {
  const request = {
    chainId: 1,
    safeAddress,
    content: json,
    claimedSafeMessageHash: null,
    confirmations: [],
    origin: null,
  }
  return { request, content: readMessageContent(json), state }
}

/** A wallet that shows one thing and lets another be signed. */
function walletOf(sign: Signer['signTypedData']): Signer {
  return { account: account.address, walletName: 'Wallet', signTypedData: sign } as Partial<Signer> as Signer
}

type Asked = Parameters<typeof account.signTypedData>[0]

describe('signSafeMessage', () => {
  test('default: the account signs what was reviewed', async () => {
    const wallet = walletOf((asked) => account.signTypedData(asked as Asked))
    const context = { chainId: 1, safeAddress, version: '1.4.1', content: readMessageContent('"Hello"') }
    const { safeMessageHash, signature } = await signSafeMessage(wallet, checked('"Hello"'))
    expect(safeMessageHash).toBe(hashSafeMessage(context).safeMessageHash)
    expect(signature).toBe(await account.sign({ hash: safeMessageHash }))
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
    const attempt = signSafeMessage(walletOf(sign), checked('"Hello"'))
    await expect(attempt).rejects.toMatchObject({ code: 'SIGNER_IS_NOT_ACCOUNT' })
  })
})
