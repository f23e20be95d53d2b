import { isSameAddress } from '@countersign/safe'
import { describeCall } from '@countersign/safe/calls'
import { type Address, zeroAddress } from 'viem'
import type { ExecutedAmount } from '../facts/assets/executed-amounts.ts'
import type { Executed } from './executions-of-period.ts'
import { outflowsOf, type PayingSafe } from './policy-outflows.ts'
import { amountOf, UNTOLD_AMOUNT } from './queued-amounts.ts'
import type { AmountLimit, SpentAmount } from './team-policy.ts'

/**
 * Adds up what was executed within the period of each limit by what the chain said, and by the server where that is more: it
 * knows movements that no log tells, and never makes a sum smaller.
 *
 * @param said sums of the server
 * @param executed by the fact `executedAmounts`; a limit that is not in it has no sum of the page's own
 * @returns one for each limit, in base units; `isOwn` false where the page could not add up
 * @example
 * spentAmounts(policy.amountLimits, { said, executed, safe: { safeAddress, version: '1.4.1' } })
 */
export function spentAmounts(
  limits: readonly AmountLimit[],
  facts: { said: readonly SpentAmount[]; executed: readonly ExecutedAmount[]; safe: PayingSafe },
): (SpentAmount & { isOwn: boolean })[] {
  return limits.map(({ asset, period }) => {
    const isOfLimit = (sum: { asset: Address; period: number }) =>
      isSameAddress(sum.asset, asset) && sum.period === period
    const said = facts.said.find(isOfLimit)
    const own = ownSum(facts.executed.find(isOfLimit), facts.safe)
    const executed = [own ?? 0n, said?.executed ?? 0n].reduce((most, sum) => (sum > most ? sum : most))
    return { asset, period, executed, queued: said?.queued ?? 0n, isOwn: own !== null }
  })
}

/** Null: nobody can tell. */
function ownSum(amount: ExecutedAmount | undefined, safe: PayingSafe): bigint | null {
  if (amount?.kind === 'token') return amount.moved ?? null
  if (amount?.executed === undefined) return null
  const sum = amount.executed.reduce((total, one) => total + coinOf(one, safe), 0n)
  return sum >= UNTOLD_AMOUNT ? null : sum
}

/** The native coin that an execution moved at most. One that failed moved nothing but its refund. */
function coinOf({ safeTx, isSuccessful, payment }: Executed, safe: PayingSafe): bigint {
  if (!isSuccessful) return isSameAddress(safeTx.gasToken, zeroAddress) ? payment : 0n
  const { amounts, unbounded } = outflowsOf(
    describeCall({ ...safeTx, safeAddress: safe.safeAddress }),
    { ...safeTx, nonce: 0n },
    safe,
  )
  const isUntold = unbounded.has('*') || unbounded.has(zeroAddress)
  return isUntold ? UNTOLD_AMOUNT : amountOf(amounts, zeroAddress)
}
