import type { NamedAddress } from '@countersign/contract'
import { expect, test } from 'vitest'
import { confusedIn } from './names.ts'

const entry = (digit: string, name: string, author = '9'): NamedAddress =>
  ({
    address: `0x${digit.repeat(40)}`,
    author: `0x${author.repeat(40)}`,
    name,
  }) as Partial<NamedAddress> as NamedAddress
const at = (digit: string) => `0x${digit.repeat(40)}`

test('behavior: names that look alike mark both addresses, in any alphabet; one address may have a name twice', () => {
  expect([...confusedIn([entry('a', 'Payroll'), entry('b', 'P\u0430yr0ll'), entry('c', 'Supplier')])]).toEqual([
    at('a'),
    at('b'),
  ])
  expect([...confusedIn([entry('a', 'Payroll'), entry('a', 'PAYROLL', '8'), entry('c', 'Supplier')])]).toEqual([])
})
