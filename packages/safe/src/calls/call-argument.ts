import { type Address, numberToHex } from 'viem'
import type { DecodedValue } from '../abi/abi-decode.ts'

/**
 * One argument. `value` is decimal, hex, true/false, text, or JSON for lists; `decoded` is the same with its type, its
 * members and the bytes of `data` it comes from.
 */
export type CallArgument = { name: string; type: string; value: string; decoded: DecodedValue }

/** A decoded value as an argument. */
export function describeArgument(decoded: DecodedValue): CallArgument {
  const plain = toPlain(decoded)
  const value = typeof plain === 'string' ? plain : JSON.stringify(plain)
  return { name: decoded.name, type: decoded.type, value, decoded }
}

/** The value as JSON can hold it: numbers in decimal, tuples by name where every member has one. */
function toPlain(decoded: DecodedValue): unknown {
  switch (decoded.kind) {
    case 'number':
    case 'bool':
      return String(decoded.value)
    case 'text':
      return decoded.value ?? decoded.raw
    case 'list':
      return decoded.value.map(toPlain)
    case 'tuple':
      return decoded.value.every(({ name }) => name !== '')
        ? Object.fromEntries(decoded.value.map((member) => [member.name, toPlain(member)]))
        : decoded.value.map(toPlain)
    default:
      return decoded.value
  }
}

type Arguments = { args: readonly CallArgument[] }

/**
 * Every address under a name, in lists and tuples too.
 *
 * @example
 * addressesNamed(call, 'spender')
 */
export function addressesNamed(call: Arguments, name: string): Address[] {
  return addressesWhere(call, (argument) => argument === name)
}

/**
 * Every address under a name of a kind, in lists and tuples too. What a list holds has the name of the list.
 *
 * @example
 * addressesWhere(call, (name) => name === 'to' || name === 'recipient')
 */
export function addressesWhere(call: Arguments, isMeant: (name: string) => boolean): Address[] {
  return valuesNamed(call, isMeant).flatMap((decoded) => (decoded.kind === 'address' ? [decoded.value] : []))
}

/**
 * Every account under a name of a kind, however it is written: as an address, or as a number, bytes or a text, where flags may
 * stand above it.
 *
 * @example
 * accountsNamed(call, (name) => name === 'receiver')
 */
export function accountsNamed(call: Arguments, isMeant: (name: string) => boolean): string[] {
  return valuesNamed(call, isMeant).flatMap((decoded) => {
    if (decoded.kind === 'number') {
      const isNobody = BigInt.asUintN(160, decoded.value) === 0n
      return isNobody ? [] : [numberToHex(BigInt.asUintN(256, decoded.value), { size: 32 })]
    }
    if (decoded.kind === 'address' || decoded.kind === 'bytes') return [decoded.value]
    return decoded.kind === 'text' ? [decoded.value ?? decoded.raw] : []
  })
}

/**
 * Whether an account is this address, which may be the end of a longer word.
 *
 * @example
 * isWrittenAs(account, safeAddress)
 */
export function isWrittenAs(account: string, address: Address): boolean {
  return account.length >= 42 && account.length <= 66 && account.toLowerCase().endsWith(address.slice(2).toLowerCase())
}

/** The values under a name of a kind, in lists and tuples too. */
function valuesNamed({ args }: Arguments, isMeant: (name: string) => boolean): DecodedValue[] {
  const found: DecodedValue[] = []
  const collect = (decoded: DecodedValue, name: string) => {
    if (decoded.kind === 'list') for (const member of decoded.value) collect(member, name)
    else if (decoded.kind === 'tuple') for (const member of decoded.value) collect(member, member.name)
    else if (isMeant(name)) found.push(decoded)
  }
  for (const { decoded } of args) collect(decoded, decoded.name)
  return found
}
