import { erc20Abi, officialDeployment, type SafeTx, safeAbi } from '@countersign/safe'
import { encodeMultiSend, parseGivenAbi } from '@countersign/safe/calls'
import { type Address, concat, encodeFunctionData, type Hex, keccak256, pad, parseAbi, zeroAddress } from 'viem'
import { describe, expect, it } from 'vitest'
import { checkIds, findingCatalogue } from './catalogue.ts'
import type { ReviewInput } from './input.ts'
import { reviewSafeTx } from './review.ts'
import { account, ids, inputOf, otherOwner, outsider, safeAddress, state, stranger, token } from './scene.ts'
import type { Review } from './types.ts'

const sentinel: Address = '0x0000000000000000000000000000000000000001'
const callOnly: Address = '0x9641d764fc13c8B624c04430C7356C1C7C8102e2'
const fullMultiSend: Address = '0x38869bf66a61cF6bDB996A6aE40D5853Fd43B526'

function statusOf(review: Review, id: keyof typeof checkIds) {
  return review.checks.find((check) => check.id === id)?.status
}

function batch(...calls: Parameters<typeof encodeMultiSend>[0]): Partial<SafeTx> {
  return { to: callOnly, data: encodeMultiSend(calls), operation: 1 }
}

const transfer = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [stranger, 1_250_000_000n] })
const removeOther = encodeFunctionData({
  abi: safeAbi,
  functionName: 'removeOwner',
  args: [account.address, otherOwner, 1n],
})

describe('a harmless transaction', () => {
  it('matches, and says what it does', async () => {
    const review = await reviewSafeTx(inputOf({ to: token, data: transfer }))
    expect(review.verdict).toBe('matches')
    expect(review.findings).toEqual([])
    expect(review.configuration?.changed).toBe(false)
    expect(review.effects).toMatchObject([
      { key: 'erc20-transfer', values: { to: stranger, amount: '1250000000', symbol: 'TUSD', decimals: '6' } },
    ])
  })

  it('is reviewed at every nonce, the last one too', async () => {
    for (const nonce of [5n, 2n ** 64n, 2n ** 256n - 1n])
      expect((await reviewSafeTx(inputOf({ value: 1n, nonce }))).verdict, `${nonce}`).toBe('matches')
  })

  it('matches as a batch', async () => {
    const review = await reviewSafeTx(
      inputOf(batch({ to: token, value: 0n, data: transfer }, { to: stranger, value: 3n, data: '0x' })),
    )
    expect(review.verdict).toBe('matches')
    expect(ids(review)).toEqual(['DC-KNOWN-LIB'])
    expect(review.effects.map(({ key }) => key)).toEqual(['erc20-transfer', 'native-transfer'])
  })

  it('lists every check, and shows checks without their input as not checked', async () => {
    const review = await reviewSafeTx(inputOf({}, { simulation: undefined }))
    // That of the policy comes with a policy, those of tokens and contracts with such a call.
    const ofOthers = new Set(['policy', 'nested', 'token-lists', 'contract-age'])
    const expected = Object.keys(checkIds).filter((id) => !ofOthers.has(id) && !id.startsWith('creation-'))
    expect(review.checks.map(({ id }) => id)).toEqual(expected)
    for (const id of ['simulation', 'second-source'] as const) expect(statusOf(review, id)).toBe('not-checked')
    const ofToken = await reviewSafeTx(inputOf({ to: token, data: transfer }))
    expect(statusOf(ofToken, 'token-lists')).toBe('passed')
    expect(statusOf(await reviewSafeTx(inputOf({ data: transfer })), 'token-lists')).toBe('failed')
    // The token is listed, and its age is of no interest.
    expect(statusOf(ofToken, 'contract-age')).toBe('passed')
    const ofContract = await reviewSafeTx(inputOf({ data: transfer }))
    expect(statusOf(ofContract, 'contract-age')).toBe('not-checked')
  })
})

describe('missing input', () => {
  it.each([
    ['the state', inputOf({}, { state: null })],
    ['the code of the library', inputOf(batch({ to: stranger, value: 1n, data: '0x' }), { codes: {} })],
    ['VERSION()', inputOf({}, { state: { ...state, reportedVersion: null } })],
    ['an official singleton', inputOf({}, { state: { ...state, version: null } })],
    ['a known function', inputOf({ data: '0xdeadbeef' })],
    ['the state of this Safe', inputOf({}, { state: { ...state, address: stranger } })],
    ['the state on this chain', inputOf({}, { state: { ...state, chainId: 5 } })],
  ])('without %s it cannot be verified', async (_name, input) => {
    expect((await reviewSafeTx(input)).verdict).toBe('cannot-verify')
  })

  it('is not told as "no change"', async () => {
    const review = await reviewSafeTx(
      inputOf(batch({ to: stranger, value: 1n, data: '0x' }), { codes: {}, simulation: undefined }),
    )
    expect(review.configuration).toBeNull()
  })
})

describe('signatures', () => {
  async function confirmationOf(input: ReviewInput, signer = account) {
    return { owner: signer.address, signature: await signer.sign({ hash: input.claimedHash ?? '0x' }) }
  }

  it('pass when they are owners’ on this hash', async () => {
    const input = inputOf({})
    const review = await reviewSafeTx({ ...input, confirmations: [await confirmationOf(input)] })
    expect(review.confirmations[0]?.status).toBe('valid')
    expect(review.verdict).toBe('matches')
  })

  it('of an outsider end in do not sign', async () => {
    const input = inputOf({})
    const review = await reviewSafeTx({ ...input, confirmations: [await confirmationOf(input, outsider)] })
    expect(review.confirmations[0]?.status).toBe('not-owner')
    expect(ids(review)).toContain('SIG-MISMATCH')
    expect(review.verdict).toBe('do-not-sign')
  })

  it('for another transaction are named so', async () => {
    const input = inputOf({})
    const other = inputOf({ value: 9n })
    const confirmation = await confirmationOf(other)
    const others = [{ safeTxHash: other.claimedHash ?? '0x', nonce: 5n, confirmations: [confirmation] }]
    const review = await reviewSafeTx({ ...input, confirmations: [confirmation], others })
    expect(review.confirmations[0]).toMatchObject({ status: 'invalid', otherSafeTxHash: other.claimedHash })
    expect(ids(review)).toEqual(expect.arrayContaining(['SIG-MISMATCH', 'SIG-OTHER-TX', 'NONCE-CONFLICT']))
  })

  it('that only name their owner are not checked', async () => {
    const signature: Hex = `0x${'00'.repeat(12)}${account.address.slice(2)}${'00'.repeat(32)}01`
    const review = await reviewSafeTx(inputOf({}, { confirmations: [{ owner: account.address, signature }] }))
    expect(review.confirmations[0]?.status).toBe('not-checked')
    expect(review.verdict).toBe('cannot-verify')
  })

  it('that cannot be read end in do not sign', async () => {
    const review = await reviewSafeTx(inputOf({}, { confirmations: [{ owner: account.address, signature: '0x12' }] }))
    expect(review.verdict).toBe('do-not-sign')
  })
})

const enableModule = encodeFunctionData({ abi: safeAbi, functionName: 'enableModule', args: [stranger] })
const swapOwner = encodeFunctionData({
  abi: safeAbi,
  functionName: 'swapOwner',
  args: [sentinel, account.address, stranger],
})
const unlimited = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [stranger, 2n ** 256n - 1n] })
const signMessage = (data: Hex) =>
  encodeFunctionData({ abi: parseAbi(['function signMessage(bytes data)']), functionName: 'signMessage', args: [data] })
const migrateTo = (target: Address) =>
  encodeFunctionData({
    abi: parseAbi(['function migrateToL2(address l2)']),
    functionName: 'migrateToL2',
    args: [target],
  })

describe('findings', () => {
  const libraryCode = (codeHash: Hex, bytes: number) => ({ [callOnly.toLowerCase()]: { codeHash, size: bytes } })
  const sent = batch({ to: stranger, value: 1n, data: '0x' })
  const malformed = encodeFunctionData({
    abi: parseAbi(['function multiSend(bytes)']),
    functionName: 'multiSend',
    args: ['0x00'],
  })
  const signLibrary = officialDeployment('sign-message-lib', '1.4.1')?.address ?? zeroAddress
  const l2Migration = officialDeployment('l2-migration', '1.4.1')?.address ?? zeroAddress
  const l2Singleton = officialDeployment('singleton-l2', '1.4.1')?.address ?? zeroAddress

  const cases: [id: string, verdict: Review['verdict'], input: ReviewInput][] = [
    ['HASH-MISMATCH', 'do-not-sign', inputOf({}, { claimedHash: keccak256('0x00') })],
    ['HASH-CHAIN-MISMATCH', 'do-not-sign', inputOf({}, { chainSafeTxHash: keccak256('0x00') })],
    ['PROPOSAL-EDITED', 'do-not-sign', inputOf({}, { reviewedBefore: keccak256('0x00') })],
    ['OP-INVALID', 'do-not-sign', inputOf({ operation: 2 as 0 | 1 })],
    ['VERSION-LIES', 'do-not-sign', inputOf({}, { state: { ...state, reportedVersion: '1.3.0' } })],
    [
      'SINGLETON-CODEHASH',
      'do-not-sign',
      inputOf({}, { state: { ...state, version: null, singletonCodeHash: keccak256('0x00') } }),
    ],
    ['DC-UNKNOWN', 'do-not-sign', inputOf({ operation: 1, data: '0xdeadbeef' })],
    ['DC-UNKNOWN', 'do-not-sign', inputOf({ operation: 1 })],
    ['DC-UNKNOWN', 'do-not-sign', inputOf(sent, { codes: libraryCode(keccak256('0x00'), 2) })],
    ['DC-NO-CODE', 'do-not-sign', inputOf(sent, { codes: libraryCode(keccak256('0x'), 0) })],
    ['DC-WRONG-SELECTOR', 'do-not-sign', inputOf({ to: callOnly, operation: 1, data: '0xdeadbeef' })],
    ['DC-UNKNOWN', 'do-not-sign', inputOf({ to: safeAddress, operation: 1, data: removeOther })],
    ['DC-MULTISEND-FULL', 'matches', inputOf({ ...sent, to: fullMultiSend })],
    ['SELECTOR-MASQUERADE', 'do-not-sign', inputOf({ operation: 1, data: transfer })],
    ['MULTISEND-INNER-DC', 'do-not-sign', inputOf(batch({ to: stranger, value: 0n, data: transfer, operation: 1 }))],
    ['MULTISEND-MALFORMED', 'do-not-sign', inputOf({ to: callOnly, operation: 1, data: malformed })],
    ['DECODE-NONCANONICAL', 'cannot-verify', inputOf({ to: token, data: `${transfer}00` })],
    ['DECODE-BUDGET', 'do-not-sign', inputOf({ data: `0x${'00'.repeat(131_073)}` })],
    ['MODULE-ENABLE', 'do-not-sign', inputOf({ to: safeAddress, data: enableModule })],
    ['MODULE-ENABLE', 'do-not-sign', inputOf(batch({ to: safeAddress, value: 0n, data: enableModule }))],
    ['OWNER-REMOVE', 'do-not-sign', inputOf(batch({ to: safeAddress, value: 0n, data: removeOther }))],
    ['THRESHOLD-DOWN', 'do-not-sign', inputOf(batch({ to: safeAddress, value: 0n, data: removeOther }))],
    ['OWNER-SWAP', 'matches-with-warnings', inputOf({ to: safeAddress, data: swapOwner })],
    ['OWNER-SELF-REMOVED', 'matches-with-warnings', inputOf({ to: safeAddress, data: swapOwner })],
    ['APPROVE-UNLIMITED', 'matches-with-warnings', inputOf({ to: token, data: unlimited })],
    [
      'MSG-IS-TX',
      'do-not-sign',
      inputOf({ to: signLibrary, operation: 1, data: signMessage(`0x1901${'00'.repeat(64)}`) }),
    ],
    ['MSG-PERMANENT', 'matches-with-warnings', inputOf({ to: signLibrary, operation: 1, data: signMessage('0x4142') })],
    ['MSG-RAW-HASH', 'do-not-sign', inputOf({ to: signLibrary, operation: 1, data: signMessage('0x00ff') })],
    ['SLOT0-CHANGE', 'do-not-sign', inputOf({ to: l2Migration, operation: 1, data: migrateTo(stranger) })],
    ['SLOT0-OFFICIAL', 'do-not-sign', inputOf({ to: l2Migration, operation: 1, data: migrateTo(l2Singleton) })],
    ['GAS-REFUND', 'do-not-sign', inputOf({ gasPrice: 1n, refundReceiver: stranger })],
    ['GAS-RECEIVER-SET', 'matches', inputOf({ refundReceiver: stranger })],
    ['NONCE-PAST', 'matches', inputOf({ nonce: 4n })],
    ['NONCE-GAP', 'matches', inputOf({ nonce: 7n })],
    ['TEXT-CONTROL', 'matches', inputOf({}, { origin: 'pay\u202Eroll' })],
    ['ORIGIN-CLAIM', 'matches', inputOf({}, { origin: 'Weekly transfer to hot wallet' })],
    ['ADDR-LOOKALIKE', 'matches-with-warnings', inputOf({ to: '0x3333000000000000000000000000000000003333' })],
    [
      'TOKEN-TO-ITSELF',
      'matches-with-warnings',
      inputOf({ to: token, data: transfer.replace(stranger.slice(2), token.slice(2)) as Hex }),
    ],
    [
      'CALL-NO-CODE',
      'cannot-verify',
      inputOf({ to: token, data: transfer }, { codes: { [token]: { codeHash: keccak256('0x'), size: 0 } } }),
    ],
  ]

  it.each(cases)('%s: %s', async (id, verdict, input) => {
    const review = await reviewSafeTx(input)
    expect(ids(review)).toContain(id)
    expect(review.verdict).toBe(verdict)
    for (const found of review.findings) expect(findingCatalogue[found.id].severities).toContain(found.severity)
  })

  it('say nothing of settings when unknown code runs as the Safe', async () => {
    const review = await reviewSafeTx(inputOf({ operation: 1, data: transfer }, { simulation: undefined }))
    expect(review.configuration).toBeNull()
    expect(review.effects).toMatchObject([{ key: 'foreign-code' }])
  })

  it('follow owners and threshold through a batch', async () => {
    const add = encodeFunctionData({ abi: safeAbi, functionName: 'addOwnerWithThreshold', args: [stranger, 3n] })
    const review = await reviewSafeTx(
      inputOf(batch({ to: safeAddress, value: 0n, data: add }, { to: safeAddress, value: 0n, data: removeOther })),
    )
    expect(review.configuration?.after).toMatchObject({ owners: [stranger, account.address], threshold: 1 })
    expect(ids(review)).toEqual(
      expect.arrayContaining(['OWNER-ADD', 'OWNER-REMOVE', 'THRESHOLD-DOWN', 'THRESHOLD-ONE', 'OWNER-QUORUM-UNKNOWN']),
    )
  })

  it('do not take a settings function of another contract for the Safe’s', async () => {
    const review = await reviewSafeTx(inputOf({ to: stranger, data: enableModule }))
    expect(review.configuration?.changed).toBe(false)
    expect(ids(review)).not.toContain('MODULE-ENABLE')
  })
})

describe('an ABI that somebody gave', () => {
  const names = ['caller', 'to', 'target', 'symbol', 'decimals', 'contract', 'function', '__proto__']
  const inputs = names.map((name) => ({ name, type: 'address' }))
  const [poke, ...others] = parseGivenAbi([{ type: 'function', name: 'poke', inputs }])
  if (poke === undefined) throw new Error('The ABI has no function.')
  const data = concat([poke.selector, ...names.map(() => pad(stranger))])
  const given = inputOf({ to: token, value: 7n, data }, { abis: [{ address: token, functions: [poke, ...others] }] })

  it('names the function, says that it was given, and speaks for nothing else', async () => {
    const review = await reviewSafeTx(given)
    expect(review.call).toMatchObject({ name: poke.signature, source: 'given', family: null })
    expect(ids(review)).toContain('DECODE-GIVEN')
    expect(review.effects.map(({ key }) => key)).toEqual(['native-transfer', 'contract-call'])
    // An argument called `caller` would make the money that leaves look like somebody else's.
    for (const { values } of review.effects) {
      expect(values).toMatchObject({ to: token, target: token, value: '7', symbol: 'TUSD', decimals: '6' })
      expect(values.caller).toBeUndefined()
    }
  })

  it('is needed: without it nobody reads the data', async () => {
    const review = await reviewSafeTx({ ...given, abis: [] })
    expect(ids(review)).toContain('DECODE-NONE')
  })
})
