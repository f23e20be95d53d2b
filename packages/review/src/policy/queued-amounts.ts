import type { SafeTx } from '@countersign/safe'
import { describeCall } from '@countersign/safe/calls'
import type { Address } from 'viem'
import { type IsToken, outflowsOf, type PayingSafe } from './policy-outflows.ts'

/** Stands for an amount that nobody can tell. */
export const UNTOLD_AMOUNT = 2n ** 256n - 1n

/** Base units by lower-case address of the asset, as `outflowsOf` names it; `*`: of every asset. */
export type AssetAmounts = ReadonlyMap<string, bigint>

/**
 * Finds what proposals would take out of a Safe, by nonce: of rivals at one nonce the larger amount of each asset counts.
 *
 * @param isToken - whether a contract is known to be an ERC-20; without it, none is
 * @example
 * sumAmounts([...amountsByNonce(queued, { safeAddress, version: '1.4.1' }).values()])
 */
export function amountsByNonce(
  proposals: readonly SafeTx[],
  safe: PayingSafe,
  isToken?: IsToken,
): ReadonlyMap<bigint, AssetAmounts> {
  const byNonce = new Map<bigint, Map<string, bigint>>()
  for (const safeTx of proposals) {
    const { amounts, unbounded } = outflowsOf(
      describeCall({ ...safeTx, safeAddress: safe.safeAddress }),
      safeTx,
      safe,
      isToken,
    )
    for (const asset of unbounded.keys()) amounts.set(asset, UNTOLD_AMOUNT)
    const largest = byNonce.get(safeTx.nonce) ?? new Map<string, bigint>()
    for (const [asset, amount] of amounts) if (amount > (largest.get(asset) ?? 0n)) largest.set(asset, amount)
    byNonce.set(safeTx.nonce, largest)
  }
  return byNonce
}

/**
 * Adds up amounts of several nonces, asset by asset.
 *
 * @example
 * amountOf(sumAmounts(amounts), token)
 */
export function sumAmounts(amounts: readonly AssetAmounts[]): AssetAmounts {
  const sums = new Map<string, bigint>()
  for (const [asset, amount] of amounts.flatMap((of) => [...of])) {
    const sum = (sums.get(asset) ?? 0n) + amount
    sums.set(asset, sum > UNTOLD_AMOUNT ? UNTOLD_AMOUNT : sum)
  }
  return sums
}

/**
 * Reads the amount of one asset. What nobody can tell of every asset counts for each.
 *
 * @example
 * amountOf(sums, zeroAddress) // of the native coin
 */
export function amountOf(amounts: AssetAmounts, asset: Address): bigint {
  return amounts.get('*') ?? amounts.get(asset.toLowerCase()) ?? 0n
}
