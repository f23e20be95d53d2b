import type { SignedThing } from '@countersign/contract'
import { hashSafeMessage, hashSafeTx, newSafeTx, parseMessageContent, type SafeState } from '@countersign/safe'
import { type Address, type Hex, pad } from 'viem'
import { describe, expect, test } from 'vitest'
import { readSigned } from './read-signed.ts'

const safeAddress: Address = '0x1c694Fc3006D81ff4a56F97E1b99529066a23725'
const place = { chainId: 1, safeAddress }
const state = { version: '1.4.1', reportedVersion: '1.4.1' } as Partial<SafeState> as SafeState
const safeTx = newSafeTx({ to: safeAddress, value: 1n, nonce: 4n })
const { safeTxHash } = hashSafeTx({ ...place, version: '1.4.1', safeTx })
const content = '"Hello"'
const { safeMessageHash } = hashSafeMessage({ ...place, version: '1.4.1', content: parseMessageContent(content) })

function listed(kind: SignedThing['kind'], hash: Hex, fields: Partial<SignedThing> = {}): SignedThing {
  const nothing = { safeTx: null, content: null, isDeleted: false, isSignedOnChain: false, signatures: [] }
  return { kind, hash, ...nothing, ...fields }
}

describe('readSigned', () => {
  test('default: what has the hash that it is listed under', () => {
    const transaction = listed('transaction', safeTxHash, { safeTx })
    expect(readSigned(transaction, place, state)?.subject).toEqual({ kind: 'transaction', ...place, safeTx })
    const message = listed('message', safeMessageHash, { content })
    expect(readSigned(message, place, state)?.subject).toMatchObject({ kind: 'message' })
    expect(readSigned(listed('hash', pad('0x1')), place, state)).toMatchObject({ subject: null, hash: pad('0x1') })
  })

  test.each<[string, SignedThing]>([
    ['other fields', listed('transaction', safeTxHash, { safeTx: { ...safeTx, value: 2n } })],
    ['no fields', listed('transaction', safeTxHash)],
    ['another content', listed('message', safeMessageHash, { content: '"Goodbye"' })],
    ['a content that cannot be read', listed('message', safeMessageHash, { content: '{' })],
    ['a message in the place of a transaction', listed('transaction', safeMessageHash, { content })],
  ])('behavior: not %s', (_, signed) => expect(readSigned(signed, place, state)).toBe(null))
})
