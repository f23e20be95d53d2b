import { type Address, hexToBigInt } from 'viem'
import { type Call, placedAddresses } from '../../calldata.ts'
import type { SafeTx } from '../../safe-tx.ts'
import { isSameAddress } from '../../same-address.ts'
import type { ReviewInput } from '../input.ts'
import type { Finding, Where } from '../types.ts'
import { finding } from './evidence.ts'

/** Digits that are the same at both ends, taken together: no accident, and what a screen shows of an address. */
const ALIKE_DIGITS = 8
/** At each end at least: contracts that belong together often have the same beginning, and count up at the end. */
const ALIKE_AT_EACH_END = 2
/** Many contracts have an address with zeros in front on purpose; more of them than this say nothing. */
const ZEROS_THAT_COUNT = 4
/** Contracts that a chain brings along have small numbers for addresses. */
const SMALL = 2n ** 48n

/**
 * Digits that two addresses must have in common to be compared at all.
 *
 * @example
 * addressEnds('0xdAC17F958D2ee523a2206206994597C13D831ec7') // 'dac7'
 */
export function addressEnds(address: string): string {
  return `${address.slice(2, 2 + ALIKE_AT_EACH_END)}${address.slice(-ALIKE_AT_EACH_END)}`.toLowerCase()
}

/** Whether a person would take one for the other: eight digits or more are the same at the two ends together. */
function isAlike(one: Address, other: Address): boolean {
  const [left, right] = [one.slice(2).toLowerCase(), other.slice(2).toLowerCase()]
  if (left === right || hexToBigInt(`0x${left}`) < SMALL || hexToBigInt(`0x${right}`) < SMALL) return false
  const same = (from: (index: number) => number) => {
    let count = 0
    while (left[from(count)] === right[from(count)]) count++
    return count
  }
  const start = same((index) => index)
  const zeros = Math.min(start, /^0*/.exec(left)?.[0].length ?? 0)
  const end = same((index) => 39 - index)
  return start - Math.max(0, zeros - ZEROS_THAT_COUNT) + end >= ALIKE_DIGITS && end >= ALIKE_AT_EACH_END
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
    return this.#byEnds.get(addressEnds(address))?.find((known) => isAlike(known, address))
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
