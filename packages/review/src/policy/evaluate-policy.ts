import { isSameAddress } from '@countersign/safe'
import { type Call, flattenCalls } from '@countersign/safe/calls'
import { addressArgument, argumentAddresses, functionName } from '../call-arguments.ts'
import { coverOf, selectorOf } from './policy-cover.ts'
import { type BrokenRule, brokenRules, type RestrictedTransaction, refundCover } from './policy-rules.ts'
import type { PolicyStanding } from './policy-standing.ts'
import type { AllowEntry, AllowEntryKind, SpentAmount, TeamPolicy } from './team-policy.ts'

/** A policy applied to one transaction. */
export type PolicyEvaluation = {
  /** Entries that cover something in it, and the call of the tree where it is. */
  covered: { entry: AllowEntry; call: readonly number[] }[]
  /** Whether the refund that it pays is within the limit of the team. */
  coversRefund: boolean
  broken: BrokenRule[]
}

const powers: Record<string, [kind: AllowEntryKind, argument: string]> = {
  enableModule: ['module', 'module'],
  setFallbackHandler: ['handler', 'handler'],
  setGuard: ['guard', 'guard'],
}

/**
 * Evaluates a policy for one transaction: what it covers, and which of its restrictions the transaction breaks. It covers
 * the delegatecall, module, handler or guard of this Safe that an entry names, and never what is inside.
 *
 * @param inForce the policy with its standing, by `policyInForce` or `policyStanding`
 * @param spent for each limit of the policy; one that is missing counts as nothing spent
 * @example
 * const { covered, broken } = evaluatePolicy({ policy, ...policyStanding(policy, facts) }, transaction, spent)
 */
export function evaluatePolicy(
  { policy, allowed, lowersCritical }: { policy: TeamPolicy } & Pick<PolicyStanding, 'allowed' | 'lowersCritical'>,
  transaction: RestrictedTransaction,
  spent: readonly SpentAmount[],
): PolicyEvaluation {
  const { safeAddress } = transaction
  const covered = flattenCalls(transaction.call).flatMap((call) => {
    const isDelegatecall = call.operation !== 0
    const [kind, name] = isDelegatecall ? (['delegatecall', ''] as const) : (powers[functionName(call)] ?? [null, ''])
    const address = isDelegatecall ? call.to : addressArgument(call, name)
    const isOfSafe = isSameAddress(isDelegatecall ? call.from : call.to, safeAddress)
    if (kind === null || address === null || !isOfSafe || !lowersCritical) return []
    const selector = isDelegatecall ? selectorOf(call.data) : null
    const cover = coverOf(allowed, { kind, address, selector }, transaction)
    if (typeof cover !== 'object' || isReplaced(cover.entry, call, transaction.call)) return []
    return [{ entry: cover.entry, call: call.path }]
  })
  return {
    covered,
    coversRefund: lowersCritical && refundCover(policy, transaction) === 'within',
    broken: brokenRules(policy, { allowed, spent, transaction }),
  }
}

/** Calls that may give a proxy other code: those that say so, and those that nobody can read. */
function mayUpgrade({ family, source }: Call): boolean {
  return source !== 'built-in' || family === 'upgrade' || family === 'ownership'
}

/** Whether the same transaction may give a proxy other code, before or after this call: then the entry says nothing of it. */
function isReplaced({ address, implementation }: AllowEntry, covered: Call, root: Call): boolean {
  if (implementation === null) return false
  const parts = [address, implementation]
  return flattenCalls(root).some(
    (call) =>
      call !== covered &&
      call.operation === 0 &&
      mayUpgrade(call) &&
      [call.to, ...argumentAddresses(call)].some((named) => parts.some((part) => isSameAddress(named, part))),
  )
}
