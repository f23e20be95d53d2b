import { type Address, getAddress, isAddress } from 'viem'

export type AddressProblem = 'empty' | 'not-an-address' | 'prefix' | 'bad-checksum'
export type TypedAddress = { ok: true; address: Address } | { ok: false; problem: AddressProblem }

/** Reads an address that a person typed or pasted. All small letters carry no checksum; mixed ones must fit theirs. */
export function parseAddress(typed: string): TypedAddress {
  const trimmed = typed.trim()
  if (trimmed === '') return { ok: false, problem: 'empty' }
  if (/^[\w-]{1,30}:0x[0-9a-fA-F]{40}$/.test(trimmed)) return { ok: false, problem: 'prefix' }
  if (!/^0x[0-9a-fA-F]{40}$/.test(trimmed)) return { ok: false, problem: 'not-an-address' }
  if (trimmed !== trimmed.toLowerCase() && !isAddress(trimmed, { strict: true }))
    return { ok: false, problem: 'bad-checksum' }
  return { ok: true, address: getAddress(trimmed.toLowerCase()) }
}
