import { parseSignature, serializeCompactSignature, signatureToCompactSignature } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { readSignature } from './signer.ts'

const account = privateKeyToAccount(generatePrivateKey())
const typedData = {
  domain: { chainId: 1 },
  types: { Note: [{ name: 'text', type: 'string' }] },
  primaryType: 'Note',
  message: { text: 'hello' },
} as const

describe('readSignature', () => {
  test('default: leaves 65 bytes and other lengths unchanged', async () => {
    const signature = await account.signTypedData(typedData)
    for (const given of [signature, '0x', `0x${'11'.repeat(66)}`, `0x${'00'.repeat(128)}`] as const)
      expect(await readSignature(given, typedData, account.address)).toBe(given)
  })

  test("behavior: a compact one of the account's key gets its 65 bytes; 64 bytes of a contract are its own", async () => {
    const signature = await account.signTypedData(typedData)
    const compact = serializeCompactSignature(signatureToCompactSignature(parseSignature(signature)))
    expect(await readSignature(compact, typedData, account.address)).toBe(signature)
    for (const given of [compact, `0x${'11'.repeat(64)}`, `0x${'00'.repeat(64)}`] as const)
      expect(await readSignature(given, typedData, '0x70997970C51812dc3A010C7d01b50e0d17dc79C8')).toBe(given)
  })
})
