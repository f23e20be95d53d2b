import type { Address } from 'viem'
import { parseAddress } from './parse-address.ts'
import { addressProblemText } from './typed-address.ts'

/** Value of a typed field, or its fault in words. */
export type FieldReading<Value> = { value: Value } | { error: string }

/** @param missing said of a field that has nothing but blanks */
export function parseRequired(typed: string, missing: string): FieldReading<string> {
  const value = typed.trim()
  return value === '' ? { error: missing } : { value }
}

export function parseAddressField(typed: string): FieldReading<Address> {
  const read = parseAddress(typed)
  return read.ok ? { value: read.address } : { error: addressProblemText(read.problem, typed) }
}
