import type { Address } from 'viem'
import { expect, it } from 'vitest'
import { isAlikeAddress } from './alike-address.ts'

const plain: Address = `0x${'1'.repeat(20)}${'2'.repeat(20)}`
const mined: Address = `0x${'0'.repeat(8)}${'1'.repeat(12)}${'2'.repeat(20)}`

/** Another address, with the same digits at its start and its end. */
function alikeTo(address: Address, start: number, end: number): Address {
  return `0x${address.slice(2, 2 + start)}${'9'.repeat(40 - start - end)}${address.slice(42 - end)}`
}

it.each([
  [plain, 6, 2, true],
  [plain, 0, 8, true],
  [plain, 5, 2, false],
  [plain, 7, 1, false],
  [mined, 10, 2, true],
  [mined, 9, 2, false],
] as const)('%s and an address with the same %i first and %i last digits look alike: %s', (...row) => {
  const [address, start, end, isAlike] = row
  expect(isAlikeAddress(address, alikeTo(address, start, end))).toBe(isAlike)
  expect(isAlikeAddress(alikeTo(address, start, end), address)).toBe(isAlike)
})
