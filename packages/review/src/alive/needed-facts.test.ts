import { encodeApprovedHash, encodeContractSignature, newSafeTx, type SafeState } from '@countersign/safe'
import { keccak256, pad } from 'viem'
import { describe, expect, test } from 'vitest'
import { neededForSignatures, withOwnApprovals } from './needed-facts.ts'

const [safeAddress, one, two, former] = [
  pad('0x5a', { size: 20 }),
  pad('0xa1', { size: 20 }),
  pad('0xb2', { size: 20 }),
  pad('0xc3', { size: 20 }),
]
const hash = keccak256('0x01')
const signature = `0x${'11'.repeat(64)}1b` as const
const state = {
  version: '1.4.1',
  reportedVersion: '1.4.1',
  owners: [one, two],
  fallbackHandler: null,
} as Partial<SafeState> as SafeState

describe('withOwnApprovals', () => {
  test('default: asks about every owner, once', () => {
    const listed = [
      { owner: one, signature: encodeApprovedHash(one) },
      { owner: former, signature },
    ]
    expect(withOwnApprovals(listed, [one, two])).toEqual([
      ...listed,
      { owner: two, signature: encodeApprovedHash(two) },
    ])
  })
})

describe('neededForSignatures', () => {
  test('default: approvals, of messages and unknown hashes too, and contract owners', () => {
    const place = { chainId: 1, safeAddress, hash }
    const approval = { owner: one, signature: encodeApprovedHash(one) }
    const approvals = { id: 'approvedHashes', need: { ...place, approvers: [one] } }
    expect(neededForSignatures({ ...place, subject: null }, state, [approval])).toEqual([approvals])
    const subject = { kind: 'transaction', chainId: 1, safeAddress, safeTx: newSafeTx({ to: one, nonce: 0n }) } as const
    const ofContract = { owner: two, signature: encodeContractSignature(two, '0x12') }
    const needed = neededForSignatures({ ...place, subject }, state, [approval, ofContract])
    expect(needed).toMatchObject([approvals, { id: 'contractSignatures', need: { signed: [ofContract] } }])
    expect(neededForSignatures({ ...place, subject }, state, [{ owner: one, signature }])).toEqual([])
  })
})
