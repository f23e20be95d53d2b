import { officialDeployment, safeAbi } from '@countersign/safe'
import { encodeMultiSend } from '@countersign/safe/calls'
import { type Address, encodeFunctionData, type Hex, keccak256, toHex } from 'viem'
import { privateKeyToAccount, sign } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import type { ReviewInput } from '../../input.ts'
import { reviewSafeTx } from '../../review.ts'
import { inputOf, safeAddress, state, stranger } from '../../scene.ts'

const keys = [1, 2, 3, 4].map((digit) => keccak256(toHex(digit)))
const people = keys.map((key) => privateKeyToAccount(key).address)
const [alice, bob, carol, dave] = people as [Address, Address, Address, Address]
const safe = { ...state, owners: [alice, bob, carol], threshold: 3 }
const other = keccak256(toHex('signed long ago'))
const sentinel = '0x0000000000000000000000000000000000000001'

async function signedBy(who: Address, hash: Hex = other) {
  const privateKey = keys[people.indexOf(who)] ?? '0x'
  return { owner: who, signature: await sign({ hash, privateKey, to: 'hex' }) }
}

async function otherAt(nonce: bigint, signers: readonly Address[], former: readonly Address[] = []) {
  const sign = (list: readonly Address[]) => Promise.all(list.map((who) => signedBy(who)))
  return { safeTxHash: other, nonce, confirmations: await sign(signers), formerConfirmations: await sign(former) }
}

const lower = {
  to: safeAddress,
  data: encodeFunctionData({ abi: safeAbi, functionName: 'changeThreshold', args: [2n] }),
}
const addBack = {
  to: safeAddress,
  data: encodeFunctionData({ abi: safeAbi, functionName: 'addOwnerWithThreshold', args: [dave, 3n] }),
}
const swap = {
  to: safeAddress,
  data: encodeFunctionData({ abi: safeAbi, functionName: 'swapOwner', args: [sentinel, alice, dave] }),
}

async function foundIn(fields: Partial<ReviewInput['safeTx']>, others: ReviewInput['others']) {
  const { findings } = await reviewSafeTx(inputOf(fields, { state: safe, others }))
  return findings.filter(({ id }) => id === 'SIG-ENOUGH-AFTER')
}

describe('SIG-ENOUGH-AFTER', () => {
  test('default: a lower threshold makes a signed transaction executable at once', async () => {
    const found = await foundIn(lower, [await otherAt(6n, [alice, bob])])
    expect(found).toEqual([
      {
        id: 'SIG-ENOUGH-AFTER',
        severity: 'high',
        evidence: { otherSafeTxHash: other, nonce: 6n, signatures: 2, threshold: 2 },
        where: { field: 'signatures' },
      },
    ])
  })

  test('behavior: an owner added back, by whatever call, in a batch too; and at a later nonce', async () => {
    const others = [await otherAt(9n, [bob, carol], [dave])]
    expect(await foundIn(addBack, others)).toMatchObject([{ evidence: { nonce: 9n, earlier: 3n, signatures: 3 } }])
    expect(await foundIn(swap, others)).toHaveLength(1)
    const to = officialDeployment('multi-send-call-only', '1.4.1')?.address ?? stranger
    const data = encodeMultiSend([{ ...addBack, value: 0n }])
    expect(await foundIn({ to, operation: 1, data }, others)).toHaveLength(1)
  })

  test('behavior: not what was enough before, is still too little, ends with this nonce, or nobody signed', async () => {
    expect(await foundIn(lower, [await otherAt(6n, [alice, bob, carol])])).toEqual([])
    expect(await foundIn(lower, [await otherAt(6n, [alice])])).toEqual([])
    expect(await foundIn(lower, [await otherAt(5n, [alice, bob])])).toEqual([])
    const forged = { ...(await signedBy(bob, keccak256('0x'))), owner: bob }
    expect(await foundIn(lower, [{ ...(await otherAt(6n, [alice])), formerConfirmations: [forged] }])).toEqual([])
    expect(await foundIn({ to: stranger }, [await otherAt(6n, [alice, bob])])).toEqual([])
    // Fewer owners than before, and none new.
    const args = [sentinel, alice, 2n] as const
    const removal = encodeFunctionData({ abi: safeAbi, functionName: 'removeOwner', args })
    expect(await foundIn({ to: safeAddress, data: removal }, [await otherAt(6n, [alice, bob])])).toEqual([])
    expect(await foundIn({ to: safeAddress, data: removal }, [await otherAt(6n, [bob, carol])])).toHaveLength(1)
  })

  test('behavior: those that are many are named up to a bound, with how many there are', async () => {
    const other = await otherAt(6n, [alice, bob])
    const found = await foundIn(
      lower,
      Array.from({ length: 30 }, () => other),
    )
    expect(found).toHaveLength(20)
    expect(found[0]?.evidence).toMatchObject({ competing: 30 })
  })
})
