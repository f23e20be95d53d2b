import { type Address, getAddress, isAddress } from 'viem'
import { text } from '../text/text.ts'
import { showUntrusted } from '../text/untrusted.ts'

export type AddressProblem = 'empty' | 'not-an-address' | 'bad-checksum'
export type TypedAddress = { ok: true; address: Address } | { ok: false; problem: AddressProblem }

/** Reads an address that a person typed or pasted. All small letters carry no checksum; mixed ones must fit theirs. */
export function parseAddress(typed: string): TypedAddress {
  const trimmed = typed.trim()
  if (trimmed === '') return { ok: false, problem: 'empty' }
  if (!/^0x[0-9a-fA-F]{40}$/.test(trimmed)) return { ok: false, problem: 'not-an-address' }
  if (trimmed !== trimmed.toLowerCase() && !isAddress(trimmed, { strict: true }))
    return { ok: false, problem: 'bad-checksum' }
  return { ok: true, address: getAddress(trimmed.toLowerCase()) }
}

export function addressProblemText(problem: AddressProblem, typed: string): string {
  const trimmed = typed.trim()
  const digits = /^0x([0-9a-fA-F]*)$/.exec(trimmed)?.[1]
  if (problem === 'not-an-address' && digits !== undefined)
    return text('field.address.length', { digits: digits.length })
  return text(`field.address.${problem}`, { typed: showUntrusted(trimmed, 60) })
}
