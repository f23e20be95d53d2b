import { isSameAddress, type SafeTx } from '@countersign/safe'
import type { Call } from '@countersign/safe/calls'
import type { Address } from 'viem'
import { addressEnds, isAlikeAddress } from '../../alike-address.ts'
import { placedAddresses } from '../../call-arguments.ts'
import type { ReviewInput } from '../../input.ts'
import type { Finding, Where } from '../../types.ts'
import { finding } from '../make-finding.ts'

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

/** Addresses by what two that are alike have in common, so that not each is compared with each. */
class AddressesByEnds {
  readonly #byEnds = new Map<string, Address[]>()

  add(address: Address): void {
    const key = addressEnds(address)
    const same = this.#byEnds.get(key)
    if (same === undefined) this.#byEnds.set(key, [address])
    else if (!same.some((known) => isSameAddress(known, address))) same.push(address)
  }

  findAlike(address: Address): Address | undefined {
    return this.#byEnds.get(addressEnds(address))?.find((known) => isAlikeAddress(known, address))
  }
}

/**
 * Addresses that look like another one that is known, was named or paid before, or comes earlier in the same transaction.
 * Only the chain and the configuration make an address known: one that has a name, was paid, or is on a list of others, may be
 * the imitation.
 */
export function reviewAddresses(calls: readonly Call[], input: ReviewInput): Finding[] {
  const known = [
    input.safeAddress,
    ...(input.account === null ? [] : [input.account]),
    ...(input.state?.owners ?? []),
    ...(input.state?.modules ?? []),
    ...input.tokens.filter(({ lists }) => lists === undefined).map(({ address }) => address),
  ]
  const isKnown = new Set(known.map((address) => address.toLowerCase()))
  const [compared, earlier] = [new AddressesByEnds(), new AddressesByEnds()]
  const listed = input.tokens.map(({ address }) => address)
  for (const address of [...known, ...listed, ...(input.named ?? []), ...(input.paid ?? [])]) compared.add(address)
  const findings = new Map<string, Finding>()
  for (const { address, where } of addressesOf(calls, input.safeTx)) {
    const original = isKnown.has(address.toLowerCase())
      ? undefined
      : (compared.findAlike(address) ?? earlier.findAlike(address))
    earlier.add(address)
    if (original === undefined) continue
    findings.set(address.toLowerCase(), finding('ADDR-LOOKALIKE', 'high', { address, resembles: original }, where))
  }
  return [...findings.values()]
}
