import { flattenCalls } from '@countersign/safe/calls'
import { type Address, isAddress } from 'viem'
import { placedAddresses } from '../call-arguments.ts'
import type { Facts } from '../facts/collect.ts'
import { skeletonOf } from '../findings/addresses/confusables.ts'
import { finishedRun } from '../findings/simulation/finished.ts'
import { transfersOf } from '../findings/simulation/transfers.ts'
import type { Given } from '../given.ts'
import { describeTransaction } from '../targets.ts'

/** Addresses and names of which somebody wants to know whether lists have them, or something that looks like them. */
export type TokenQuestion = { addresses: readonly Address[]; names: readonly string[] }

/** More of them are not asked about: a batch can name thousands of accounts, and a run can pass through as many. */
const MAX_ADDRESSES = 2_000

/**
 * The listed tokens that a review could speak of: at, or alike to, the addresses that it sees, and those whose symbol looks
 * like a name that a token claims. What facts tell is added once they are known.
 *
 * @example
 * tokenQuestion(given, {}).addresses // [token, recipient]
 */
export function tokenQuestion(given: Given, facts: Pick<Facts, 'tokenClaims' | 'simulation'>): TokenQuestion {
  if (given.kind !== 'transaction') return { addresses: [], names: [] }
  const found = new Set<string>()
  for (const address of [...addressesOfCalls(given), ...addressesOfRun(facts)]) {
    if (found.size >= MAX_ADDRESSES) break
    if (BigInt(address) > 1n) found.add(address.toLowerCase())
  }
  const claims = Object.values(facts.tokenClaims ?? {}).flatMap((claim) => (claim ? [claim.symbol, claim.name] : []))
  return {
    addresses: [...found].filter((address): address is Address => isAddress(address)),
    names: [...new Set(claims.filter((name) => skeletonOf(name) !== ''))],
  }
}

function addressesOfCalls(given: Extract<Given, { kind: 'transaction' }>): Address[] {
  const { gasToken, refundReceiver } = given.safeTx
  try {
    const calls = flattenCalls(describeTransaction(given))
    return [
      ...calls.flatMap((call) => [call.to, ...placedAddresses(call).map(({ address }) => address)]),
      gasToken,
      refundReceiver,
    ]
  } catch {
    // Bytes that cannot be read: the review says so.
    return []
  }
}

function addressesOfRun(facts: Pick<Facts, 'simulation'>): Address[] {
  const run = finishedRun(facts)
  if (run === null) return []
  return [
    ...run.balances.map(({ token }) => token),
    ...run.approvals.map(({ token }) => token),
    ...transfersOf(run.call).map(({ token }) => token),
  ]
}
