import { type Address, concat, type Hex, pad, size, slice } from 'viem'
import { privateKeyToAccount, sign } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { CountersignError } from '../error.ts'
import { recoverConfirmation } from './confirmation.ts'
import { encodeApprovedHash, encodeContractSignature } from './signature.ts'
import { countSignatures, decodeSignatures, encodeSignatures, splitSignatures } from './signatures.ts'

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

describe('encodeSignatures', () => {
  it('orders by owner, whatever the order given', async () => {
    const confirmations = await signAll()
    const forth = encodeSignatures(confirmations)
    expect(encodeSignatures(confirmations.toReversed())).toBe(forth)
    const recovered = await Promise.all([0, 65, 130].map((at) => recoverConfirmation(hash, slice(forth, at, at + 65))))
    const owners = recovered.map(({ owner }) => BigInt(owner))
    expect(owners).toEqual(owners.toSorted((one, other) => (one < other ? -1 : 1)))
    expect(size(forth)).toBe(195)
  })

  it('moves the bytes of contract signatures behind the fixed part', async () => {
    const [eoa] = await signAll()
    if (eoa === undefined) throw new Error('One signature is needed.')
    const inner: Hex = '0xdeadbeef'
    const contract = concat([pad(second), pad('0x41', { size: 32 }), '0x00', pad('0x04', { size: 32 }), inner])
    const joined = encodeSignatures([eoa, { owner: second, signature: contract }])
    const at = BigInt(second) < BigInt(first) ? 0 : 65
    expect(BigInt(slice(joined, at + 32, at + 64))).toBe(130n)
    expect(slice(joined, 130)).toBe(concat([pad('0x04', { size: 32 }), inner]))
  })

  it('joins none to nothing', () => {
    expect(encodeSignatures([])).toBe('0x')
  })

  it('refuses two signatures of one owner', async () => {
    const [signature] = await signAll()
    if (signature === undefined) throw new Error('One signature is needed.')
    expect(() => encodeSignatures([signature, signature])).toThrow(
      expect.objectContaining({ code: 'SIGNATURE_MALFORMED' }),
    )
  })
})

describe('encodeSignatures, hostile confirmations', () => {
  it('error: SIGNATURE_MALFORMED when an approval names another owner', () => {
    expect(() => encodeSignatures([{ owner: first, signature: encodeApprovedHash(second) }])).toThrow(
      expect.objectContaining({ code: 'SIGNATURE_MALFORMED' }),
    )
  })

  it('error: SIGNATURE_MALFORMED for one owner in two spellings', async () => {
    const [signature] = await signAll()
    if (signature === undefined) throw new Error('One signature is needed.')
    expect(() =>
      encodeSignatures([signature, { ...signature, owner: signature.owner.toLowerCase() as Address }]),
    ).toThrow(expect.objectContaining({ code: 'SIGNATURE_MALFORMED' }))
  })

  it('error: FIELD_MALFORMED when an owner is no address', () => {
    expect(() => encodeSignatures([{ owner: '0x12', signature: '0x' }])).toThrow(
      expect.objectContaining({ code: 'FIELD_MALFORMED' }),
    )
  })
})

describe('decodeSignatures', () => {
  const contract = encodeContractSignature(second, '0xdeadbeef')
  const head = slice(contract, 0, 32)
  const word = (value: bigint) => pad(`0x${value.toString(16)}`, { size: 32 })
  const pointer = (offset: bigint) => concat([head, word(offset), '0x00'])
  const bytes = concat([word(4n), '0xdeadbeef'])

  it('gives back what was joined, each able to stand alone', async () => {
    const [first] = await signAll()
    if (first === undefined) throw new Error('One signature is needed.')
    const all = [first, { owner: second, signature: contract }, { owner: third, signature: encodeApprovedHash(third) }]
    const joined = encodeSignatures(all)
    const { signatures, problems } = decodeSignatures(joined, 3)
    expect(problems).toEqual([])
    const expected = all.toSorted((a, b) => (BigInt(a.owner) < BigInt(b.owner) ? -1 : 1))
    expect(signatures.map((parsed) => parsed?.signature)).toEqual(expected.map(({ signature }) => signature))
    expect(countSignatures(joined)).toBe(3)
    expect(countSignatures('0x')).toBe(0)
  })

  it.each<[string, Hex, number, object[]]>([
    ['nothing at all', '0x', 1, [{ code: 'TOO_SHORT', index: null, start: 0, end: 65 }]],
    ['a pointer to itself', pointer(0n), 1, [{ code: 'POINTER_IN_FIXED_PART', index: 0, start: 0, end: 65 }]],
    ['a pointer to the end', pointer(65n), 1, [{ code: 'POINTER_OUT_OF_BOUNDS', index: 0, start: 0, end: 65 }]],
    ['a pointer of 2^256 - 1', pointer(2n ** 256n - 1n), 1, [{ code: 'POINTER_OUT_OF_BOUNDS', index: 0 }]],
    [
      'a length of 2^256 - 1',
      concat([pointer(65n), word(2n ** 256n - 1n), '0x12']),
      1,
      [{ code: 'LENGTH_OUT_OF_BOUNDS' }, { code: 'UNUSED_BYTES', start: 65, end: 98 }],
    ],
    [
      'two owners with the same bytes',
      concat([pointer(130n), pointer(130n), bytes]),
      2,
      [{ code: 'OVERLAP', index: 1, start: 130, end: 166 }],
    ],
    ['bytes at the end', concat([pointer(65n), bytes, '0x0102']), 1, [{ code: 'UNUSED_BYTES', start: 101, end: 103 }]],
    ['bytes between', concat([pointer(67n), '0x0102', bytes]), 1, [{ code: 'UNUSED_BYTES', start: 65, end: 67 }]],
    ['more than are asked for', concat([pointer(65n), bytes]), 0, [{ code: 'UNUSED_BYTES', start: 0, end: 101 }]],
    ['an unknown kind', `0x${'11'.repeat(64)}02`, 1, [{ code: 'UNKNOWN_KIND', index: 0 }]],
    ['an impossible r', `0x${'ff'.repeat(64)}1b`, 1, [{ code: 'IMPOSSIBLE_ECDSA', index: 0 }]],
    ['an owner with something before it', `0x${'11'.repeat(64)}01`, 1, [{ code: 'DIRTY_OWNER', index: 0 }]],
  ])('names %s', (_, signatures, count, problems) => {
    const read = decodeSignatures(signatures, count)
    expect(read.problems).toEqual(problems.map((problem) => expect.objectContaining(problem)))
    const faults = read.problems.filter(({ index }) => index !== null)
    for (const { index } of faults) expect(read.signatures[index ?? 0]).toBe(null)
  })

  it('names a high s, which the contract accepts', () => {
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
    const { signatures, problems } = decodeSignatures(concat([word(1n), word(order - 1n), '0x1b']), 1)
    expect(problems).toEqual([{ code: 'HIGH_S', index: 0, start: 0, end: 65 }])
    expect(signatures[0]?.signatureType).toBe('EOA')
  })

  it('does not grow when a thousand owners share the same megabyte', () => {
    const count = 1000
    const tail = concat([word(1_000_000n), `0x${'00'.repeat(1_000_000)}`])
    const read = decodeSignatures(concat([...Array(count).fill(pointer(BigInt(count * 65))), tail]), count)
    expect(read.signatures.filter((signature) => signature !== null)).toHaveLength(1)
  })

  it('stays with the bytes there are when the threshold is absurd', () => {
    expect(decodeSignatures('0x', Number.MAX_SAFE_INTEGER).problems).toHaveLength(1)
  })

  it.each([-1, 1.5, Number.NaN])('error: FIELD_MALFORMED for the count %s', (count) => {
    expect(() => decodeSignatures('0x', count)).toThrow(expect.objectContaining({ code: 'FIELD_MALFORMED' }))
  })

  it('error: SIGNATURE_MALFORMED when it is not hex', () => {
    for (const read of [() => decodeSignatures('0x1' as Hex, 1), () => countSignatures('signatures' as Hex)]) {
      expect(read).toThrow(expect.objectContaining({ code: 'SIGNATURE_MALFORMED' }))
    }
  })
})

describe('splitSignatures', () => {
  const contract = encodeContractSignature(second, '0xdeadbeef')

  it('takes apart what was joined, also when padding follows', async () => {
    const [first] = await signAll()
    if (first === undefined) throw new Error('One signature is needed.')
    const joined = encodeSignatures([first, { owner: second, signature: contract }])
    const expected = [first.signature, contract].sort()
    for (const signatures of [joined, concat([joined, `0x${'00'.repeat(31)}`])])
      expect(
        splitSignatures(signatures)
          .map(({ signature }) => signature)
          .sort(),
      ).toEqual(expected)
    expect(splitSignatures(first.signature)).toMatchObject([{ signatureType: 'EOA', signature: first.signature }])
    expect(splitSignatures(concat([first.signature, '0x00']))).toHaveLength(1)
  })

  it('error: SIGNATURE_MALFORMED when any byte is of no signature, SIGNATURE_KIND_NOT_SUPPORTED for secp256r1', async () => {
    const [one, two] = await signAll()
    if (one === undefined || two === undefined) throw new Error('Two signatures are needed.')
    const codeOf = (signatures: Hex) => {
      try {
        splitSignatures(signatures)
        return 'no error'
      } catch (error) {
        return error instanceof CountersignError ? error.code : String(error)
      }
    }
    const wrong: Hex[] = [
      '0x',
      '0x12',
      slice(one.signature, 0, 64),
      concat([slice(one.signature, 0, 64), '0x63']),
      concat([one.signature, slice(two.signature, 0, 64), '0x63']),
      // Two that stand alone are not joined by being put behind one another.
      concat([contract, two.signature]),
      concat([pad(second), pad('0xff', { size: 32 }), '0x00', pad('0x04', { size: 32 }), '0xdeadbeef']),
      concat([pad(second), pad('0x41', { size: 32 }), '0x00', pad('0x05', { size: 32 }), '0xdeadbeef']),
      concat(['0x01', slice(encodeApprovedHash(second), 1)]),
    ]
    for (const signatures of wrong)
      expect([signatures, codeOf(signatures)]).toEqual([signatures, 'SIGNATURE_MALFORMED'])
    expect(codeOf(concat([slice(one.signature, 0, 64), '0x02']))).toBe('SIGNATURE_KIND_NOT_SUPPORTED')
  })
})
