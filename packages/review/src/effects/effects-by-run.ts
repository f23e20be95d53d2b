import { isSameAddress } from '@countersign/safe'
import { type Address, type Hex, keccak256, stringToHex, zeroAddress } from 'viem'
import type { BalanceChange, FinishedSimulation, SimulatedCall } from '../simulation/simulation-result.ts'
import { approvalLine, assetLine, slotLine } from './compare-effects.ts'
import type { AssetChange, ObservedEffects } from './declared-effects.ts'

/**
 * The changes that a run shows: these and none others. Whoever sends it pays for the gas, and whoever makes the block is
 * paid: coin counts for the Safe and for accounts that calls pay.
 *
 * @returns null where not everything that moves was asked, or did not answer
 * @example
 * effectsByRun(run, safeAddress)?.assets // [{ account: safeAddress, token, isOut: true, amount: 100n, … }, …]
 */
export function effectsByRun(run: FinishedSimulation, safeAddress: Address): ObservedEffects | null {
  if (run.gaps.some((gap) => gap !== 'call-data')) return null
  const counted = countedBalances(run, safeAddress)
  if (counted.some(({ before, after }) => before === null || after === null)) return null
  if (run.approvals.some(({ before, after }) => before === null || after === null)) return null
  const isOwn = ({ account }: { account: Address }) => isSameAddress(account, safeAddress)
  return {
    covers: ['native', 'tokens', 'approvals', 'slots'],
    unread: [],
    assets: counted.flatMap(toAssetChange),
    approvals: run.approvals.flatMap(({ owner, token, spender, standard, tokenId, before, after }) => {
      if (after === null || after === before) return []
      const isAll = standard === 'operator' && after > 0n
      return [{ owner, token, spender, tokenId, amount: isAll ? 2n ** 256n - 1n : after }]
    }),
    slots: run.slots.filter(isOwn),
    otherSlots: run.slots.filter((slot) => !isOwn(slot)),
  }
}

/**
 * A hash of what the run does, for acknowledgements: what leaves the Safe and which of its slots change exactly, what
 * comes to it to two digits, and who else takes part. A price that moves a little is the same outcome, another block is.
 *
 * @example
 * outcomeOf(run, safeAddress) === outcomeOf(oneBlockLater, safeAddress) // true for a swap at nearly the same price
 */
export function outcomeOf(run: FinishedSimulation, safeAddress: Address): Hex {
  const assets = countedBalances(run, safeAddress)
    .flatMap(toAssetChange)
    .map((change) => {
      const isOwn = isSameAddress(change.account, safeAddress)
      return assetLine({ ...change, amount: isOwn ? (change.isOut ? change.amount : twoDigits(change.amount)) : 0n })
    })
  const approvals = run.approvals
    .filter(({ owner }) => isSameAddress(owner, safeAddress))
    .map(({ after, ...approval }) => approvalLine({ ...approval, amount: after ?? 0n }))
  const slots = run.slots.filter(({ account }) => isSameAddress(account, safeAddress)).map(slotLine)
  const created = run.created.map((address) => `created ${address}`.toLowerCase())
  const lines = [assets, approvals, slots, created].map((part) => part.toSorted().join('\n'))
  return keccak256(stringToHex(lines.join('\n\n')))
}

/**
 * Balances that say what the transaction moves, each once, and not what its gas costs.
 *
 * @example
 * countedBalances(run, safeAddress).length // 0 where only gas was paid
 */
export function countedBalances(run: FinishedSimulation, safeAddress: Address): BalanceChange[] {
  const paid = payees(run.call)
  return withoutItemCounts(run.balances).filter(
    ({ account, token }) =>
      token !== zeroAddress || isSameAddress(account, safeAddress) || paid.has(account.toLowerCase()),
  )
}

/**
 * Leaves out how many items of a collection an account has, where the items that are named beside it account for the whole
 * difference. A count that differs by more or less stays: items move that nothing names, or the contract lies.
 *
 * @example
 * withoutItemCounts([countOfItems, itemSeven]) // [itemSeven]
 */
export function withoutItemCounts(balances: readonly BalanceChange[]): BalanceChange[] {
  const keyOf = ({ token, account }: BalanceChange) => `${token} ${account}`.toLowerCase()
  const items = new Map<string, bigint>()
  for (const change of balances) {
    if (change.standard !== 'erc721' || change.before === null || change.after === null) continue
    items.set(keyOf(change), (items.get(keyOf(change)) ?? 0n) + change.after - change.before)
  }
  return balances.filter(
    (change) =>
      change.standard !== 'erc20' ||
      change.before === null ||
      change.after === null ||
      items.get(keyOf(change)) !== change.after - change.before,
  )
}

/** Accounts that a call pays coin, or that pay it on. Calls that failed pay nothing. */
function payees(call: SimulatedCall): Set<string> {
  const found = new Set<string>()
  const visit = (simulated: SimulatedCall) => {
    if (simulated.failure !== null) return
    if (simulated.value > 0n && (simulated.operation === 'call' || simulated.operation.startsWith('create'))) {
      found.add(simulated.to.toLowerCase())
      found.add(simulated.from.toLowerCase())
    }
    simulated.calls.forEach(visit)
  }
  visit(call)
  return found
}

function toAssetChange({ account, token, tokenId, before, after }: BalanceChange): AssetChange[] {
  const delta = (after ?? 0n) - (before ?? 0n)
  return delta === 0n ? [] : [{ account, token, tokenId, isOut: delta < 0n, amount: delta < 0n ? -delta : delta }]
}

/**
 * An amount to its first two digits: an answer that belongs to it lasts while a price moves a little.
 *
 * @example
 * twoDigits(3_412n) // 3_400n
 */
export function twoDigits(amount: bigint): bigint {
  const size = 10n ** BigInt(Math.max(0, String(amount).length - 2))
  return (amount / size) * size
}
