import type { Chain } from '@countersign/contract'
import type { AllowEntry, PolicyState, TeamPolicy } from '@countersign/review'
import { isSameAddress } from '@countersign/safe'
import { type Address, zeroAddress } from 'viem'
import { currencyOf, tokenAt } from '../../safe/names/names.ts'
import { parseAmount } from '../../safe/worth/amount.ts'
import { showUntrusted } from '../../text/untrusted.ts'
import { formatAmount } from '../../ui/amount/format-amount.ts'
import { text } from './text.ts'

/** The Safe that a policy is of. */
export type Place = { chainId: number; safeAddress: Address }

const DAY_S = 86_400

/** Symbol and decimals of an asset; a token that the operator does not list counts in base units, under its address. */
export function assetOf(asset: Address, chain: Chain | undefined): { symbol: string; decimals: number } {
  if (isSameAddress(asset, zeroAddress)) return currencyOf(chain)
  return tokenAt(asset, chain) ?? { symbol: text('policy.asset.unlisted', { asset }), decimals: 0 }
}

/** The amount of a limit as it is typed, which may be nothing at all; null where it is none, or would be rounded. */
export function parseLimitAmount(typed: string, decimals: number): bigint | null {
  const read = parseAmount(typed, decimals)
  if (read.ok) return read.value
  return read.problem === 'zero' ? 0n : null
}

/** An amount of an asset, with its unit. */
export function amountWords(amount: bigint, asset: Address, chain: Chain | undefined): string {
  const { symbol, decimals } = assetOf(asset, chain)
  return `${formatAmount(amount, decimals)} ${showUntrusted(symbol, 80)}`
}

/** One restriction as a sentence; `key` is the same for the same restriction in another version. */
export type RestrictionLine = { key: string; sentence: string }

/** Every restriction of a version, each as one sentence. */
export function restrictionLines(policy: TeamPolicy, chain: Chain | undefined): RestrictionLine[] {
  const lines: RestrictionLine[] = []
  const add = (sentence: string) => lines.push({ key: sentence, sentence })
  for (const { asset, amount: limit, period } of policy.amountLimits) {
    const amount = amountWords(limit, asset, chain)
    // Never rounded: a limit of one second is none.
    if (period % DAY_S === 0) add(text('policy.amount', { amount, days: period / DAY_S }))
    else add(text('policy.amount.seconds', { amount, seconds: period }))
  }
  for (const { reviewer, asset, above } of policy.reviewers) {
    if (asset === null) add(text('policy.reviewer.all', { reviewer }))
    else add(text('policy.reviewer', { reviewer, amount: amountWords(above, asset, chain) }))
  }
  for (const { asset, amount } of policy.refundLimits)
    add(text('policy.refund', { amount: amountWords(amount, asset, chain) }))
  if (policy.noDelegatecall) add(text('policy.noDelegatecall'))
  if (policy.recipientsOnly) add(text('policy.recipientsOnly', { count: policy.recipients.length }))
  return lines
}

/** An allow entry as a sentence, without its hashes. */
export function entryLine({ kind, name, selector }: AllowEntry): string {
  return text('policy.entry', { kind, name: showUntrusted(name, 60), selector: selector ?? '' })
}

/**
 * The version that a proposed one is compared with: the one that it names as its predecessor, when this browser has proven
 * it. What a server only says to be in force, or an older version, would hide lines of the proposed one.
 */
export function comparedWith(state: PolicyState, { previousHash }: TeamPolicy): TeamPolicy | null {
  return state.status === 'in-force' && state.isProven && state.hash === previousHash ? state.policy : null
}

/** A line that a version adds to the one before it, or leaves out. */
export type Difference = { kind: 'added' | 'removed'; sentence: string }

/** Lists the changes from one version to the next, line by line. */
export function differencesOf(next: TeamPolicy, before: TeamPolicy | null, chain: Chain | undefined): Difference[] {
  const linesOf = (policy: TeamPolicy | null) =>
    policy === null
      ? []
      : [
          ...policy.allowed.map((entry) => ({
            key: JSON.stringify(entry),
            sentence: `${entryLine(entry)} · ${entry.address}`,
          })),
          ...restrictionLines(policy, chain),
          ...policy.recipients.map((recipient) => ({
            key: recipient,
            sentence: text('policy.recipient', { recipient }),
          })),
        ]
  const [now, then] = [linesOf(next), linesOf(before)]
  const missing = (lines: typeof now, others: typeof now) =>
    lines.filter(({ key }) => !others.some((other) => other.key === key))
  return [
    ...missing(now, then).map(({ sentence }) => ({ kind: 'added' as const, sentence })),
    ...missing(then, now).map(({ sentence }) => ({ kind: 'removed' as const, sentence })),
  ]
}
