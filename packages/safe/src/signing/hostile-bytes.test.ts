import fc from 'fast-check'
import { type Address, bytesToHex, type Hex, pad } from 'viem'
import { privateKeyToAccount, sign } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { runs } from '../../../../scripts/testing/random-tests.mjs'
import { decodeExecTransaction, encodeExecTransaction } from '../calls/execution.ts'
import { CountersignError } from '../error.ts'
import { checkSignatures } from './check-signatures.ts'
import { recoverConfirmation } from './confirmation.ts'
import { decodeContractAnswer, encodeContractQuestion } from './contract-signature.ts'
import { encodeMessageContent, hashSafeMessage, type MessageContent, parseMessageText } from './safe-message.ts'
import { hashSafeTx, type SafeTx } from './safe-tx.ts'
import {
  contractSignatureBytes,
  encodeApprovedHash,
  encodeContractSignature,
  normalizeSignature,
  parseSignature,
} from './signature.ts'
import { countSignatures, decodeSignatures, encodeSignatures } from './signatures.ts'

/** A failure prints its seed; `fc.assert(…, { seed, path })` brings it back. */
const options = runs(500)
const versions = ['0.1.0', '1.0.0', '1.1.1', '1.2.0', '1.3.0', '1.4.1+L2', '1.5.0', 'none']
const owner: Address = '0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf'
const hash: Hex = `0x${'ab'.repeat(32)}`

const someBytes = (maxLength: number) => fc.uint8Array({ maxLength }).map((bytes) => bytesToHex(bytes))
/** Bytes that look like signatures: small numbers as pointers, and every kind. */
const likely = fc
  .array(
    fc.oneof(
      fc.nat(400).map((value) => pad(`0x${value.toString(16)}`, { size: 32 })),
      fc.constantFrom(pad(owner), `0x${'ff'.repeat(32)}` as const, '0x00', '0x01', '0x1b', '0x20', '0x02'),
      someBytes(70),
    ),
    { maxLength: 20 },
  )
  .map((parts): Hex => `0x${parts.map((part) => part.slice(2)).join('')}`)
const anyText = fc.oneof(fc.string({ unit: 'binary' }), someBytes(100), fc.constantFrom('', '0x', '0x0'))
const anyBytes = fc.oneof(someBytes(400), likely, anyText) as fc.Arbitrary<Hex>

/** Runs to its end, or throws the one error of the project. */
async function endsWell(run: () => unknown): Promise<void> {
  try {
    await run()
  } catch (error) {
    if (!(error instanceof CountersignError)) throw error
  }
}

describe('any bytes', { timeout: 60_000 }, () => {
  test('property: readers of signatures throw nothing but CountersignError', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyBytes,
        fc.integer({ min: -1, max: 5 }),
        fc.constantFrom(...versions),
        async (bytes, count, version) => {
          await endsWell(() => parseSignature(bytes))
          await endsWell(() => normalizeSignature(bytes))
          await endsWell(() => contractSignatureBytes(bytes))
          await endsWell(() => encodeSignatures([{ owner, signature: bytes }]))
          await endsWell(() => encodeSignatures([{ owner: bytes, signature: encodeApprovedHash(owner) }]))
          await endsWell(() => recoverConfirmation(hash, bytes))
          await endsWell(() => recoverConfirmation(bytes, `0x${'11'.repeat(64)}1b`))
          await endsWell(() => recoverConfirmation(bytes, `0x${'11'.repeat(64)}1f`))
          await endsWell(() => countSignatures(bytes))
          await endsWell(() => decodeSignatures(bytes, count))
          const facts = { version, hash, preimage: bytes, signatures: bytes, owners: [owner], threshold: count }
          const chain = { executor: owner, approvedBy: [], isExecution: true, answerOf: () => null }
          await endsWell(() => checkSignatures({ ...facts, ...chain }))
          await endsWell(() => checkSignatures({ ...facts, ...chain, hash: bytes }))
          await endsWell(() =>
            checkSignatures({ ...facts, ...chain, signatures: '0x', executor: bytes, owners: [bytes] }),
          )
          await endsWell(() => decodeExecTransaction(bytes))
        },
      ),
      options,
    )
  })

  test('property: readers of messages and answers throw nothing but CountersignError', async () => {
    const context = { chainId: 1, safeAddress: owner }
    await fc.assert(
      fc.asyncProperty(anyBytes, fc.constantFrom(...versions), async (bytes, version) => {
        for (const content of parseMessageText(bytes)) {
          await endsWell(() => hashSafeMessage({ ...context, version, content }))
        }
        await endsWell(() => encodeMessageContent({ encoding: 'RAW', bytes }))
        await endsWell(() => hashSafeMessage({ ...context, version: bytes, content: { encoding: 'RAW', bytes: '0x' } }))
        await endsWell(() => decodeContractAnswer(version, bytes))
        await endsWell(() => encodeContractQuestion({ owner, asks: 'bytes', data: bytes, signature: bytes }))
        await endsWell(() => encodeContractQuestion({ owner, asks: 'bytes32', data: bytes, signature: bytes }))
      }),
      options,
    )
  })

  test('property: any JSON as typed data, and as a transaction, throws nothing but CountersignError', async () => {
    const shaped = fc.record({
      domain: fc.jsonValue(),
      types: fc.oneof(
        fc.jsonValue(),
        fc.dictionary(
          fc.constantFrom('A', 'B', 'EIP712Domain', '__proto__', 'constructor'),
          fc.array(
            fc.record({
              name: fc.constantFrom('x', 'y', '__proto__'),
              type: fc.constantFrom('A', 'B', 'A[]', 'uint256', 'bytes', 'string', 'bytes33', 'uint7', ''),
            }),
          ),
        ),
      ),
      primaryType: fc.constantFrom('A', 'B', 'EIP712Domain', '', 'toString'),
      message: fc.oneof(fc.jsonValue(), fc.dictionary(fc.constantFrom('x', 'y'), fc.jsonValue())),
    })
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.jsonValue(), shaped), async (value) => {
        await endsWell(() =>
          encodeMessageContent({ encoding: 'EIP712', typedData: value } as unknown as MessageContent),
        )
        await endsWell(() =>
          encodeMessageContent({ text: value, encoding: 'EIP191_TEXT' } as unknown as MessageContent),
        )
        const safeTx = { to: value, value, data: value, operation: value, nonce: value } as unknown as SafeTx
        await endsWell(() => hashSafeTx({ chainId: 1, safeAddress: owner, version: '1.4.1', safeTx }))
        await endsWell(() => encodeExecTransaction(safeTx, value as Hex))
      }),
      options,
    )
  })

  test('property: signatures written, read and written again are the same bytes', async () => {
    const accounts = [1, 2, 3].map((digit) => privateKeyToAccount(pad(`0x0${digit}`, { size: 32 })))
    const ecdsa = await Promise.all(
      [1, 2, 3].map((digit) => sign({ hash, privateKey: pad(`0x0${digit}`, { size: 32 }), to: 'hex' })),
    )
    const any = fc.record({
      who: fc.nat(2),
      kind: fc.constantFrom('ecdsa', 'approved', 'contract'),
      bytes: someBytes(90),
    })
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(any, { selector: ({ who }) => who }), async (parts) => {
        const confirmations = parts.map(({ who, kind, bytes }) => {
          const address = accounts[who]?.address ?? owner
          const other = kind === 'approved' ? encodeApprovedHash(address) : encodeContractSignature(address, bytes)
          return { owner: address, signature: kind === 'ecdsa' ? (ecdsa[who] ?? other) : other }
        })
        const written = encodeSignatures(confirmations)
        const { signatures, problems } = decodeSignatures(written, parts.length)
        expect(problems).toEqual([])
        const again = await Promise.all(
          signatures.map((signature) => recoverConfirmation(hash, signature?.signature ?? '0x')),
        )
        expect(encodeSignatures(again)).toBe(written)
      }),
      runs(100),
    )
  })

  test('property: what is read without a problem accounts for every byte', () => {
    fc.assert(
      fc.property(fc.oneof(likely, someBytes(400)), fc.nat(4), (bytes, count) => {
        const { signatures, problems } = decodeSignatures(bytes, count)
        const read = signatures.reduce(
          (sum, signature) => sum + (signature === null ? 0 : signature.signature.length / 2 - 1),
          0,
        )
        if (problems.length === 0) expect(read).toBe(bytes.length / 2 - 1)
        expect(read).toBeLessThanOrEqual(bytes.length / 2 - 1)
      }),
      options,
    )
  })

  test.each([1_000_000, 10_000_000])('behavior: %i bytes are read or refused', async (length) => {
    const bytes: Hex = `0x${'00'.repeat(length)}`
    await endsWell(() => parseSignature(bytes))
    await endsWell(() => contractSignatureBytes(bytes))
    await endsWell(() => decodeSignatures(bytes, 1000))
    await endsWell(() => countSignatures(bytes))
    await endsWell(() => encodeMessageContent({ encoding: 'RAW', bytes }))
  })
})
