import {
  CountersignError,
  encodeApprovedHash,
  encodeContractSignature,
  erc20Abi,
  type RpcRequest,
} from '@countersign/safe'
import { parseGivenAbi } from '@countersign/safe/calls'
import { type Address, concatHex, encodeFunctionData, keccak256, pad, zeroHash } from 'viem'
import { describe, expect, it } from 'vitest'
import type { MessageGiven } from '../given.ts'
import { reviewSubject } from '../review.ts'
import { account, inputOf, otherOwner, safeAddress, state, stranger, token } from '../scene.ts'
import { collectFacts, isFactOpen, neededFacts, readFact, toFacts } from './collect.ts'
import * as registry from './registry.ts'

const unlisted: Address = '0x5555555555555555555555555555555555555555'
const transfer = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [stranger, 1n] })
const message: MessageGiven = {
  kind: 'message',
  chainId: 1,
  safeAddress,
  content: { encoding: 'EIP191_TEXT', text: 'Hello' },
  state,
  claimedHash: null,
  confirmations: [],
  others: [],
  account: null,
  origin: null,
  tokens: [],
}
const idsOf = (given: Parameters<typeof neededFacts>[0]) =>
  neededFacts(given)
    .map(({ id }) => id)
    .toSorted()
const needOf = (given: Parameters<typeof neededFacts>[0], wanted: string) =>
  neededFacts(given).find(({ id }) => id === wanted)?.need

describe('facts', () => {
  it('stand under their own names', () => {
    for (const [name, fact] of Object.entries(registry)) expect(fact.id).toBe(name)
  })

  it('are asked for as far as a subject needs them', () => {
    const ofAll = ['nodeChainId', 'ownerAccounts', 'safeSlots']
    const ofTransaction = ['balances', 'chainSafeTxHash', 'codes', 'guardAnswers', ...ofAll, 'tokenClaims']
    expect(idsOf(inputOf({}))).toEqual(ofTransaction)
    expect(idsOf(message)).toEqual([...ofAll, 'signedOnChain'])
    const approved = { owner: account.address, signature: encodeApprovedHash(account.address) }
    const byContract = { owner: otherOwner, signature: encodeContractSignature(otherOwner, '0x12') }
    const signed = inputOf({}, { confirmations: [approved, byContract] })
    expect(idsOf(signed)).toEqual(expect.arrayContaining(['approvedHashes', 'contractSignatures']))
    // The slot is read while the Safe is being read: what comes of it is looked at before 1.3.0 alone.
    expect(idsOf(inputOf({}, { state: null }))).toContain('storedDomainHash')
    const old = { ...state, version: '1.1.1', reportedVersion: '1.1.1' }
    expect(idsOf(inputOf({}, { state: old, chainIds: [1] }))).toEqual(
      expect.arrayContaining(['storedDomainHash', 'otherChains']),
    )
  })

  it('ask about listed tokens what they hold, and about others what they say of themselves too', () => {
    const listed = inputOf({ to: token, data: transfer })
    expect([needOf(listed, 'balances'), needOf(listed, 'tokenClaims')]).toMatchObject([
      { tokens: [token] },
      { tokens: [] },
    ])
    const other = inputOf({ to: unlisted, data: transfer })
    expect(needOf(other, 'tokenClaims')).toMatchObject({ tokens: [unlisted] })
  })

  it('ask for the code of whom an ABI that counts tells of', () => {
    const functions = parseGivenAbi([{ type: 'function', name: 'entrust', inputs: [{ name: 'to', type: 'address' }] }])
    const data = concatHex([functions[0]?.selector ?? '0x', pad(unlisted)])
    expect(needOf(inputOf({ to: stranger, data }), 'codes')).toMatchObject({ addresses: [stranger] })
    const read = inputOf({ to: stranger, data }, { abis: [{ address: stranger, functions }] })
    expect(needOf(read, 'codes')).toMatchObject({ addresses: [stranger, unlisted] })
  })

  it('that nobody answers are absent, and what rests on them is not checked', async () => {
    const away: RpcRequest = async () => {
      throw new CountersignError('CHAIN_UNREACHABLE', 'No answer.')
    }
    const { codes, balances, chainSafeTxHash, nodeChainId, ...given } = inputOf({ to: token, data: transfer })
    const facts = await collectFacts(given, (needed) => readFact(() => away, needed))
    const review = await reviewSubject({ ...given, ...facts })
    const notChecked = review.checks.filter(({ status }) => status === 'not-checked').map(({ id }) => id)
    expect(notChecked).toEqual(expect.arrayContaining(['code', 'chain-hash', 'chain-id', 'outcome']))
    expect(review.checks.filter(({ status }) => status === 'failed')).toEqual([])
  })

  it('one that fails spoils no other', async () => {
    const facts = await collectFacts(inputOf({}), async ({ id }) => {
      if (id === 'nodeChainId') throw new Error('No.')
      return id === 'codes' ? { a: { codeHash: keccak256('0x'), size: 0 } } : undefined
    })
    expect(facts.nodeChainId).toBeUndefined()
    expect(facts.codes).toHaveProperty('a')
  })

  it('are open for as long as an owner may still say yes', () => {
    const needed = { id: 'contractSignatures', need: null } as const
    expect(isFactOpen(needed, { [otherOwner]: false })).toBe(true)
    expect(isFactOpen(needed, { [otherOwner]: true })).toBe(false)
    expect(isFactOpen({ id: 'nodeChainId', need: null }, null)).toBe(false)
  })

  it('are put under their names', () => {
    expect(toFacts([{ id: 'chainSafeTxHash', need: null }], [zeroHash])).toEqual({ chainSafeTxHash: zeroHash })
  })
})
