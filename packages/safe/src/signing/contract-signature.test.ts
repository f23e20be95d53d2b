import { type Hex, pad, size } from 'viem'
import { describe, expect, test } from 'vitest'
import {
  type ContractAnswer,
  canConfirmAsNestedSafe,
  contractQuestion,
  decodeContractAnswer,
  encodeContractQuestion,
  nestedContentForSafeTx,
} from './contract-signature.ts'
import { encodeMessageContent } from './safe-message.ts'
import { hashSafeTx, newSafeTx } from './safe-tx.ts'

// Which Safe answers which is tried on the contracts by the tests of the devnet.

const owner = '0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf'
const hash: Hex = `0x${'ab'.repeat(32)}`
const word = (value: Hex) => pad(value, { size: 32, dir: 'right' })

describe('contractQuestion', () => {
  const facts = { owner, hash, preimage: '0x1234', signature: '0x56' } as const

  test('default: the bytes up to 1.4.1, the hash from 1.5.0', () => {
    expect(contractQuestion('1.4.1+L2', facts)).toEqual({ owner, asks: 'bytes', data: '0x1234', signature: '0x56' })
    expect(contractQuestion('1.5.0', facts)).toEqual({ owner, asks: 'bytes32', data: hash, signature: '0x56' })
  })

  test('default: each has its selector', () => {
    expect(encodeContractQuestion(contractQuestion('1.4.1', facts)).slice(0, 10)).toBe('0x20c13b0b')
    expect(encodeContractQuestion(contractQuestion('1.5.0', facts)).slice(0, 10)).toBe('0x1626ba7e')
  })

  test('error: FIELD_MALFORMED for a hash of another length', () => {
    expect(() => encodeContractQuestion({ owner, asks: 'bytes32', data: '0x12', signature: '0x' })).toThrow(
      expect.objectContaining({ code: 'FIELD_MALFORMED' }),
    )
  })
})

describe('decodeContractAnswer', () => {
  test.each<[string, Hex | null, ContractAnswer]>([
    ['0.1.0', pad('0x01', { size: 32 }), 'accepts'],
    ['0.1.0', word('0x20c13b0b'), 'accepts'],
    ['0.1.0', pad('0x', { size: 32 }), 'rejects'],
    ['1.0.0', word('0x20c13b0b'), 'accepts'],
    ['1.0.0', pad('0x01', { size: 32 }), 'rejects'],
    ['1.4.1', word('0x20c13b0b'), 'accepts'],
    ['1.4.1', word('0x1626ba7e'), 'rejects'],
    ['1.5.0', word('0x1626ba7e'), 'accepts'],
    ['1.5.0', word('0x20c13b0b'), 'rejects'],
    ['1.5.0', pad('0x1626ba7e', { size: 32 }), 'rejects'],
    ['1.5.0', '0x1626ba7e', 'reverts'],
    ['1.4.1', `0x20c13b0b${'00'.repeat(27)}`, 'reverts'],
    ['1.5.0', '0x', 'reverts'],
    ['1.5.0', null, 'reverts'],
  ])('default: %s reads %s as: %s', (version, returned, answer) => {
    expect(decodeContractAnswer(version, returned)).toBe(answer)
  })
})

describe('nestedContentForSafeTx', () => {
  test('default: 66 bytes up to 1.4.1, the safeTxHash from 1.5.0', () => {
    const context = { chainId: 1, safeAddress: owner, safeTx: newSafeTx({ to: owner, nonce: 1n }) } as const
    const bytesOf = (version: string) => encodeMessageContent(nestedContentForSafeTx({ ...context, version }))
    expect(['0.1.0', '1.2.0', '1.3.0', '1.4.1'].map((version) => size(bytesOf(version)))).toEqual([66, 66, 66, 66])
    expect(bytesOf('1.5.0')).toBe(hashSafeTx({ ...context, version: '1.5.0' }).safeTxHash)
  })
})

describe('canConfirmAsNestedSafe', () => {
  test('default: with a reason when it cannot', () => {
    const nestedHandler = { name: 'CompatibilityFallbackHandler', version: '1.5.0' }
    expect(canConfirmAsNestedSafe({ parentVersion: '1.4.1', nestedVersion: '1.5.0', nestedHandler })).toEqual({
      ok: false,
      code: 'SIGNATURE_KIND_NOT_SUPPORTED',
      error: expect.objectContaining({ message: expect.stringContaining('approveHash') }),
    })
    expect(canConfirmAsNestedSafe({ parentVersion: '1.5.0', nestedVersion: '1.5.0', nestedHandler })).toEqual({
      ok: true,
    })
    expect(
      canConfirmAsNestedSafe({ parentVersion: '1.4.1', nestedVersion: '1.4.1', nestedHandler: null }),
    ).toMatchObject({ ok: false })
  })

  test('behavior: an old handler answers a new parent from 1.1.0 on', () => {
    const nestedHandler = { name: 'CompatibilityFallbackHandler', version: '1.3.0' }
    const answers = (nestedVersion: string) =>
      canConfirmAsNestedSafe({ parentVersion: '1.5.0', nestedVersion, nestedHandler }).ok
    expect(['1.0.0', '1.1.0', '1.3.0'].map(answers)).toEqual([false, true, true])
  })
})
