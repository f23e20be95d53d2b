import type { Address } from 'viem'
import { argumentAddresses, type Call } from '../../calldata.ts'
import { isSameAddress } from '../../same-address.ts'
import type { Finding, ReviewInput } from '../types.ts'
import { finding } from './evidence.ts'

/** What people look at: the first and the last four digits. */
function look(address: string): string {
  return `${address.slice(2, 6)}${address.slice(-4)}`.toLowerCase()
}

/** Every address that the calls name, those in lists too. */
function addressesOf(calls: readonly Call[]): Address[] {
  return calls.flatMap((call) => [call.to, ...argumentAddresses(call)])
}

/** Addresses that look like another one that is known, or that is named in the same transaction. */
export function reviewAddresses(calls: readonly Call[], input: ReviewInput): Finding[] {
  const first = new Map<string, Address>()
  const known = [
    input.safeAddress,
    ...(input.account === null ? [] : [input.account]),
    ...(input.state?.owners ?? []),
    ...(input.state?.modules ?? []),
    ...(input.known ?? []),
    ...input.tokens.map(({ address }) => address),
  ]
  for (const address of known) if (!first.has(look(address))) first.set(look(address), address)
  const isKnown = new Set(known.map((address) => address.toLowerCase()))
  const findings = new Map<string, Finding>()
  for (const address of [...addressesOf(calls), input.safeTx.refundReceiver, input.safeTx.gasToken]) {
    const original = first.get(look(address))
    if (original === undefined) first.set(look(address), address)
    else if (!isSameAddress(original, address) && !isKnown.has(address.toLowerCase())) {
      findings.set(address.toLowerCase(), finding('ADDR-LOOKALIKE', 'high', { address, resembles: original }))
    }
  }
  return [...findings.values()]
}
