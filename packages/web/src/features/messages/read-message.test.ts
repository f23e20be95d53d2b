import type { SafeMessage } from '@countersign/contract'
import { hashSafeMessage, parseMessageContent, type SafeState } from '@countersign/safe-core'
import type { Address } from 'viem'
import { describe, expect, test } from 'vitest'
import { isRefused } from './read-message.ts'

const safeAddress: Address = '0x1c694Fc3006D81ff4a56F97E1b99529066a23725'
const safeTx = `{"domain":{},"types":{"EIP712Domain":[],"SafeTx":[{"name":"nonce","type":"uint256"}]},"primaryType":"SafeTx","message":{"nonce":1}}`

describe('isRefused', () => {
  const state = { version: '1.4.1', reportedVersion: '1.4.1' } as SafeState
  const messageOf = (content: string, safeMessageHash = hashOf(content)) =>
    ({ chainId: 1, safeAddress, content, safeMessageHash, origin: null }) as SafeMessage
  const hashOf = (json: string) =>
    hashSafeMessage({ chainId: 1, safeAddress, version: '1.4.1', content: parseMessageContent(json) }).safeMessageHash

  test('default: nothing speaks against a text', () => expect(isRefused(messageOf('"Hello"'), state)).toBe(false))

  test.each([
    ['a transaction in disguise', messageOf(safeTx)],
    ['another message than its hash', messageOf('"Hello"', hashOf('"other"'))],
    ['what cannot be read', messageOf('{', hashOf('"other"'))],
  ])('behavior: %s is refused', (_, message) => expect(isRefused(message, state)).toBe(true))
})
