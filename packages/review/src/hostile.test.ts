import { CountersignError, newSafeTx, officialDeployment, type SafeTx } from '@countersign/safe'
import { DECODE_BUDGET, encodeMultiSend, flattenCalls, knownFunctions } from '@countersign/safe/calls'
import fc from 'fast-check'
import { type Address, concat, getAddress, type Hex, isAddress, keccak256, slice, toHex } from 'viem'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../scripts/testing/random-tests.mjs'
import { findingCatalogue } from './catalogue.ts'
import type { ReviewInput } from './input.ts'
import { reviewSafeMessage } from './kinds/message-content.ts'
import { entryOf, inForce } from './policy/scene.ts'
import { reviewSafeTx } from './review.ts'
import { account, ids, inputOf, outsider, safeAddress, state, stranger, token } from './scene.ts'
import { codeTargets } from './targets.ts'
import type { Review } from './types.ts'

const options = runs(300)
const callOnly = officialDeployment('multi-send-call-only', '1.4.1')?.address ?? '0x'
const fullMultiSend = officialDeployment('multi-send', '1.5.0')?.address ?? '0x'

const bytes = (maxLength: number, minLength = 0) =>
  fc.uint8Array({ maxLength, minLength }).map((all): Hex => toHex(all))
const anyAddress = bytes(20, 20).map((hex) => getAddress(hex))
const address = fc.oneof(anyAddress, fc.constantFrom<Address[]>(safeAddress, token, stranger, callOnly, fullMultiSend))
/** A function that is known, with anything behind its selector. */
const selector = fc.constantFrom(...Object.values(knownFunctions).flat()).map((key): Hex => `0x${key.slice(0, 8)}`)
const knownCall = fc.tuple(selector, bytes(400)).map(([head, rest]) => concat([head, rest]))
const leaf = fc.record({
  to: address,
  value: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
  data: fc.oneof(bytes(80), knownCall),
  operation: fc.constantFrom<(0 | 1)[]>(0, 1),
})
const batch = fc.array(leaf, { maxLength: 6 }).map((calls) => encodeMultiSend(calls))
/** A batch with one byte changed, cut off, or added to: what a fuzzer makes of one. */
const broken = fc.tuple(batch, fc.nat(), fc.integer({ min: 0, max: 255 })).map(([data, at, byte]): Hex => {
  const place = 2 + (at % ((data.length - 2) / 2)) * 2
  return `0x${data.slice(2, place)}${toHex(byte, { size: 1 }).slice(2)}${data.slice(place + 2)}`
})
const cut = fc.tuple(batch, fc.nat()).map(([data, at]) => slice(data, 0, at % ((data.length - 2) / 2)))
const nested = batch.map((data) => encodeMultiSend([{ to: fullMultiSend, value: 0n, data, operation: 1 }]))
const anyData = fc.oneof(bytes(300), knownCall, batch, broken, cut, nested)
const text = fc.string({ unit: 'binary', maxLength: 400 })

const fields: fc.Arbitrary<Partial<SafeTx>> = fc.record({
  to: address,
  value: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
  data: anyData,
  operation: fc.constantFrom<(0 | 1)[]>(0, 1),
  gasPrice: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
  baseGas: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
  safeTxGas: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
  gasToken: address,
  nonce: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
})
const confirmation = fc.record({
  owner: address,
  signature: fc.oneof(
    bytes(70),
    text.map((drawn) => drawn as Hex),
  ),
})
const surroundings: fc.Arbitrary<Partial<ReviewInput>> = fc.record({
  confirmations: fc.array(confirmation, { maxLength: 3 }),
  origin: text,
  state: fc.constantFrom(null, state, { ...state, version: null, reportedVersion: '9'.repeat(50) }),
  codes: fc.constantFrom<ReviewInput['codes'][]>({}, { [token]: { codeHash: keccak256('0x'), size: 0 } }),
  balances: fc.dictionary(
    address.map((address) => address.toLowerCase()),
    fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
  ),
  tokenClaims: fc.dictionary(
    address.map((address) => address.toLowerCase()),
    fc.record({ symbol: text, name: text }),
  ),
  policy: fc
    .array(fc.record({ address, codeHash: bytes(32, 32), selector: bytes(4, 4) }), { maxLength: 2 })
    .map((entries) => inForce({ allowed: entries.map((entry) => entryOf({ kind: 'delegatecall', ...entry })) })),
})

/** Asserts the rules that hold for every review of anything. */
function assertSound(review: Review): void {
  const calls = flattenCalls(review.call)
  expect(calls.length).toBeLessThanOrEqual(DECODE_BUDGET.calls + 2 + DECODE_BUDGET.depth)
  expect(review.findings.length).toBeLessThanOrEqual(calls.length * 12 + 60)
  for (const { id, severity, where } of review.findings) {
    expect(findingCatalogue[id].severities).toContain(severity)
    const data = review.call.data
    if (where.bytes) expect(where.bytes.end).toBeLessThanOrEqual((data.length - 2) / 2)
  }
  const hasCritical = review.findings.some(({ severity }) => severity === 'critical')
  expect(review.verdict === 'do-not-sign').toBe(hasCritical)
}

describe('thousands of them', () => {
  const many = <one>(length: number, make: (index: number) => one) => Array.from({ length }, (_, index) => make(index))

  it('signatures beyond five hundred are not looked at, and that is said', async () => {
    const confirmations = many(501, () => ({ owner: account.address, signature: '0x12' as const }))
    const review = await reviewSafeTx(inputOf({}, { confirmations }))
    expect(review.verdict).toBe('do-not-sign')
    expect(review.findings.find(({ id }) => id === 'DECODE-BUDGET')).toMatchObject({
      severity: 'critical',
      evidence: { signatures: 501 },
      where: { field: 'signatures' },
    })
    expect(review.confirmations.length).toBe(501)
    expect(review.confirmations.at(-1)?.status).toBe('not-checked')
    const fewer = await reviewSafeTx(inputOf({}, { confirmations: confirmations.slice(1) }))
    expect(ids(fewer)).not.toContain('DECODE-BUDGET')
  })

  it('proposals at one nonce do not push everything else away, and are counted', async () => {
    const confirmations = [{ owner: account.address, signature: '0x12' as const }]
    const others = many(1_000, (index) => ({ safeTxHash: toHex(index + 1, { size: 32 }), nonce: 5n, confirmations }))
    const found = (await reviewSafeTx(inputOf({}, { others }))).findings.filter(({ id }) => id === 'NONCE-CONFLICT')
    expect(found.length).toBe(20)
    expect(found[0]?.evidence.competing).toBe(1_000)
  })
})

describe('reviewSafeTx', () => {
  it('comes to an end in order, whatever the bytes and the texts are', async () => {
    await fc.assert(
      fc.asyncProperty(fields, surroundings, async (some, change) => {
        const input = inputOf(some, change)
        assertSound(await reviewSafeTx({ ...input, claimedHash: null }))
      }),
      options,
    )
  })

  it('never says that unknown code which runs as the Safe matches', async () => {
    await fc.assert(
      fc.asyncProperty(anyAddress, anyData, async (to, data) => {
        const review = await reviewSafeTx(inputOf({ to, data, operation: 1 }, { simulation: undefined }))
        expect(review.verdict).toBe('do-not-sign')
        expect(review.configuration).toBeNull()
      }),
      options,
    )
  })

  it('never lets bytes that it did not read pass', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(broken, cut), async (data) => {
        const review = await reviewSafeTx(inputOf({ to: callOnly, data, operation: 1 }))
        const undecoded = flattenCalls(review.call).reduce((sum, call) => sum + call.undecodedBytes, 0)
        if (undecoded > 0) expect(review.verdict).not.toBe('matches')
      }),
      options,
    )
  })

  it('refuses fields that no hash can be of with our error, naming the field', async () => {
    const mistyped = anyAddress
      .map((address) => address.replace(/[a-f]/, (letter) => letter.toUpperCase()) as Address)
      .filter((address) => !isAddress(address))
    const wrong: fc.Arbitrary<[string, unknown]> = fc.oneof(
      fc.tuple(
        fc.constantFrom('to', 'gasToken', 'refundReceiver'),
        fc.oneof(mistyped, text, bytes(19), fc.constant(null)),
      ),
      fc.tuple(
        fc.constantFrom('value', 'safeTxGas', 'baseGas', 'gasPrice', 'nonce'),
        fc.oneof(fc.bigInt({ min: 2n ** 256n }), fc.bigInt({ max: -1n }), fc.constant(1.5), text),
      ),
      fc.tuple(fc.constant('data'), fc.oneof(fc.constantFrom('0x1', '0xzz', '', null), fc.constant(7))),
      fc.tuple(fc.constant('operation'), fc.oneof(fc.integer({ min: 256 }), fc.integer({ max: -1 }), fc.constant(0.5))),
    )
    await fc.assert(
      fc.asyncProperty(wrong, async ([field, value]) => {
        const safeTx = { ...newSafeTx({ to: stranger, nonce: 5n }), [field]: value }
        const input = { ...inputOf({}), safeTx }
        const error: unknown = await reviewSafeTx(input).catch((reason: unknown) => reason)
        expect(error).toBeInstanceOf(CountersignError)
        expect(error).toMatchObject({ code: 'FIELD_MALFORMED', data: { field } })
        if (field === 'to' || field === 'data') expect(() => codeTargets(input)).toThrow(CountersignError)
      }),
      options,
    )
  })

  it.each([2, 7, 255])('finds operation %i, which no Safe executes', async (operation) => {
    const review = await reviewSafeTx(inputOf({ operation: operation as 0 | 1 }))
    expect(ids(review)).toContain('OP-INVALID')
    expect(review.verdict).toBe('do-not-sign')
  })

  it('names bidirectional and control characters wherever they stand', async () => {
    for (const hidden of ['\u202e', '\u2066', '\u200b', '\ufeff', '\u0000', '\u0085', '\u2028']) {
      const origin = await reviewSafeTx(inputOf({}, { origin: `pay${hidden}roll` }))
      expect(ids(origin)).toContain('TEXT-CONTROL')
    }
  })

  it('gives up a search that would not end', async () => {
    const signature = await outsider.sign({ hash: keccak256('0x') })
    const confirmations = Array.from({ length: 60 }, () => ({ owner: account.address, signature }))
    const others = Array.from({ length: 5_000 }, (_, index) => ({
      safeTxHash: keccak256(toHex(index)),
      nonce: BigInt(index),
      confirmations: [],
    }))
    const review = await reviewSafeTx(inputOf({}, { confirmations, others }))
    expect(ids(review).filter((id) => id === 'SIG-MISMATCH').length).toBe(60)
  })

  it('stops at its budget, and says so', async () => {
    const calls = Array.from({ length: 3_000 }, () => ({ to: stranger, value: 1n, data: '0x' as const }))
    const data = encodeMultiSend(calls)
    const review = await reviewSafeTx(inputOf({ to: callOnly, data, operation: 1 }))
    expect(ids(review)).toContain('DECODE-BUDGET')
    expect(review.verdict).toBe('do-not-sign')
    assertSound(review)
  })
})

describe('reviewSafeMessage', () => {
  it('comes to an end in order, whatever is to be signed', () => {
    const content = fc.oneof(
      text.map((drawn) => ({ encoding: 'EIP191_TEXT', text: drawn }) as const),
      bytes(100).map((drawn) => ({ encoding: 'RAW', bytes: drawn }) as const),
      fc.object().map((message) => {
        const typedData = {
          domain: {},
          types: { Any: [] },
          primaryType: 'Any',
          message: message as Record<string, unknown>,
        }
        return { encoding: 'EIP712', typedData } as const
      }),
    )
    fc.assert(
      fc.property(content, text, (signed, origin) => {
        try {
          const { findings } = reviewSafeMessage({
            chainId: 1,
            safeAddress,
            version: '1.4.1',
            content: signed,
            claimedHash: null,
            safeTxHashes: [],
            origin,
            now: 0,
          })
          expect(findings.length).toBeLessThanOrEqual(25)
        } catch (error) {
          expect(error).toBeInstanceOf(CountersignError)
        }
      }),
      options,
    )
  })
})
