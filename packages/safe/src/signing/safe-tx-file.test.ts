import { describe, expect, it } from 'vitest'
import { newSafeTx } from './safe-tx.ts'
import { MAX_SAFE_TX_FILE, parseSafeTxFile, writeSafeTxFile } from './safe-tx-file.ts'

const safeAddress = '0x2222222222222222222222222222222222222222'
const safeTx = newSafeTx({
  to: '0x1234567890123456789012345678901234567890',
  value: 2n ** 255n,
  data: '0xab',
  nonce: 7n,
})
const written = writeSafeTxFile({ chainId: 10, safeAddress, safeTx })
const change = (fields: object) => JSON.stringify({ ...JSON.parse(written), ...fields })

describe('parseSafeTxFile', () => {
  it('reads what was written', () => {
    expect(parseSafeTxFile(written, 1)).toEqual({ chainId: 10, safeAddress, safeTx })
  })

  it('reads an answer of the Safe Transaction Service: numbers, no data, no chain, more fields', () => {
    const service = change({ chainId: undefined, data: null, nonce: 7, safeTxGas: 0, operation: 0, confirmations: [] })
    expect(parseSafeTxFile(service, 1)).toEqual({ chainId: 1, safeAddress, safeTx: { ...safeTx, data: '0x' } })
  })

  it.each([
    ['no JSON', 'hello', 'file-not-json'],
    ['a list', '[]', 'file-not-json'],
    ['too long', ' '.repeat(MAX_SAFE_TX_FILE + 1), 'file-length'],
    ['a missing field', change({ nonce: undefined }), 'number'],
    ['a negative number', change({ value: '-1' }), 'number'],
    ['a number that JSON cannot hold', change({ value: 2 ** 53 }), 'number'],
    ['more than 256 bits', change({ value: String(2n ** 256n) }), 'number'],
    ['an operation that is none', change({ operation: 2 }), 'number'],
    ['a wrong checksum', change({ to: '0xF39fd6e51aad88f6f4ce6ab8827279cfffb92266' }), 'address'],
    ['no Safe', change({ safe: undefined }), 'address'],
    ['half a byte', change({ data: '0xabc' }), 'bytes'],
    ['an object in place of bytes', change({ data: {} }), 'bytes'],
  ])('error: FIELD_MALFORMED, %s', (_name, text, reason) => {
    expect(() => parseSafeTxFile(text, 1)).toThrow(
      expect.objectContaining({ code: 'FIELD_MALFORMED', data: expect.objectContaining({ reason }) }),
    )
  })
})
