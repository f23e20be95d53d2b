import {
  encodeApprovedHash,
  encodeContractSignature,
  encodeSignatures,
  hashSafeTx,
  newSafeTx,
  normalizeEthSignature,
} from '@countersign/safe'
import {
  concatHex,
  type Hex,
  keccak256,
  parseSignature,
  serializeCompactSignature,
  signatureToCompactSignature,
  slice,
  stringToHex,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { hexOf, type ImportContext, readImport } from './imported-signature.ts'

const [anna, bruno, carla] = ['anna', 'bruno', 'carla'].map((name) => privateKeyToAccount(keccak256(stringToHex(name))))
if (!anna || !bruno || !carla) throw new Error('there are three people')
const safe = { chainId: 1, safeAddress: carla.address, version: '1.4.1' }
const hash = hashSafeTx({ ...safe, safeTx: newSafeTx({ to: anna.address, nonce: 0n }) }).safeTxHash
const otherHash = hashSafeTx({ ...safe, safeTx: newSafeTx({ to: bruno.address, nonce: 0n }) }).safeTxHash
const context: ImportContext = {
  hash,
  version: '1.4.1',
  owners: [anna.address, bruno.address],
  confirmed: [],
  otherHashes: [otherHash],
  takesApprovals: true,
  ask: async () => ({}),
}
const byAnna = await anna.sign({ hash })
const byBruno = await bruno.sign({ hash })

describe('hexOf', () => {
  test('default: with line breaks, without 0x, and not what is no hex', () => {
    expect(hexOf(' 0xab\n CD ')).toBe('0xabCD')
    expect(hexOf('abcd')).toBe('0xabcd')
    for (const typed of ['', '0x', '0xabc', 'zz', '0x0xab']) expect(hexOf(typed), typed).toBeNull()
  })
})

describe('readImport', () => {
  test('default: one of a key, or several together', async () => {
    expect(await readImport(byBruno, context)).toEqual({
      ok: true,
      signatures: [{ owner: bruno.address, signatureType: 'EOA', signature: byBruno }],
    })
    const both = await readImport(concatHex([byBruno, byAnna]), context)
    expect(both).toMatchObject({ ok: true, signatures: [{ owner: bruno.address }, { owner: anna.address }] })
  })

  test('behavior: a recovery id of 0 or 1 is read as what it is', async () => {
    const recoveryId: Hex = slice(byBruno, 64) === '0x1b' ? '0x00' : '0x01'
    const bare = concatHex([slice(byBruno, 0, 64), recoveryId])
    expect(await readImport(bare, context)).toMatchObject({ ok: true, signatures: [{ signature: byBruno }] })
  })

  test('behavior: accepts a compact signature of 64 bytes (EIP-2098)', async () => {
    const compact = serializeCompactSignature(signatureToCompactSignature(parseSignature(byBruno)))
    expect(await readImport(compact, context)).toMatchObject({
      ok: true,
      signatures: [{ owner: bruno.address, signature: byBruno }],
    })
  })

  test('behavior: signed as a message, whether it says so or not; not for a Safe that cannot read it', async () => {
    const plain = await bruno.signMessage({ message: { raw: hash } })
    for (const signature of [plain, normalizeEthSignature(plain)])
      expect(await readImport(signature, context)).toMatchObject({
        ok: true,
        signatures: [{ owner: bruno.address, signatureType: 'ETH_SIGN' }],
      })
    expect(await readImport(normalizeEthSignature(plain), { ...context, version: '1.0.0' })).toEqual({
      ok: false,
      problem: { kind: 'kind-not-known', signatureType: 'ETH_SIGN' },
    })
  })

  test('behavior: one over another hash is named, with whose it is and which', async () => {
    expect(await readImport(await bruno.sign({ hash: otherHash }), context)).toEqual({
      ok: false,
      problem: { kind: 'other-hash', owner: bruno.address, otherHash },
    })
  })

  test('behavior: of nobody here, twice, or there already', async () => {
    const problemOf = async (signature: Hex, changes: Partial<ImportContext> = {}) => {
      const reading = await readImport(signature, { ...context, ...changes })
      return reading.ok ? null : reading.problem
    }
    expect(await problemOf(await carla.sign({ hash }))).toEqual({ kind: 'not-owner', signer: carla.address })
    expect(await problemOf(encodeApprovedHash(carla.address))).toEqual({ kind: 'not-owner', signer: carla.address })
    expect(await problemOf(concatHex([byAnna, byAnna]))).toEqual({ kind: 'twice', owner: anna.address })
    expect(await problemOf(byAnna, { confirmed: [anna.address] })).toEqual({ kind: 'confirmed', owner: anna.address })
    expect(await problemOf('0x1234')).toMatchObject({
      kind: 'malformed',
      sentence: expect.stringContaining('shorter than 65 bytes'),
    })
    expect(await problemOf(`0x${'11'.repeat(64)}02`)).toMatchObject({
      kind: 'malformed',
      sentence: expect.stringContaining('secp256r1'),
    })
  })

  test('behavior: what only names its owner counts when the chain says so, and not when nobody could be asked', async () => {
    const contract = encodeSignatures([
      { owner: bruno.address, signature: encodeContractSignature(bruno.address, '0x1234') },
    ])
    const approval = encodeApprovedHash(bruno.address)
    const key = bruno.address.toLowerCase()
    const cases = [
      [contract, { contractSignatures: { [key]: true } }, null],
      [contract, { contractSignatures: { [key]: false } }, 'not-accepted'],
      [contract, {}, 'not-asked'],
      [approval, { approvedHashes: { [key]: true } }, null],
      [approval, { approvedHashes: { [key]: false } }, 'not-approved'],
      [approval, {}, 'not-asked'],
    ] as const
    for (const [signature, facts, problem] of cases) {
      const reading = await readImport(signature, { ...context, ask: async () => facts })
      expect(reading.ok ? null : reading.problem.kind).toBe(problem)
    }
    expect(await readImport(approval, { ...context, takesApprovals: false })).toEqual({
      ok: false,
      problem: { kind: 'kind-not-known', signatureType: 'APPROVED_HASH' },
    })
  })
})
