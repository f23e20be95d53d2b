import {
  concat,
  type Hex,
  keccak256,
  numberToHex,
  pad,
  parseSignature as parsePlainSignature,
  serializeCompactSignature,
  signatureToCompactSignature,
  size,
  slice,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount, sign } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { recoverConfirmation } from './confirmation.ts'
import {
  contractSignatureBytes,
  encodeApprovedHash,
  encodeContractSignature,
  expandCompactSignature,
  normalizeEthSignature,
  normalizeSignature,
  parseSignature,
} from './signature.ts'

const keys = [1, 2, 3].map((digit) => pad(`0x0${digit}`, { size: 32 }))
const accounts = keys.map((key) => privateKeyToAccount(key))
const hash: Hex = `0x${'ab'.repeat(32)}`
const [first, second, third] = accounts.map(({ address }) => address)
if (first === undefined || second === undefined || third === undefined) throw new Error('Three accounts are needed.')

async function signAll() {
  return Promise.all(
    keys.map(async (privateKey, index) => ({
      owner: accounts[index]?.address ?? first ?? '0x',
      signature: await sign({ hash, privateKey, to: 'hex' }),
    })),
  )
}

describe('parseSignature', () => {
  const body = '11'.repeat(64)

  it.each([
    ['1b', 'EOA'],
    ['1c', 'EOA'],
    ['1f', 'ETH_SIGN'],
    ['20', 'ETH_SIGN'],
  ])('reads v = 0x%s as %s', (v, signatureType) => {
    expect(parseSignature(`0x${body}${v}`).signatureType).toBe(signatureType)
  })

  it('reads the owner of an approved hash', () => {
    expect(parseSignature(concat([pad(first), pad('0x', { size: 32 }), '0x01']))).toMatchObject({
      signatureType: 'APPROVED_HASH',
      owner: first,
    })
  })

  it.each([
    '0x',
    '0x12',
    `0x${body}`,
    `0x${body}03`,
    `0x${body}1d`,
    `0x${body}1b00`,
    '0xzz',
    `0x${'00'.repeat(64)}1b`,
  ] as const)('refuses %s', (signature) => {
    expect(() => parseSignature(signature)).toThrow(expect.objectContaining({ code: 'SIGNATURE_MALFORMED' }))
  })

  it('refuses secp256r1 by name', () => {
    expect(() => parseSignature(`0x${body}02`)).toThrow(
      expect.objectContaining({ code: 'SIGNATURE_KIND_NOT_SUPPORTED' }),
    )
  })

  it('refuses an owner with dirty bytes before it', () => {
    expect(() => parseSignature(`0x${body}01`)).toThrow(expect.objectContaining({ code: 'SIGNATURE_MALFORMED' }))
  })
})

describe('normalizeSignature', () => {
  it('turns v 0 and 1 into 27 and 28, and a high s into the low one', async () => {
    const [{ signature } = { signature: '0x' as Hex }] = await signAll()
    const v = Number(slice(signature, 64))
    const short = concat([slice(signature, 0, 64), v === 27 ? '0x00' : '0x01'])
    expect(normalizeSignature(short)).toBe(signature)
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
    const highS = pad(`0x${(order - BigInt(slice(signature, 32, 64))).toString(16)}`)
    const malleated = concat([slice(signature, 0, 32), highS, v === 27 ? '0x1c' : '0x1b'])
    expect(normalizeSignature(malleated)).toBe(signature)
    expect((await recoverConfirmation(hash, malleated)).owner).toBe(first)
  })
})

describe('expandCompactSignature', () => {
  it('expands signatures of either parity, in upper and lower case', async () => {
    const hashes = Array.from({ length: 12 }, (_, at) => keccak256(numberToHex(at)))
    const account = privateKeyToAccount(generatePrivateKey())
    for (const hash of hashes) {
      const signature = await account.sign({ hash })
      const compact = serializeCompactSignature(signatureToCompactSignature(parsePlainSignature(signature)))
      expect(size(compact)).toBe(64)
      expect(expandCompactSignature(compact)).toBe(signature)
      expect(normalizeSignature(`0x${compact.slice(2).toUpperCase()}`)).toBe(signature)
      expect(size(normalizeEthSignature(compact))).toBe(65)
    }
  })

  it('ignores every other length, and rejects values that no key can produce', () => {
    for (const bytes of [0, 1, 32, 63, 65, 66, 128])
      expect(expandCompactSignature(`0x${'11'.repeat(bytes)}`), String(bytes)).toBeNull()
    for (const word of ['00', 'ff'])
      expect(() => normalizeSignature(`0x${word.repeat(64)}`)).toThrow(
        expect.objectContaining({ code: 'SIGNATURE_MALFORMED' }),
      )
  })
})

describe('normalizeEthSignature', () => {
  it('marks the signature of a message, in the low form, so that its owner is found', async () => {
    const [account] = accounts
    if (account === undefined) throw new Error('One account is needed.')
    const message = await account.signMessage({ message: { raw: hash } })
    const marked = normalizeEthSignature(message)
    expect(await recoverConfirmation(hash, marked)).toMatchObject({ owner: first, signatureType: 'ETH_SIGN' })
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
    const highS = pad(`0x${(order - BigInt(slice(message, 32, 64))).toString(16)}`)
    const isEven = slice(message, 64) === '0x1b'
    expect(normalizeEthSignature(concat([slice(message, 0, 32), highS, isEven ? '0x01' : '0x00']))).toBe(marked)
    expect(normalizeEthSignature(marked)).toBe(marked)
  })
})

describe('parseSignature, foreign kinds', () => {
  const body = '11'.repeat(64)
  const isLegal = (v: number) => [0, 1, 27, 28, 31, 32].includes(v)

  it('refuses each of the other 250 values of v, and says which it is', () => {
    for (let v = 0; v < 256; v += 1) {
      if (isLegal(v)) continue
      expect(() => parseSignature(`0x${body}${v.toString(16).padStart(2, '0')}`)).toThrow(`v = ${v}`)
    }
  })
})

describe('encodeContractSignature', () => {
  it.each<Hex>(['0x', '0x12', `0x${'ab'.repeat(100)}`])('is read back: %s', (bytes) => {
    const signature = encodeContractSignature(first, bytes)
    expect(parseSignature(signature)).toEqual({ signatureType: 'CONTRACT_SIGNATURE', owner: first, signature })
    expect(contractSignatureBytes(signature)).toBe(bytes)
  })

  it('error: FIELD_MALFORMED for bytes that are none', () => {
    expect(() => encodeContractSignature(first, '0x1')).toThrow(expect.objectContaining({ code: 'FIELD_MALFORMED' }))
  })
})

describe('contractSignatureBytes', () => {
  const whole = encodeContractSignature(first, '0xdeadbeef')

  it.each<[string, Hex]>([
    ['cut off', slice(whole, 0, size(whole) - 1)],
    ['with bytes behind', concat([whole, '0x00'])],
    ['without its bytes', slice(whole, 0, 65)],
    ['pointing into itself', concat([slice(whole, 0, 63), '0x40', slice(whole, 64)])],
    ['pointing far away', concat([slice(whole, 0, 32), `0x${'ff'.repeat(32)}`, slice(whole, 64)])],
    ['of a huge length', concat([slice(whole, 0, 65), `0x${'ff'.repeat(32)}`, slice(whole, 97)])],
    ['of another kind', encodeApprovedHash(first)],
  ])('error: SIGNATURE_MALFORMED when %s', (_, signature) => {
    expect(() => contractSignatureBytes(signature)).toThrow(expect.objectContaining({ code: 'SIGNATURE_MALFORMED' }))
  })
})

describe('encodeApprovedHash', () => {
  it('is read back', () => {
    const signature = encodeApprovedHash(first)
    expect(parseSignature(signature)).toEqual({ signatureType: 'APPROVED_HASH', owner: first, signature })
  })
})

describe('recoverConfirmation', () => {
  it('recovers a signature over the hash, and over the hash as a message', async () => {
    const account = accounts[0]
    if (account === undefined) throw new Error('One account is needed.')
    const plain = await account.sign({ hash })
    expect(await recoverConfirmation(hash, plain)).toEqual({ owner: first, signatureType: 'EOA', signature: plain })
    const message = await account.signMessage({ message: { raw: hash } })
    const shifted = concat([slice(message, 0, 64), `0x${(Number(slice(message, 64)) + 4).toString(16)}`])
    expect(await recoverConfirmation(hash, shifted)).toMatchObject({ owner: first, signatureType: 'ETH_SIGN' })
  })
})
