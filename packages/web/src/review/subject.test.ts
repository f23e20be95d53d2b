import type { MultisigTransaction } from '@countersign/contract'
import type { DeclaredEffects } from '@countersign/review'
import { newSafeTx, type SafeState } from '@countersign/safe'
import { type Address, keccak256, zeroHash } from 'viem'
import { describe, expect, test } from 'vitest'
import { byIdentity, computedQuery } from '../api/computed-query.ts'
import { noLists } from '../evidence/attribution/review-lists.ts'
import { messageRequest } from './message-request.ts'
import { assertPlace, toGiven, transactionRequest } from './subject.ts'

const [safeAddress, owner, former]: [Address, Address, Address] = [
  '0x2222222222222222222222222222222222222222',
  '0x3333333333333333333333333333333333333333',
  '0x4444444444444444444444444444444444444444',
]
const state = { chainId: 1, address: safeAddress, owners: [owner], blockNumber: 7n, balance: 1n } as SafeState
const around = { reviewedBefore: null, chainIds: [1, 10], now: 0 }
const transaction = {
  chainId: 1,
  safeAddress,
  safeTx: newSafeTx({ to: owner, nonce: 0n }),
  origin: 'Shop',
  confirmations: [{ owner, signature: '0x01' }],
} as unknown as MultisigTransaction
const formerConfirmations = [{ owner: former, signature: '0x02', removedIn: keccak256('0x') }] as const
const served = { transaction, others: [], formerConfirmations: [...formerConfirmations] }
const message = {
  chainId: 1,
  safeAddress,
  content: '"Hello"',
  origin: 'https://shop.example/cart',
  confirmations: [],
  formerConfirmations: [...formerConfirmations],
}
const keyOf = (given: unknown) => computedQuery('review', given, (input) => input).queryKey

describe('transactionRequest', () => {
  test('default: the hash of the link, and those who are no owners any more among those who signed', () => {
    expect(transactionRequest(served, zeroHash, owner)).toMatchObject({
      claimedHash: zeroHash,
      confirmations: [{ owner }, { owner: former }],
      removedOwners: [{ owner: former, transactionHash: keccak256('0x') }],
    })
  })

  test('behavior: declared effects reach the review; what owners reported does not', () => {
    const declared = { version: 1, author: owner } as DeclaredEffects
    const withClaims = { ...served, declaredEffects: declared, reports: [{ verdict: 'do-not-sign' }] }
    const asked = transactionRequest(withClaims, zeroHash, owner)
    if (!asked) throw new Error('Its fields are not known.')
    const given = toGiven(asked, state, noLists, around)
    expect(given.declared).toBe(declared)
    expect(JSON.stringify(given, (_, value) => (typeof value === 'bigint' ? String(value) : value))).not.toContain(
      'do-not-sign',
    )
  })

  test('behavior: without its fields there is nothing to review', () => {
    expect(transactionRequest({ ...served, transaction: { ...transaction, safeTx: null } }, zeroHash, null)).toBeNull()
  })
})

describe('messageRequest', () => {
  test('default: former owners are among those who signed, and named as such', () => {
    const { confirmations, removedOwners } = messageRequest(message, zeroHash, owner)
    expect(confirmations).toEqual(formerConfirmations)
    expect(removedOwners).toEqual([{ owner: former, transactionHash: keccak256('0x') }])
  })
})

describe('toGiven', () => {
  const request = transactionRequest(served, zeroHash, owner)
  const ofMessage = messageRequest(message, null, owner)
  if (!request) throw new Error('Its fields are not known.')

  test('default: another block asks for no other review; of a message neither does what the Safe holds', () => {
    const later = { ...state, blockNumber: 8n }
    const richer = { ...later, balance: 2n }
    expect(keyOf(toGiven(request, later, noLists, around))).toEqual(keyOf(toGiven(request, state, noLists, around)))
    expect(keyOf(toGiven(request, richer, noLists, around))).not.toEqual(
      keyOf(toGiven(request, state, noLists, around)),
    )
    expect(keyOf(toGiven(ofMessage, richer, noLists, around))).toEqual(
      keyOf(toGiven(ofMessage, state, noLists, around)),
    )
  })

  test('behavior: a message is reviewed at a minute, so that its page finds the review right before a signature', () => {
    const keyAt = (now: number) => keyOf(toGiven(ofMessage, state, noLists, { ...around, now }))
    expect(keyAt(60_000 + 1)).toEqual(keyAt(60_000))
    expect(keyAt(120_000)).not.toEqual(keyAt(60_000))
  })

  test.each([
    ['the confirmations', { ...request, confirmations: [] }, around],
    ['the reader', { ...request, account: null }, around],
    ['the chains', request, { ...around, chainIds: [1] }],
    ['what was shown first', request, { ...around, reviewedBefore: zeroHash }],
  ] as const)('behavior: %s ask for another', (_, changed, changedAround) => {
    expect(keyOf(toGiven(changed, state, noLists, changedAround))).not.toEqual(
      keyOf(toGiven(request, state, noLists, around)),
    )
  })

  test('behavior: the tokens of the chain ask for another, and so does what a contract owner answers late', () => {
    const given = toGiven(request, state, noLists, around)
    const tokens = byIdentity([{ address: former, symbol: 'USDX', name: 'Dollar', decimals: 6 }])
    expect(keyOf(toGiven(request, state, { ...noLists, tokens }, around))).not.toEqual(keyOf(given))
    const keys = [undefined, { [owner]: undefined }, { [owner]: true }, { [owner]: false }].map((contractSignatures) =>
      JSON.stringify(keyOf({ ...given, contractSignatures })),
    )
    expect(new Set(keys).size).toBe(4)
  })

  test('behavior: a message is compared with the site that asks, and with that alone', () => {
    expect(toGiven(ofMessage, state, noLists, around).origin).toBe('https://shop.example')
    expect(toGiven({ ...ofMessage, origin: 'My shop' }, state, noLists, around).origin).toBeNull()
  })
})

describe('assertPlace', () => {
  const place = { kind: 'transaction', chainId: 1, safeAddress, hash: zeroHash } as const
  const thrown = (kind: 'transaction' | 'message', other: object) => {
    try {
      assertPlace({ ...place, kind }, { ...place, ...other })
    } catch (error) {
      return error
    }
    return null
  }

  test('default: what is served is what the link says', () => expect(thrown('message', {})).toBeNull())

  test('error: SAFE_TX_HASH_MISMATCH, MESSAGE_HASH_MISMATCH, REVIEW_REFUSED', () => {
    const hash = keccak256('0x')
    expect(thrown('transaction', { hash })).toMatchObject({ code: 'SAFE_TX_HASH_MISMATCH' })
    expect(thrown('message', { hash })).toMatchObject({ code: 'MESSAGE_HASH_MISMATCH' })
    for (const other of [{ chainId: 2 }, { safeAddress: owner }])
      expect(thrown('message', other)).toMatchObject({ code: 'REVIEW_REFUSED' })
  })
})
