import type { MultisigTransaction, OtherProposal, QueueClaims } from '@countersign/contract'
import type { DeclaredEffects, SpentAmount } from '@countersign/review'
import { newSafeTx, type SafeState } from '@countersign/safe'
import { type Address, type Hex, keccak256, pad, zeroAddress, zeroHash } from 'viem'
import { describe, expect, test } from 'vitest'
import { noLists, type ReviewLists } from '../evidence/attribution/review-lists.ts'
import type { VerifiedVersion } from '../evidence/policy/verified-version.ts'
import { givenFor } from './review-context.ts'
import { transactionRequest } from './subject.ts'
import { listedTransactions } from './use-listed.ts'
import { givenOfListed, unreviewedOf } from './use-verdicts.ts'

const [safeAddress, owner, former]: [Address, Address, Address] = [
  '0x2222222222222222222222222222222222222222',
  '0x3333333333333333333333333333333333333333',
  '0x4444444444444444444444444444444444444444',
]
const hash = keccak256('0x01')
const state = { chainId: 1, address: safeAddress, owners: [owner], threshold: 1, version: '1.4.1' } as SafeState
const around = { chainIds: [1], now: 0, maxBlocksBehind: 25 }
const transaction = {
  chainId: 1,
  safeAddress,
  safeTxHash: hash,
  safeTx: newSafeTx({ to: owner, nonce: 4n }),
  origin: null,
  confirmations: [{ owner, signature: '0x01' }],
} as unknown as MultisigTransaction
const otherAt = (safeTxHash: Hex, nonce: bigint): OtherProposal => ({
  safeTxHash,
  nonce,
  isCancellation: false,
  confirmations: [],
  formerConfirmations: [{ owner: former, signature: '0x05' }],
})
const own = otherAt(hash, 4n)
const [rival, later] = [otherAt(pad('0x02'), 4n), otherAt(pad('0x03'), 6n)]
const [deletedHere, deletedLater] = [otherAt(pad('0x04'), 4n), otherAt(pad('0x05'), 5n)]
const spent: SpentAmount[] = [{ asset: zeroAddress, period: 86_400, executed: 1n, queued: 2n }]
const said = {
  formerConfirmations: [{ owner: former, signature: '0x02' as Hex, removedIn: keccak256('0x') }],
  declaredEffects: { version: 1, author: owner } as DeclaredEffects,
}
const claims = {
  proposals: [{ safeTxHash: hash, ...said, spent }],
  others: [own, rival, later],
  deleted: [deletedHere, deletedLater],
} as QueueClaims
const policy = {
  policy: {
    chainId: 1,
    safeAddress,
    number: 1,
    previousHash: zeroHash,
    reason: 'Limits',
    allowed: [],
    refundLimits: [],
    reviewers: [],
    recipientsOnly: false,
    recipients: [],
    noDelegatecall: false,
    amountLimits: [{ asset: zeroAddress, amount: 100n, period: 86_400 }],
  },
} as unknown as Pick<VerifiedVersion, 'policy' | 'version'>

function ofList(lists: ReviewLists, served: typeof claims | undefined) {
  const [listed] = listedTransactions([transaction], served, owner)
  if (!listed) throw new Error('It is listed.')
  return givenOfListed(listed, state, lists, around)
}

describe('what a list reviews', () => {
  const ofPage = (lists: ReviewLists) => {
    const served = { transaction, others: [rival, later, deletedLater], ...said }
    const request = transactionRequest(served, hash, owner)
    if (!request) throw new Error('Its fields are known.')
    return givenFor(request, state, lists, around)
  }

  test('default: all that its page reviews, and nothing else', () => {
    expect(ofList(noLists, claims)).toEqual(ofPage(noLists))
  })

  test('behavior: the policy, and the sums beside its nonce where it limits amounts', () => {
    const missing = { ...noLists, policy: null }
    expect(ofList(missing, claims)).toEqual(ofPage(missing))
    expect(ofList(missing, claims)).toMatchObject({ policy: { status: 'unread' }, spent: undefined })
    const noPolicy = { ...noLists, policy: { inForce: null, proposed: null } }
    expect(ofList(noPolicy, claims)).toEqual(ofPage(noPolicy))
    const inForce = {
      ...noLists,
      policy: { inForce: { ...policy, signers: [owner], withdrawals: [] }, proposed: null },
    }
    expect(ofList(inForce, claims)).toEqual(ofPage({ ...inForce, spent }))
    expect(ofList(inForce, claims)).toMatchObject({ policy: { status: 'in-force' }, spent })
  })

  test('behavior: without what is said of it, the list says nothing', () => {
    expect(ofList(noLists, undefined)).toBeNull()
    expect(ofList(noLists, { ...claims, proposals: [] })).toBeNull()
  })
})

describe('unreviewedOf', () => {
  const reasonOf = (served: typeof claims | null | undefined, change: Partial<typeof transaction> = {}) =>
    unreviewedOf(listedTransactions([{ ...transaction, ...change }], served, owner), false).get(hash)

  test('default: what is being reviewed has no reason, and neither has what is asked for', () => {
    expect(reasonOf(claims)).toBeUndefined()
    expect(reasonOf(undefined)).toBeUndefined()
  })

  test('behavior: whatever never gets a verdict in the list says why', () => {
    expect(reasonOf(null)).toBe('claims')
    expect(reasonOf(claims, { safeTx: null })).toBe('fields')
    expect(reasonOf({ ...claims, proposals: [] })).toBe('many')
    expect(unreviewedOf(listedTransactions([transaction], claims, owner), true).get(hash)).toBe('state')
    const [one] = listedTransactions([transaction], claims, owner)
    if (!one) throw new Error('It is listed.')
    const many = Array.from({ length: 101 }, (_, at) => ({ ...one, hash: pad(`0x${at.toString(16)}`) }))
    expect([...unreviewedOf(many, false)]).toEqual([[many[100]?.hash, 'many']])
  })
})
