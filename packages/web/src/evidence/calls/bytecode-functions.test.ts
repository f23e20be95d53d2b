import { describe, expect, test } from 'vitest'
import { bytecodeFunctions } from './bytecode-functions.ts'

/** `transfer(address,uint256)`, found in a jump table as compilers write it. */
const table = '0x60003560e01c8063a9059cbb14601157005b00'

describe('bytecodeFunctions', () => {
  test('default: the functions of a jump table', () => {
    expect(bytecodeFunctions(table).map(({ selector }) => selector)).toEqual(['0xa9059cbb'])
  })

  test.each([
    ['no code', '0x'],
    ['bytes that are no code', `0x${'fe'.repeat(24_576)}`],
    ['a jump table without an end', `0x${'8063a9059cbb146011575b'.repeat(2_000)}`],
    ['jumps in a circle', `0x${'5b60005760005660005b'.repeat(2_000)}`],
    ['a push that is cut off', '0x60003560e01c8063a905'],
    ['names of prototypes are no selectors', `0x63${'00'.repeat(4)}14601157${'5b'.repeat(20_000)}`],
  ])('behavior: %s ends, and gives only functions with selectors of four bytes', (_, code) => {
    for (const { selector } of bytecodeFunctions(code)) expect(selector).toMatch(/^0x[0-9a-f]{8}$/)
  })
})
