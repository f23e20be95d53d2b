import {
  adjustVInSignature,
  buildContractSignature,
  buildSignatureBytes,
  calculateSafeMessageHash,
  calculateSafeTransactionHash,
  EthSafeSignature,
  generatePreValidatedSignature,
  generateTypedData,
  hashSafeMessage as hashKitMessage,
  preimageSafeMessageHash,
  preimageSafeTransactionHash,
} from '@safe-global/protocol-kit'
import fc from 'fast-check'
import { bytesToHex, concat, getAddress, type Hex, hashTypedData, pad, slice } from 'viem'
import { privateKeyToAccount, sign } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { runs } from '../../../../scripts/testing/random-tests.mjs'
import { nestedContentForSafeMessage, nestedContentForSafeTx } from './contract-signature.ts'
import {
  encodeMessageContent,
  encodeSafeMessagePreimage,
  hashSafeMessage,
  type MessageContent,
  safeMessageTypedData,
} from './safe-message.ts'
import { encodeSafeTxPreimage, hashSafeTx, type SafeTx, safeTxTypedData } from './safe-tx.ts'
import { encodeApprovedHash, encodeContractSignature, normalizeEthSignature, normalizeSignature } from './signature.ts'
import { encodeSignatures } from './signatures.ts'

// Compares with the kit of the Safe project everything that both do. Where the two differ the contract is asked, in
// the property tests of the devnet: before 1.0.0 the kit hashes `baseGas`, and before 1.3.0 its hashes of messages
// and its preimages hold a chain id that those contracts do not know.

const options = runs(60)
const versions = ['1.0.0', '1.1.1', '1.2.0', '1.3.0', '1.3.0+L2', '1.4.1', '1.4.1+L2', '1.5.0'] as const
const withChainId = versions.filter((version) => version >= '1.3')

const address = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => getAddress(bytesToHex(bytes)))
const bytes = fc.uint8Array({ maxLength: 300 }).map((value) => bytesToHex(value))
const uint256 = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })
const chainId = fc.integer({ min: 1, max: 2 ** 31 })
const safeTx: fc.Arbitrary<SafeTx> = fc.record({
  to: address,
  value: uint256,
  data: bytes,
  operation: fc.constantFrom<(0 | 1)[]>(0, 1),
  safeTxGas: uint256,
  baseGas: uint256,
  gasPrice: uint256,
  gasToken: address,
  refundReceiver: address,
  nonce: fc.maxSafeNat().map(BigInt),
})
const context = fc.record({ chainId, safeAddress: address, safeTx })

/** The kit takes numbers as decimal strings, and the nonce as a number. */
function kitTx(tx: SafeTx) {
  const [value, safeTxGas, baseGas, gasPrice] = [tx.value, tx.safeTxGas, tx.baseGas, tx.gasPrice].map(String)
  if (!value || !safeTxGas || !baseGas || !gasPrice) throw new Error('A number is missing.')
  return { ...tx, value, safeTxGas, baseGas, gasPrice, nonce: Number(tx.nonce) }
}

// The kit exports these names as types alone.
type Method = Parameters<typeof adjustVInSignature>[0]
const ethSign = 'eth_sign' as Method
const ethSignTypedData = 'eth_signTypedData' as Method

const keys = [1, 2, 3, 4, 5].map((digit) => pad(`0x0${digit}`, { size: 32 }))
const accounts = keys.map((key) => privateKeyToAccount(key))
const hash: Hex = `0x${'ab'.repeat(32)}`

function only<value>(list: readonly value[], index: number): value {
  const found = list[index]
  if (found === undefined) throw new Error(`There is no ${index}.`)
  return found
}

describe('transactions', { timeout: 60_000 }, () => {
  test.each(versions)('property: safeTxHash and typed data, %s', (version) => {
    fc.assert(
      fc.property(context, (facts) => {
        const { safeTxHash } = hashSafeTx({ ...facts, version })
        const chain = BigInt(facts.chainId)
        expect(calculateSafeTransactionHash(facts.safeAddress, kitTx(facts.safeTx), version, chain)).toBe(safeTxHash)
        const kit = generateTypedData({
          safeAddress: facts.safeAddress,
          safeVersion: version,
          chainId: chain,
          data: kitTx(facts.safeTx),
        })
        const ours = safeTxTypedData({ ...facts, version })
        expect({ primaryType: kit.primaryType, domain: kit.domain }).toEqual({
          primaryType: ours.primaryType,
          domain: ours.domain,
        })
        expect(hashTypedData(kit as Parameters<typeof hashTypedData>[0])).toBe(safeTxHash)
        expect(Object.keys(ours.message).toSorted()).toEqual(Object.keys(kit.message).toSorted())
      }),
      options,
    )
  })

  test.each(withChainId)('property: preimage, and what a nested owner signs, %s', (version) => {
    fc.assert(
      fc.property(context, (facts) => {
        const preimage = encodeSafeTxPreimage({ ...facts, version })
        const chain = BigInt(facts.chainId)
        expect(preimageSafeTransactionHash(facts.safeAddress, kitTx(facts.safeTx), version, chain)).toBe(preimage)
        const nested = encodeMessageContent(nestedContentForSafeTx({ ...facts, version }))
        expect(nested).toBe(version === '1.5.0' ? hashSafeTx({ ...facts, version }).safeTxHash : preimage)
      }),
      options,
    )
  })
})

describe('messages', { timeout: 60_000 }, () => {
  const text = fc.string({ unit: 'grapheme' })
  const typedData = {
    domain: { name: 'Test', chainId: 5 },
    types: {
      EIP712Domain: [
        { name: 'name', type: 'string' },
        { name: 'chainId', type: 'uint256' },
      ],
      Vote: [{ name: 'choice', type: 'uint32' }],
    },
    primaryType: 'Vote',
    message: { choice: 3 },
  }

  test('property: the hash inside', () => {
    fc.assert(
      fc.property(text, (value) => {
        expect(encodeMessageContent({ encoding: 'EIP191_TEXT', text: value })).toBe(hashKitMessage(value))
      }),
      options,
    )
    expect(encodeMessageContent({ encoding: 'EIP712', typedData })).toBe(hashKitMessage(typedData))
    // For the kit too a string that looks like hex is a text.
    expect(encodeMessageContent({ encoding: 'EIP191_TEXT', text: '0xdeadbeef' })).toBe(hashKitMessage('0xdeadbeef'))
  })

  test.each(withChainId)('property: safeMessageHash, preimage and typed data, %s', (version) => {
    fc.assert(
      fc.property(chainId, address, text, bytes, (chain, safeAddress, words, raw) => {
        const contents: MessageContent[] = [
          { encoding: 'EIP191_TEXT', text: words },
          { encoding: 'RAW', bytes: raw },
        ]
        for (const content of contents) {
          const facts = { chainId: chain, safeAddress, version, content }
          const { message, safeMessageHash } = hashSafeMessage(facts)
          expect(calculateSafeMessageHash(safeAddress, message, version, BigInt(chain))).toBe(safeMessageHash)
          const preimage = encodeSafeMessagePreimage(facts)
          expect(preimageSafeMessageHash(safeAddress, message, version, BigInt(chain))).toBe(preimage)
          if (version.startsWith('1.4')) {
            expect(encodeMessageContent(nestedContentForSafeMessage(facts, '1.4.1'))).toBe(preimage)
          }
        }
        const [content] = contents
        if (content === undefined) return
        const kit = generateTypedData({ safeAddress, safeVersion: version, chainId: BigInt(chain), data: words })
        const ours = safeMessageTypedData({ chainId: chain, safeAddress, version, content })
        expect({ domain: kit.domain, message: kit.message }).toEqual({ domain: ours.domain, message: ours.message })
      }),
      options,
    )
  })
})

describe('signatures', { timeout: 60_000 }, () => {
  const part = fc.record({
    who: fc.nat(4),
    kind: fc.constantFrom('ecdsa', 'approved', 'contract'),
    bytes: fc.uint8Array({ minLength: 1, maxLength: 200 }).map((value) => bytesToHex(value)),
  })

  test('property: the signatures of execTransaction', async () => {
    const ecdsa = await Promise.all(keys.map((privateKey) => sign({ hash, privateKey, to: 'hex' })))
    fc.assert(
      fc.property(fc.uniqueArray(part, { selector: ({ who }) => who }), (parts) => {
        const kit = parts.map(({ who, kind, bytes: dynamic }) => {
          const owner = only(accounts, who).address
          if (kind === 'approved') return generatePreValidatedSignature(owner)
          if (kind === 'contract') return new EthSafeSignature(owner, dynamic, true)
          return new EthSafeSignature(owner, only(ecdsa, who))
        })
        const ours = parts.map(({ who, kind, bytes: dynamic }) => {
          const owner = only(accounts, who).address
          if (kind === 'approved') return { owner, signature: encodeApprovedHash(owner) }
          if (kind === 'contract') return { owner, signature: encodeContractSignature(owner, dynamic) }
          return { owner, signature: only(ecdsa, who) }
        })
        expect(buildSignatureBytes(kit).toLowerCase()).toBe(encodeSignatures(ours).toLowerCase())
      }),
      options,
    )
  })

  test('default: the signature of a nested Safe', async () => {
    const owners = await Promise.all(
      keys.slice(0, 2).map(async (privateKey, index) => ({
        owner: only(accounts, index).address,
        signature: await sign({ hash, privateKey, to: 'hex' }),
      })),
    )
    const nested = only(accounts, 4).address
    const kit = await buildContractSignature(
      owners.map(({ owner, signature }) => new EthSafeSignature(owner, signature)),
      nested,
    )
    const ours = encodeContractSignature(nested, encodeSignatures(owners))
    expect(buildSignatureBytes([kit]).toLowerCase()).toBe(encodeSignatures([{ owner: nested, signature: ours }]))
  })

  test('default: v as a wallet returns it', async () => {
    const account = only(accounts, 0)
    const typed = await account.sign({ hash })
    const message = await account.signMessage({ message: { raw: hash } })
    for (const [signature, isMessage] of [
      [typed, false],
      [message, true],
    ] as const) {
      const short = concat([slice(signature, 0, 64), slice(signature, 64) === '0x1b' ? '0x00' : '0x01'])
      for (const returned of [signature, short]) {
        const kit = isMessage
          ? await adjustVInSignature(ethSign, returned, hash, account.address)
          : await adjustVInSignature(ethSignTypedData, returned)
        expect(kit).toBe(isMessage ? normalizeEthSignature(returned) : normalizeSignature(returned))
      }
    }
  })
})
