import { CountersignError, recoverConfirmation } from '@countersign/safe'
import {
  type Hex,
  keccak256,
  numberToHex,
  parseSignature,
  serializeCompactSignature,
  signatureToCompactSignature,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { recoverConfirmationOwner, recoverPure, recoverSigner, usesNativeRecovery } from './recover.ts'

const hashes = Array.from({ length: 20 }, (_, at) => keccak256(numberToHex(at)))

describe('recoverSigner', () => {
  test('default: native and pure agree', async () => {
    for (const hash of hashes) {
      const account = privateKeyToAccount(generatePrivateKey())
      const signature = await account.sign({ hash })
      expect(await recoverSigner(hash, signature)).toBe(account.address)
      expect(await recoverPure(hash, signature)).toBe(account.address)
      const changed: Hex = `0x${signature.slice(2, 10)}00${signature.slice(12)}`
      expect(await recoverSigner(hash, changed)).toBe(await recoverPure(hash, changed))
    }
  })

  test('behavior: a compact signature (EIP-2098) recovers to the same account', async () => {
    for (const hash of hashes) {
      const account = privateKeyToAccount(generatePrivateKey())
      const parts = parseSignature(await account.sign({ hash }))
      const compact = serializeCompactSignature(signatureToCompactSignature(parts))
      expect(compact).toHaveLength(2 + 128)
      expect(await recoverSigner(hash, compact)).toBe(account.address)
    }
  })

  test('behavior: nonsense is nobody', async () => {
    const [hash = '0x'] = hashes
    for (const signature of [
      '0x',
      '0x1234',
      `0x${'00'.repeat(65)}`,
      `0x${'ff'.repeat(65)}`,
      `0x${'00'.repeat(64)}`,
      `0x${'ff'.repeat(64)}`,
      `0x${'11'.repeat(64)}1d`,
    ] as const)
      expect(await recoverSigner(hash, signature)).toBeNull()
  })

  test('behavior: the native library loads where there is a binary', () => {
    const hasBinary = ['linux-x64', 'darwin-arm64'].includes(`${process.platform}-${process.arch}`)
    expect(usesNativeRecovery || !hasBinary).toBe(true)
  })
})

describe('recoverConfirmationOwner', () => {
  test('default: the same as `recoverConfirmation`, for both kinds', async () => {
    for (const hash of hashes) {
      const account = privateKeyToAccount(generatePrivateKey())
      const plain = await account.sign({ hash })
      const raw = await account.signMessage({ message: { raw: hash } })
      const ethSign: Hex = `0x${raw.slice(2, -2)}${(Number.parseInt(raw.slice(-2), 16) + 4).toString(16)}`
      for (const signature of [plain, ethSign]) {
        const found = await recoverConfirmationOwner(hash, signature)
        expect(found).toEqual(await recoverConfirmation(hash, signature))
        expect(found.owner).toBe(account.address)
      }
    }
  })

  test('error: SIGNATURE_KIND_NOT_SUPPORTED', async () => {
    const [hash = '0x'] = hashes
    const approved: Hex = `0x${'00'.repeat(12)}${'11'.repeat(20)}${'00'.repeat(32)}01`
    await expect(recoverConfirmationOwner(hash, approved)).rejects.toThrow(CountersignError)
  })
})
