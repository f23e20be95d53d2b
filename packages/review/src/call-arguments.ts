import type { ByteRange, DecodedValue } from '@countersign/safe'
import type { Call, CallArgument } from '@countersign/safe/calls'
import { type Address, numberToHex } from 'viem'

/** The name of the function that a call calls, without its types; empty when it is not known. */
export function functionName(call: Call): string {
  return call.name?.split('(')[0] ?? ''
}

/** An argument of a decoded call, by name; null when the call has none of that name. */
export function argument(call: Call, name: string): string | null {
  return call.args.find((argument) => argument.name === name)?.value ?? null
}

/** An address argument of a decoded call: the first of these names that it has. */
export function addressArgument(call: Call, ...names: string[]): Address | null {
  for (const name of names) {
    const value = argument(call, name)
    if (value !== null && isAddressText(value)) return value
  }
  return null
}

/** A number among the arguments of a decoded call, by name. */
export function numberArgument(call: Call, name: string): bigint | null {
  const found = call.args.find((argument) => argument.name === name)?.decoded
  return found?.kind === 'number' ? found.value : null
}

/** By its form alone: what is asked for each call of a batch computes no checksum. */
function isAddressText(value: string): value is Address {
  return /^0x[0-9a-fA-F]{40}$/.test(value)
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

/**
 * Every address in the arguments of one call, those inside lists and tuples too.
 *
 * @example
 * argumentAddresses(describeCall(request)) // whom a person should know
 */
export function argumentAddresses(call: Call): Address[] {
  return placedAddresses(call).map(({ address }) => address)
}

/**
 * Lists the addresses with their bytes in the call's `data`.
 *
 * @example
 * placedAddresses(call) // [{ address, bytes: { start: 16, end: 36 } }]
 */
export function placedAddresses(call: Call): { address: Address; bytes: ByteRange | undefined }[] {
  const addresses: { address: Address; bytes: ByteRange | undefined }[] = []
  const collect = (decoded: DecodedValue) => {
    if (decoded.kind === 'address') addresses.push({ address: decoded.value, bytes: decoded.ranges[0] })
    else if (decoded.kind === 'list' || decoded.kind === 'tuple') decoded.value.forEach(collect)
  }
  for (const { decoded } of call.args) collect(decoded)
  const ofArguments = addresses.length
  for (const { args } of call.commands ?? []) for (const { decoded } of args) collect(decoded)
  // Where commands stand is told from the start of their own bytes.
  return addresses.map((address, index) => (index < ofArguments ? address : { ...address, bytes: undefined }))
}
