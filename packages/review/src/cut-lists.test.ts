import { officialDeployment } from '@countersign/safe'
import { encodeMultiSend } from '@countersign/safe/calls'
import { type Address, encodeFunctionData, type Hex, keccak256, numberToHex, pad, parseAbi, toHex } from 'viem'
import { describe, expect, it } from 'vitest'
import type { FindingId } from './catalogue.ts'
import type { ReviewInput } from './input.ts'
import { reviewSafeTx } from './review.ts'
import { account, inputOf, stranger } from './scene.ts'

const library = officialDeployment('multi-send-call-only', '1.4.1')?.address ?? stranger
const addresses = (count: number): Address[] =>
  Array.from({ length: count }, (_, index) => pad(numberToHex(index + 0x10_0000), { size: 20 }))
const claim = encodeFunctionData({ abi: parseAbi(['function claim_rewards()']) })
const batchTo = (count: number, data: Hex, value: bigint) => {
  const calls = addresses(count).map((to) => ({ to, value, data }))
  return inputOf({ to: library, operation: 1, data: encodeMultiSend(calls) }, { provedPayees: [] })
}
const proposals = (count: number): ReviewInput => ({
  ...inputOf({ value: 1n }),
  others: Array.from({ length: count }, (_, index) => ({
    safeTxHash: keccak256(toHex(index)),
    nonce: 5n,
    confirmations: [{ owner: account.address, signature: '0x' as const }],
  })),
})

/** Total according to the findings: the number listed, or the number in their evidence. */
async function countOf(id: FindingId, name: string, input: ReviewInput) {
  const found = (await reviewSafeTx(input)).findings.filter((finding) => finding.id === id)
  return { named: found.length, inAll: new Set(found.map(({ evidence }) => evidence[name] ?? found.length)) }
}

describe('a truncated list of findings', () => {
  it.each([1, 2, 19, 20, 21, 40, 100])('says how many accounts are new: %i', async (count) => {
    const { named, inAll } = await countOf('ADDR-NEW', 'newAddresses', batchTo(count, '0x', 1n))
    expect([named, [...inAll]]).toEqual([Math.min(count, 20), [count]])
  })

  it.each([1, 20, 21, 40])('says how many contracts nobody knows: %i', async (count) => {
    const { named, inAll } = await countOf('CODE-UNFAMILIAR', 'newAddresses', batchTo(count, claim, 0n))
    expect([named, [...inAll]]).toEqual([Math.min(count, 20), [count]])
  })

  it.each([1, 20, 21, 30])('says how many proposals have the same nonce: %i', async (count) => {
    const { named, inAll } = await countOf('NONCE-CONFLICT', 'competing', proposals(count))
    expect([named, [...inAll]]).toEqual([Math.min(count, 20), [count]])
  })
})

describe('SIG-REPEATED', () => {
  it('counts the proposals that an owner signed, not the signatures', async () => {
    const input = inputOf({ value: 1n })
    const [one, two] = [keccak256('0x01'), keccak256('0x02')]
    const sign = async (hash: Hex) => ({ owner: account.address, signature: await account.sign({ hash }) })
    const other = async (safeTxHash: Hex) => ({ safeTxHash, nonce: 5n, confirmations: [await sign(safeTxHash)] })
    const repeatedIn = async (others: ReviewInput['others'], own: Hex[]) => {
      const confirmations = await Promise.all(own.map(sign))
      const { findings } = await reviewSafeTx({ ...input, others, confirmations })
      return findings.filter(({ id }) => id === 'SIG-REPEATED').map(({ evidence }) => evidence.signatures)
    }
    const hash = input.claimedHash ?? '0x'
    expect(await repeatedIn([], [hash])).toEqual([])
    expect(await repeatedIn([await other(one)], [hash])).toEqual([2])
    expect(await repeatedIn([await other(one), await other(two)], [hash])).toEqual([3])
    // Two signatures under one proposal are one proposal.
    const twice = await other(one)
    const [first] = twice.confirmations
    const again = { owner: account.address, signature: await account.signMessage({ message: { raw: one } }) }
    const marked = `${again.signature.slice(0, -2)}${(Number.parseInt(again.signature.slice(-2), 16) + 4).toString(16)}`
    const confirmations = first === undefined ? [] : [first, { ...again, signature: marked as Hex }]
    expect(await repeatedIn([{ ...twice, confirmations }], [])).toEqual([])
  })
})
