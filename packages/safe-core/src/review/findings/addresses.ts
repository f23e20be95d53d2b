import type { Address } from 'viem'
import { type Call, placedAddresses } from '../../calldata.ts'
import type { SafeTx } from '../../safe-tx.ts'
import { isSameAddress } from '../../same-address.ts'
import type { Finding, ReviewInput, Where } from '../types.ts'
import { finding } from './evidence.ts'

/** What people look at: the first and the last four digits. */
function look(address: string): string {
  return `${address.slice(2, 6)}${address.slice(-4)}`.toLowerCase()
}

type Placed = { address: Address; where: Where }

/** Every address that the transaction names, those in lists too, and where it does. */
function addressesOf(calls: readonly Call[], { gasToken, refundReceiver }: SafeTx): Placed[] {
  return [
    ...calls.flatMap((call): Placed[] => [
      { address: call.to, where: call.path.length === 0 ? { field: 'to' } : { call: call.path } },
      ...placedAddresses(call).map(({ address, bytes }) => ({
        address,
        where: { call: call.path, ...(bytes === undefined ? {} : { bytes }) },
      })),
    ]),
    { address: refundReceiver, where: { field: 'refundReceiver' } },
    { address: gasToken, where: { field: 'gasToken' } },
  ]
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
  for (const { address, where } of addressesOf(calls, input.safeTx)) {
    const original = first.get(look(address))
    if (original === undefined) first.set(look(address), address)
    else if (!isSameAddress(original, address) && !isKnown.has(address.toLowerCase())) {
      findings.set(address.toLowerCase(), finding('ADDR-LOOKALIKE', 'high', { address, resembles: original }, where))
    }
  }
  return [...findings.values()]
}
