import type { SafeMessage } from '@countersign/contract'
import { reviewSubject } from '@countersign/review'
import { hashSafeMessage, parseMessageContent, type SafeState } from '@countersign/safe'
import { type Address, type Hex, keccak256 } from 'viem'
import { expect, test } from 'vitest'
import { noLists } from '../../evidence/attribution/review-lists.ts'
import { givenOfListed } from '../../review/use-verdicts.ts'
import { listedMessages } from './listed-messages.ts'

const safeAddress: Address = '0x1c694Fc3006D81ff4a56F97E1b99529066a23725'
const owner: Address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const state = {
  chainId: 1,
  address: safeAddress,
  version: '1.4.1',
  reportedVersion: '1.4.1',
  owners: [owner],
  threshold: 1,
  nonce: 0n,
  blockNumber: 1n,
  balance: 0n,
  modules: [],
  guard: null,
  moduleGuard: null,
  fallbackHandler: null,
  singleton: owner,
  singletonCodeHash: keccak256('0x'),
  proxyCodeHash: keccak256('0x'),
  isOfficialProxy: true,
} as unknown as SafeState
const safeTx = `{"domain":{},"types":{"EIP712Domain":[],"SafeTx":[{"name":"nonce","type":"uint256"}]},"primaryType":"SafeTx","message":{"nonce":1}}`

const hashOf = (json: string) =>
  hashSafeMessage({ chainId: 1, safeAddress, version: '1.4.1', content: parseMessageContent(json) }).safeMessageHash
const messageOf = (content: string, safeMessageHash: Hex = hashOf(content)) =>
  ({ chainId: 1, safeAddress, content, safeMessageHash, origin: null, confirmations: [] }) as unknown as SafeMessage

async function verdictOf(message: SafeMessage): Promise<string | undefined> {
  const [listed] = listedMessages([message], owner)
  if (!listed) return 'unreadable'
  const given = givenOfListed(listed, state, noLists, { chainIds: [1], now: 0, maxBlocksBehind: 25 })
  return given ? (await reviewSubject({ ...given, nodeChainId: 1 })).verdict : undefined
}

test.each([
  ['a transaction in disguise', messageOf(safeTx), 'do-not-sign'],
  ['another message than its hash', messageOf('"Hello"', hashOf('"other"')), 'do-not-sign'],
  ['what cannot be read', messageOf('{', hashOf('"other"')), 'unreadable'],
])('behavior: %s', async (_, message, verdict) => expect(await verdictOf(message)).toBe(verdict))

test('default: nothing speaks against a text', async () =>
  expect(await verdictOf(messageOf('"Hello"'))).toBe('matches'))
