import { erc20Abi, type SafeTx, safeAbi } from '@countersign/safe'
import { encodeMultiSend } from '@countersign/safe/calls'
import {
  type Address,
  concat,
  encodeFunctionData,
  erc721Abi,
  type Hex,
  maxUint256,
  pad,
  toHex,
  zeroAddress,
} from 'viem'
import { describe, expect, it } from 'vitest'
import { demandsOf } from './acknowledgements.ts'
import { coveredEffects } from './effects/compare-effects.ts'
import { type DeclaredEffects, type Effects, effectParts } from './effects/declared-effects.ts'
import { lastOfEach, observeEffects } from './effects/observed-effects.ts'
import { effectsTypedData } from './effects/sign-effects.ts'
import type { ReviewInput } from './input.ts'
import { reviewSafeTx } from './review.ts'
import { account, ids, inputOf, outsider, safeAddress, stranger, token } from './scene.ts'

const callOnly: Address = '0x9641d764fc13c8B624c04430C7356C1C7C8102e2'
const transfer = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [stranger, 1_250_000_000n] })
const approve = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [stranger, maxUint256] })
const payment = { to: token, data: transfer }
const numbered = (value: number) => toHex(value, { size: 32 })
const nonce = { account: safeAddress, slot: numbered(5), before: numbered(5), after: numbered(6) }

const paid: Effects = {
  covers: [...effectParts],
  assets: [
    { account: safeAddress, token, tokenId: null, isOut: true, amount: 1_250_000_000n },
    { account: stranger, token, tokenId: null, isOut: false, amount: 1_250_000_000n },
  ],
  approvals: [],
  slots: [nonce],
}

function batch(...calls: Parameters<typeof encodeMultiSend>[0]): Partial<SafeTx> {
  return { to: callOnly, data: encodeMultiSend(calls), operation: 1 }
}

async function signed(effects: Effects, input: ReviewInput, by = account): Promise<DeclaredEffects> {
  const place = { chainId: input.chainId, safeAddress, safeTxHash: input.claimedHash ?? '0x' }
  const signature = await by.signTypedData(effectsTypedData(place, effects))
  return { ...effects, version: 1, author: by.address, signature }
}

async function reviewed(fields: Partial<SafeTx>, effects: Effects, change: Partial<ReviewInput> = {}) {
  const input = inputOf(fields, change)
  return reviewSafeTx({ ...input, declared: await signed(effects, input) })
}

const evidenceOf = (review: Awaited<ReturnType<typeof reviewed>>, id: string) =>
  review.findings.find((known) => known.id === id)?.evidence

describe('declared effects', () => {
  it('may leave open what a slot changes to, and that is named where they agree', async () => {
    const open = { ...nonce, after: numbered(9), mayDiffer: true as const }
    const review = await reviewed(payment, { ...paid, slots: [open] })
    expect(evidenceOf(review, 'EFFECTS-AGREE')).toMatchObject({ mayDiffer: `${safeAddress} ${nonce.slot}` })
    const other = await reviewed(payment, { ...paid, slots: [{ ...open, mayDiffer: undefined }] })
    expect(evidenceOf(other, 'EFFECTS-AGREE')).toBeUndefined()
    expect(evidenceOf(other, 'EFFECTS-DIFFER')).toBeDefined()
  })

  it('differ where a slot that is left open does not change at all', async () => {
    const still = { ...nonce, slot: numbered(77), mayDiffer: true as const }
    const review = await reviewed(payment, { ...paid, slots: [nonce, still] })
    expect(evidenceOf(review, 'EFFECTS-DIFFER')?.declaredOnly).toContain(' | *')
  })

  it('leave a slot open only where it was signed so', async () => {
    const input = inputOf(payment)
    const exact = { ...paid, slots: [{ ...nonce, after: numbered(9) }] }
    const { signature, author } = await signed(exact, input)
    const loose = { ...exact, slots: exact.slots.map((slot) => ({ ...slot, mayDiffer: true as const })) }
    const review = await reviewSafeTx({ ...input, declared: { ...loose, version: 1, author, signature } })
    expect(evidenceOf(review, 'EFFECTS-IGNORED')).toMatchObject({ reason: 'signature' })
  })

  it('agree with what the calls say, and lower nothing', async () => {
    const review = await reviewed(payment, paid)
    expect(ids(review)).toContain('EFFECTS-AGREE')
    expect(review.verdict).toBe('matches')
    const risky = await reviewed(
      { to: token, data: approve },
      {
        ...paid,
        assets: [],
        approvals: [{ owner: safeAddress, token, spender: stranger, tokenId: null, amount: maxUint256 }],
      },
    )
    const alone = await reviewSafeTx(inputOf({ to: token, data: approve }))
    expect(ids(risky)).toEqual(
      [...ids(alone), 'EFFECTS-AGREE'].toSorted((one, other) => ids(risky).indexOf(one) - ids(risky).indexOf(other)),
    )
    expect(risky.verdict).toBe(alone.verdict)
  })

  it.each<[string, Effects]>([
    ['another amount', { ...paid, assets: paid.assets.map((asset) => ({ ...asset, amount: 1n })) }],
    [
      'another recipient',
      { ...paid, assets: paid.assets.map((asset) => (asset.isOut ? asset : { ...asset, account: zeroAddress })) },
    ],
    ['nothing moves', { ...paid, assets: [] }],
    ['the Safe alone', { ...paid, assets: paid.assets.slice(0, 1) }],
    [
      'it comes instead of leaving',
      { ...paid, assets: paid.assets.map((asset) => ({ ...asset, isOut: !asset.isOut })) },
    ],
    [
      'coin as well',
      {
        ...paid,
        assets: [...paid.assets, { account: safeAddress, token: zeroAddress, tokenId: null, isOut: true, amount: 1n }],
      },
    ],
    [
      'an approval',
      { ...paid, approvals: [{ owner: safeAddress, token, spender: stranger, tokenId: null, amount: 1n }] },
    ],
    [
      'a revoked approval',
      { ...paid, approvals: [{ owner: safeAddress, token, spender: stranger, tokenId: null, amount: 0n }] },
    ],
    [
      'another threshold',
      { ...paid, slots: [nonce, { account: safeAddress, slot: numbered(4), before: numbered(2), after: numbered(1) }] },
    ],
    ['no slot at all', { ...paid, slots: [] }],
  ])('that say %s are a high finding with both sides', async (_, effects) => {
    const review = await reviewed(payment, effects)
    expect(review.verdict).toBe('matches-with-warnings')
    expect(demandsOf(review).map(({ finding, way }) => [finding.id, way])).toEqual([['EFFECTS-DIFFER', 'tick']])
    const { declaredOnly, observedOnly } = evidenceOf(review, 'EFFECTS-DIFFER') ?? {}
    expect(`${declaredOnly}${observedOnly}`).not.toBe('')
  })

  it('name what differs, in base units', async () => {
    const effects = {
      ...paid,
      assets: paid.assets.map((asset) => (asset.isOut ? asset : { ...asset, account: outsider.address })),
    }
    expect(evidenceOf(await reviewed(payment, effects), 'EFFECTS-DIFFER')).toEqual({
      author: account.address,
      declaredOnly: `${outsider.address}: +1250000000 ${token}`.toLowerCase(),
      observedOnly: `${stranger}: +1250000000 ${token}`.toLowerCase(),
    })
  })

  it('are net: the same asset several times is one change', async () => {
    const twice = batch(
      {
        to: token,
        value: 0n,
        data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [stranger, 1_000_000_000n] }),
      },
      {
        to: token,
        value: 0n,
        data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [stranger, 250_000_000n] }),
      },
    )
    expect(ids(await reviewed(twice, paid))).toContain('EFFECTS-AGREE')
  })

  it('cover slots of the Safe: owners, threshold, modules', async () => {
    const add = encodeFunctionData({ abi: safeAbi, functionName: 'addOwnerWithThreshold', args: [stranger, 3n] })
    const fields = { to: safeAddress, data: add }
    const input = inputOf(fields)
    const { slots } = observeEffects(await reviewSafeTx(input), input)
    // ownerCount, threshold, nonce, and two entries of the linked list.
    expect(slots).toHaveLength(5)
    expect(ids(await reviewed(fields, { ...paid, assets: [], slots }))).toContain('EFFECTS-AGREE')
    const hidden = slots.filter(({ slot }) => slot !== numbered(4))
    const review = await reviewed(fields, { ...paid, assets: [], slots: hidden })
    expect(evidenceOf(review, 'EFFECTS-DIFFER')?.observedOnly).toContain(numbered(4))
  })

  it('know items from amounts', async () => {
    const data = encodeFunctionData({ abi: erc721Abi, functionName: 'approve', args: [stranger, 7n] })
    const input = inputOf({ to: token, data }, { collections: { [token.toLowerCase()]: true } })
    expect(observeEffects(await reviewSafeTx(input), input).approvals).toMatchObject([{ tokenId: 7n, amount: 1n }])
  })

  it('are the values after the last call, for each of several items', () => {
    const approval = { owner: safeAddress, token, spender: stranger }
    const approvals = [7n, 8n, 7n].map((tokenId, at) => ({ ...approval, tokenId, amount: BigInt(at % 2) }))
    expect(lastOfEach(approvals)).toMatchObject([
      { tokenId: 7n, amount: 0n },
      { tokenId: 8n, amount: 1n },
    ])
  })

  it.each<[string, Partial<SafeTx>]>([
    ['a function that nobody reads', { to: stranger, data: '0x12345678' }],
    [
      'a call whose effects its bytes do not tell',
      {
        to: stranger,
        data: encodeFunctionData({
          abi: [{ type: 'function', name: 'deposit', inputs: [], outputs: [], stateMutability: 'payable' }],
        }),
        value: 1n,
      },
    ],
    ['code of others that runs as the Safe', { operation: 1, to: stranger, data: transfer }],
    ['bytes behind the arguments', { to: token, data: concat([transfer, '0x00']) }],
    ['a refund', { ...payment, gasPrice: 1n, baseGas: 1n }],
    [
      'one unread call among others',
      batch({ to: token, value: 0n, data: transfer }, { to: stranger, value: 0n, data: '0x12345678' }),
    ],
  ])('are not compared by the calls alone beside %s', async (_, fields) => {
    const review = await reviewed(fields, { ...paid, slots: [nonce] }, { simulation: undefined })
    expect(ids(review)).toContain('EFFECTS-NOT-COMPARED')
    expect(ids(review)).not.toContain('EFFECTS-AGREE')
    expect(ids(review)).not.toContain('EFFECTS-DIFFER')
  })

  it('of other contracts’ slots are not compared, and say so', async () => {
    const other = { account: stranger, slot: pad('0x07'), before: pad('0x'), after: pad('0x01') }
    const review = await reviewed(payment, { ...paid, slots: [nonce, other] }, { simulation: undefined })
    expect(evidenceOf(review, 'EFFECTS-NOT-COMPARED')?.parts).toBe('slots')
  })

  it('that cover one part say nothing of the others', async () => {
    expect(ids(await reviewed(payment, { ...paid, covers: ['slots'], assets: [] }))).toContain('EFFECTS-AGREE')
  })

  it('that cover one part are held to what they name of the others', async () => {
    const [left] = paid.assets
    const some = { ...paid, covers: ['slots' as const], assets: paid.assets.slice(0, 1) }
    expect(ids(await reviewed(payment, some))).toContain('EFFECTS-AGREE')
    const little = { ...some, assets: left ? [{ ...left, amount: 1n }] : [] }
    const review = await reviewed(payment, little)
    expect(evidenceOf(review, 'EFFECTS-DIFFER')?.declaredOnly).toBe(`${safeAddress}: -1 ${token}`.toLowerCase())
    expect(evidenceOf(review, 'EFFECTS-DIFFER')?.observedOnly).toBe('')
    const foreign = { owner: safeAddress, token, spender: stranger, tokenId: null, amount: 5n }
    expect(ids(await reviewed(payment, { ...some, approvals: [foreign] }))).toContain('EFFECTS-DIFFER')
  })

  it('are declared of the parts alone of which all is known', () => {
    const some = { ...paid, covers: ['native' as const, 'slots' as const] }
    expect(coveredEffects(some)).toEqual({ ...some, assets: [] })
    expect(coveredEffects(paid)).toEqual(paid)
  })

  it('are not compared without the Safe', async () => {
    expect(ids(await reviewed(payment, paid, { state: null }))).toContain('EFFECTS-NOT-COMPARED')
  })

  it('that nobody signed are no finding', async () => {
    const review = await reviewSafeTx({ ...inputOf(payment), declared: null })
    expect(ids(review).filter((id) => id.startsWith('EFFECTS-'))).toEqual([])
  })
})

describe('a declaration that is not the word of an owner', () => {
  const input = inputOf(payment)
  const effects = { ...paid, assets: [] }

  async function reasonOf(declared: DeclaredEffects): Promise<string | undefined> {
    const review = await reviewSafeTx({ ...input, declared })
    expect(review.findings.filter(({ id }) => id.startsWith('EFFECTS-')).map(({ id }) => id)).toEqual([
      'EFFECTS-IGNORED',
    ])
    return evidenceOf(review, 'EFFECTS-IGNORED')?.reason
  }

  it('is ignored when its author is no owner', async () => {
    expect(await reasonOf(await signed(effects, input, outsider))).toBe('not-owner')
  })

  it('is ignored when another signed it in the name of an owner', async () => {
    expect(await reasonOf({ ...(await signed(effects, input, outsider)), author: account.address })).toBe('signature')
  })

  it('is ignored when it was signed for another transaction, Safe or chain', async () => {
    const other = inputOf({ ...payment, nonce: 6n })
    expect(await reasonOf(await signed(effects, other))).toBe('signature')
    expect(await reasonOf(await signed(effects, { ...input, chainId: 10 }))).toBe('signature')
    const place = { chainId: 1, safeAddress: stranger, safeTxHash: input.claimedHash ?? '0x' }
    const signature = await account.signTypedData(effectsTypedData(place, effects))
    expect(await reasonOf({ ...effects, version: 1, author: account.address, signature })).toBe('signature')
  })

  it('is ignored when anything of it was changed, or its signature is none', async () => {
    const declared = await signed(effects, input)
    expect(await reasonOf({ ...declared, assets: paid.assets })).toBe('signature')
    expect(await reasonOf({ ...declared, covers: ['slots'] })).toBe('signature')
    for (const signature of ['0x', pad('0x', { size: 65 }), `${declared.signature}00`] satisfies Hex[])
      expect(await reasonOf({ ...declared, signature })).toBe('signature')
  })

  it('is ignored when its fields cannot be hashed', async () => {
    const declared = await signed(effects, input)
    expect(await reasonOf({ ...declared, slots: [{ ...nonce, slot: '0x01' }] })).toBe('signature')
  })
})
