import type { Address } from 'viem'
import { type Call, placedAddresses } from '../../calldata.ts'
import type { SafeTx } from '../../safe-tx.ts'
import { isSameAddress } from '../../same-address.ts'
import type { ReviewInput } from '../input.ts'
import type { Finding, Where } from '../types.ts'
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

/**
 * Addresses that look like another one that is known or named, or that comes earlier in the same transaction. Only the
 * chain and the operator make an address known: one that has a name all the same may be the imitation.
 */
export function reviewAddresses(calls: readonly Call[], input: ReviewInput): Finding[] {
  const known = [
    input.safeAddress,
    ...(input.account === null ? [] : [input.account]),
    ...(input.state?.owners ?? []),
    ...(input.state?.modules ?? []),
    ...input.tokens.map(({ address }) => address),
  ]
  const isKnown = new Set(known.map((address) => address.toLowerCase()))
  const compared = new Map<string, Address[]>()
  for (const address of [...known, ...(input.named ?? [])]) {
    const alike = compared.get(look(address))
    if (alike === undefined) compared.set(look(address), [address])
    else alike.push(address)
  }
  const earlier = new Map<string, Address>()
  const findings = new Map<string, Finding>()
  for (const { address, where } of addressesOf(calls, input.safeTx)) {
    const first = earlier.get(look(address)) ?? address
    earlier.set(look(address), first)
    if (isKnown.has(address.toLowerCase())) continue
    const original = [...(compared.get(look(address)) ?? []), first].find((other) => !isSameAddress(other, address))
    if (original === undefined) continue
    findings.set(address.toLowerCase(), finding('ADDR-LOOKALIKE', 'high', { address, resembles: original }, where))
  }
  return [...findings.values()]
}
