import { describe, expect, test } from 'vitest'
import { address, chainId, chainIdParam, hash, hex, hexUpTo, time, uint256 } from './primitives.ts'

const CHECKSUMMED = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

/** The first complaint, or undefined when the value is accepted. */
function complaint(
  schema: { safeParse: (value: unknown) => { error?: { issues: { message: string }[] } } },
  value: unknown,
) {
  return schema.safeParse(value).error?.issues[0]?.message
}

describe('address', () => {
  test('default', () => {
    expect(address.parse(CHECKSUMMED)).toBe(CHECKSUMMED)
  })

  test('behavior: lower case is checksummed', () => {
    expect(address.parse(CHECKSUMMED.toLowerCase())).toBe(CHECKSUMMED)
  })

  test.each([
    ['one letter in the wrong case', '0xF39Fd6e51aad88F6F4ce6aB8827279cffFb92266'],
    ['all upper case', `0x${CHECKSUMMED.slice(2).toUpperCase()}`],
    ['one byte short', CHECKSUMMED.slice(0, -2)],
    ['no prefix', CHECKSUMMED.slice(2)],
    ['a chain prefix', `eth:${CHECKSUMMED}`],
    ['a space behind it', `${CHECKSUMMED} `],
    ['empty', ''],
  ])('error: %s', (_, text) => {
    expect(complaint(address, text)).toBe('must be a 20-byte address with a correct EIP-55 checksum')
  })
})

describe('hash', () => {
  test('behavior: upper case becomes lower case', () => {
    expect(hash.parse(`0x${'AB'.repeat(32)}`)).toBe(`0x${'ab'.repeat(32)}`)
  })

  test.each([31, 33])('error: %i bytes', (bytes) => {
    expect(complaint(hash, `0x${'ab'.repeat(bytes)}`)).toBe('must be 0x and 64 hex digits')
  })
})

describe('hex', () => {
  test('default', () => {
    expect(hex.parse('0x')).toBe('0x')
    expect(hex.parse('0xABcd')).toBe('0xabcd')
  })

  test('error: half a byte, no prefix, a letter that is no digit', () => {
    for (const text of ['0xabc', 'abcd', '0xzz', '0x ', ''])
      expect(complaint(hex, text)).toBe('must be 0x and an even number of hex digits')
  })

  test('behavior: the limit counts bytes, and says which it is', () => {
    expect(complaint(hexUpTo(2), '0xabcd')).toBeUndefined()
    expect(complaint(hexUpTo(2), '0xabcdef')).toBe('must not be longer than 2 bytes')
    expect(complaint(hex, `0x${'00'.repeat(131_072)}`)).toBeUndefined()
    expect(complaint(hex, `0x${'00'.repeat(131_073)}`)).toBe('must not be longer than 131,072 bytes')
  })
})

describe('uint256', () => {
  const max = (1n << 256n) - 1n

  test('behavior: both bounds are inside', () => {
    expect(uint256.parse('0')).toBe(0n)
    expect(uint256.parse(String(max))).toBe(max)
  })

  test('error: one above the upper bound, and the largest number of 78 digits', () => {
    expect(complaint(uint256, String(max + 1n))).toBe('must be below 2^256')
    expect(complaint(uint256, '9'.repeat(78))).toBe('must be below 2^256')
  })

  test.each(['', '-1', '+1', '01', '1.0', '1e18', '0x10', ' 1', '1 ', '1_000', '9'.repeat(79)])(
    'error: `%s`',
    (text) => {
      expect(complaint(uint256, text)).toBe('must be a decimal number without sign or leading zero')
    },
  )

  test('error: a JSON number, which would have lost its last digits', () => {
    expect(uint256.safeParse(1).success).toBe(false)
  })
})

describe('chainIdParam', () => {
  test('default', () => {
    expect(chainIdParam.parse('31337')).toBe(31_337)
    expect(chainIdParam.parse(String(Number.MAX_SAFE_INTEGER))).toBe(Number.MAX_SAFE_INTEGER)
  })

  test('error: not a chain id', () => {
    for (const text of ['0', '-1', '01', '1.5', '0x1', 'mainnet', ''])
      expect(complaint(chainIdParam, text)).toBe('must be a decimal chain id')
    expect(complaint(chainIdParam, String(Number.MAX_SAFE_INTEGER + 1))).toBe('must be below 2^53')
  })
})

describe('chainId', () => {
  test('error: text, zero, fraction, beyond exact integers', () => {
    for (const value of ['1', 0, -1, 1.5, 2 ** 53]) expect(chainId.safeParse(value).success).toBe(false)
  })
})

describe('time', () => {
  test('behavior: UTC only', () => {
    expect(time.safeParse('2026-01-02T03:04:05.678Z').success).toBe(true)
    for (const text of ['2026-01-02T03:04:05+02:00', '2026-01-02', '2026-13-02T03:04:05Z'])
      expect(time.safeParse(text).success).toBe(false)
  })
})
