import { type Address, concat, type Hex, hashMessage, keccak256, pad, slice } from 'viem'
import { privateKeyToAccount, sign } from 'viem/accounts'
import { beforeAll, describe, expect, test } from 'vitest'
import { CONTRACT_SIGNATURE_BUDGET, checkSignatures, type SignatureFacts } from './check-signatures.ts'
import { encodeApprovedHash, encodeContractSignature } from './signature.ts'
import { encodeSignatures } from './signatures.ts'

// The rules are proven against the contracts by the property tests of the devnet. Here is what a reader looks up.

const keys = [1, 2, 3].map((digit) => pad(`0x0${digit}`, { size: 32 }))
const accounts = keys
  .map((key) => privateKeyToAccount(key))
  .toSorted((a, b) => (BigInt(a.address) < BigInt(b.address) ? -1 : 1))
const [low, middle, high] = accounts
if (!low || !middle || !high) throw new Error('Three accounts are needed.')
const stranger: Address = '0x00000000000000000000000000000000000000aa'
const preimage: Hex = `0x1901${'ab'.repeat(64)}`
const hash = keccak256(preimage)
const versions = ['0.1.0', '1.0.0', '1.1.1', '1.2.0', '1.3.0', '1.4.1+L2', '1.5.0'] as const

let signatures: { low: Hex; middle: Hex; high: Hex }
beforeAll(async () => {
  const [one, two, three] = await Promise.all([low, middle, high].map((account) => account.sign({ hash })))
  if (!one || !two || !three) throw new Error('Three signatures are needed.')
  signatures = { low: one, middle: two, high: three }
})

function check(change: Partial<SignatureFacts>) {
  return checkSignatures({
    version: '1.4.1',
    hash,
    preimage,
    signatures: '0x',
    threshold: 2,
    executor: stranger,
    approvedBy: [],
    owners: [low.address, middle.address, high.address],
    isExecution: true,
    answerOf: () => null,
    ...change,
  })
}

describe('checkSignatures', () => {
  test.each(versions)('default: %s accepts two owners in order and looks at no more', async (version) => {
    const two = concat([signatures.low, signatures.high])
    const accepted = { outcome: 'accepted', owners: [low.address, high.address], approvalsSpent: [] }
    expect(await check({ version, signatures: two })).toEqual(accepted)
    expect(await check({ version, signatures: concat([two, '0x1234']) })).toEqual(accepted)
  })

  test.each(versions)('behavior: %s refuses another order, a double, a stranger and too few', async (version) => {
    const refused = (code: string, index: number | null) => expect.objectContaining({ outcome: 'refused', code, index })
    expect(await check({ version, signatures: concat([signatures.high, signatures.low]) })).toEqual(refused('GS026', 1))
    expect(await check({ version, signatures: concat([signatures.low, signatures.low]) })).toEqual(refused('GS026', 1))
    const facts = { version, signatures: concat([signatures.low, signatures.high]) }
    expect(await check({ ...facts, owners: [low.address] })).toEqual(refused('GS026', 1))
    expect(await check({ version, signatures: slice(facts.signatures, 0, 129) })).toEqual(refused('GS020', null))
  })

  test.each<[string, string]>([
    ['0.1.0', 'Invalid signatures provided'],
    ['1.2.0', 'Signatures data too short'],
    ['1.3.0', 'GS020'],
  ])('behavior: %s says `%s`', async (version, revertText) => {
    expect(await check({ version })).toEqual({ outcome: 'refused', index: null, code: 'GS020', revertText })
  })

  test('behavior: a Safe that nobody has set up: before 1.1.0 it lets everything through', async () => {
    expect(await check({ version: '1.0.0', threshold: 0 })).toMatchObject({ outcome: 'accepted', owners: [] })
    expect(await check({ version: '1.1.1', threshold: 0 })).toMatchObject({ outcome: 'refused', code: 'GS001' })
  })

  test('behavior: eth_sign counts from 1.1.0 on', async () => {
    const signature = await sign({ hash: hashMessage({ raw: hash }), privateKey: only(keys, 0), to: 'hex' })
    const marked = concat([slice(signature, 0, 64), slice(signature, 64) === '0x1b' ? '0x1f' : '0x20'])
    expect(await check({ version: '1.1.1', signatures: marked, threshold: 1 })).toMatchObject({ outcome: 'accepted' })
    expect(await check({ version: '1.0.0', signatures: marked, threshold: 1 })).toMatchObject({ code: 'GS026' })
  })

  test('behavior: an approval counts when it is on the chain or is the sender; before 1.3.0 it is used up', async () => {
    const facts = { signatures: encodeApprovedHash(low.address), threshold: 1 }
    expect(await check(facts)).toMatchObject({ outcome: 'refused', code: 'GS025' })
    expect(await check({ ...facts, executor: low.address })).toMatchObject({ outcome: 'accepted', approvalsSpent: [] })
    const approved = { ...facts, approvedBy: [low.address] }
    expect(await check(approved)).toMatchObject({ outcome: 'accepted', approvalsSpent: [] })
    expect(await check({ ...approved, version: '1.2.0' })).toMatchObject({ approvalsSpent: [low.address] })
    expect(await check({ ...approved, version: '1.2.0', isExecution: false })).toMatchObject({ approvalsSpent: [] })
    const twice = { ...approved, signatures: concat([facts.signatures, facts.signatures]), threshold: 2 }
    expect(await check({ ...twice, version: '1.2.0' })).toMatchObject({ code: 'GS025', index: 1 })
    expect(await check({ ...twice, version: '1.3.0' })).toMatchObject({ code: 'GS026', index: 1 })
  })

  test('behavior: a contract signature is unknown until its owner is asked', async () => {
    const signature = encodeContractSignature(low.address, '0xdeadbeef')
    const facts = { signatures: encodeSignatures([{ owner: low.address, signature }]), threshold: 1 }
    const question = { owner: low.address, asks: 'bytes', data: preimage, signature: '0xdeadbeef' }
    expect(await check(facts)).toEqual({ outcome: 'unknown', index: 0, reason: 'NOT_ASKED', question })
    expect(await check({ ...facts, version: '1.5.0' })).toMatchObject({ question: { asks: 'bytes32', data: hash } })
    expect(await check({ ...facts, answerOf: () => 'accepts' })).toMatchObject({ outcome: 'accepted' })
    expect(await check({ ...facts, answerOf: () => 'rejects' })).toMatchObject({ outcome: 'refused', code: 'GS024' })
    expect(await check({ ...facts, answerOf: () => 'reverts' })).toMatchObject({ code: null, revertText: null })
  })

  test('behavior: only 1.4.x looks whether data and hash belong together', async () => {
    const signature = encodeContractSignature(low.address, '0x')
    const facts = { signatures: signature, threshold: 1, preimage: '0x1234', answerOf: () => 'accepts' } as const
    expect(await check(facts)).toMatchObject({ outcome: 'refused', code: 'GS027' })
    expect(await check({ ...facts, version: '1.3.0' })).toMatchObject({ outcome: 'accepted' })
    expect(await check({ ...facts, version: '1.5.0' })).toMatchObject({ outcome: 'accepted' })
  })

  test('behavior: what Safe 0.1.0 reads beyond the signatures is unknown, never accepted', async () => {
    const far = concat([pad(low.address), pad('0xffff', { size: 32 }), '0x00'])
    const facts = { version: '0.1.0', signatures: far, threshold: 1, answerOf: () => 'accepts' } as const
    expect(await check(facts)).toEqual({ outcome: 'unknown', index: 0, reason: 'UNDEFINED', question: null })
  })

  test('behavior: the marker of the list of owners is no owner, whoever says so', async () => {
    const sentinel = '0x0000000000000000000000000000000000000001'
    const facts = {
      signatures: encodeApprovedHash(sentinel),
      threshold: 1,
      executor: sentinel,
      owners: [sentinel],
    } as const
    for (const version of versions) expect(await check({ ...facts, version })).toMatchObject({ code: 'GS026' })
  })

  test('behavior: more bytes of contract signatures than any block holds are not read', async () => {
    const length = CONTRACT_SIGNATURE_BUDGET / 2 + 1
    const tail = concat([pad(`0x${length.toString(16)}`, { size: 32 }), `0x${'00'.repeat(length)}`])
    const heads = [low, middle].map(({ address }) => concat([pad(address), pad('0x82', { size: 32 }), '0x00']))
    const facts = { signatures: concat([...heads, tail]), answerOf: () => 'accepts' } as const
    expect(await check(facts)).toEqual({ outcome: 'unknown', index: 1, reason: 'OVER_BUDGET', question: null })
  })

  test.each<[string, Partial<SignatureFacts>]>([
    ['a hash of 31 bytes', { hash: `0x${'ab'.repeat(31)}` }],
    ['a threshold below zero', { threshold: -1 }],
    ['an owner that is no address', { owners: ['0x12'] }],
    ['an executor that is no address', { executor: '0x' }],
    ['a preimage that is no hex', { preimage: 'words' as Hex }],
  ])('error: FIELD_MALFORMED for %s', async (_, change) => {
    await expect(check(change)).rejects.toThrow(expect.objectContaining({ code: 'FIELD_MALFORMED' }))
  })
})

function only<value>(list: readonly value[], index: number): value {
  const found = list[index]
  if (found === undefined) throw new Error(`There is no ${index}.`)
  return found
}
