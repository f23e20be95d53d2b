import { isSameAddress } from '@countersign/safe'
import type { Address } from 'viem'
import type { ReviewInput } from '../../input.ts'
import type { Finding } from '../../types.ts'
import { amountsOf, finding } from '../make-finding.ts'
import { executedRun } from './finished.ts'
import { interestOf } from './interest.ts'
import { deltaOf } from './moves.ts'
import { transfersOf } from './transfers.ts'

/** Interest that a token adds by itself makes a log and a balance differ a little. */
const TOLERATED_PERCENT = 1n

/** Logs that tell of transfers to or from the Safe that its balances do not show. Anybody can write any log. */
export function reviewLogs(input: ReviewInput): Finding[] {
  const run = executedRun(input)
  if (run === null) return []
  const sums = new Map<string, { token: Address; sum: bigint }>()
  for (const { token, from, to, amount } of transfersOf(run.call)) {
    const isOut = isSameAddress(from, input.safeAddress)
    if (amount === 0n || isOut === isSameAddress(to, input.safeAddress)) continue
    const key = token.toLowerCase()
    sums.set(key, { token, sum: (sums.get(key)?.sum ?? 0n) + (isOut ? -amount : amount) })
  }
  return [...sums.values()].flatMap(({ token, sum }) => {
    const change = run.balances.find(
      (balance) =>
        balance.standard === 'erc20' &&
        isSameAddress(balance.token, token) &&
        isSameAddress(balance.account, input.safeAddress),
    )
    const moved = change === undefined ? 0n : deltaOf(change)
    const told = sum - interestOf({ token, held: change?.before ?? 0n, safeAddress: input.safeAddress }, run.call)
    const wrong = moved > told ? moved - told : told - moved
    const size = sum < 0n ? -sum : sum
    if (wrong <= 2n || (wrong * 100n <= size * TOLERATED_PERCENT && sum !== 0n)) return []
    return [finding('TOKEN-FAKE-LOG', 'high', { token, ...amountsOf(token, { said: sum, moved }) })]
  })
}
