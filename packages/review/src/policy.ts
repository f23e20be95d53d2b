import { isSameAddress } from '@countersign/safe'
import type { Call } from '@countersign/safe/calls'
import type { Address } from 'viem'
import type { CheckId, FindingId } from './catalogue.ts'
import { isCollection, isErc20 } from './findings/assets/tokens.ts'
import { finding, withEvidence } from './findings/make-finding.ts'
import { executedRun } from './findings/simulation/finished.ts'
import type { MessageInput, ReviewInput, SubjectInput } from './input.ts'
import { evaluatePolicy } from './policy/evaluate-policy.ts'
import { outflowsOfMessage } from './policy/message-outflows.ts'
import type { PolicyState } from './policy/policy-in-force.ts'
import { outflowsOf, type PayingSafe } from './policy/policy-outflows.ts'
import { brokenMessageRules, isNeverRestricted } from './policy/policy-rules.ts'
import { type AssetAmounts, amountOf } from './policy/queued-amounts.ts'
import { spentAmounts } from './policy/spent-amounts.ts'
import type { AllowEntryKind } from './policy/team-policy.ts'
import { describeTransaction } from './targets.ts'
import type { Finding } from './types.ts'

/** The findings that an allow entry of each kind covers. What is found inside a call keeps its severity. */
const coveredBy: Partial<Record<FindingId, AllowEntryKind>> = {
  'DC-UNKNOWN': 'delegatecall',
  'DC-WRONG-SELECTOR': 'delegatecall',
  'MODULE-ENABLE': 'module',
  'HANDLER-UNKNOWN': 'handler',
  'GUARD-SET': 'guard',
}

/**
 * Applies the team's policy to a message: a critical finding for each restriction that is broken, and for a policy that
 * was hidden or rolled back. It lowers nothing.
 */
export function applyPolicyToMessage(findings: readonly Finding[], input: MessageInput): Finding[] {
  const { policy: state, safeAddress, content, state: safe } = input
  if (state?.status === 'rolled-back') return [...findings, rolledBack(state)]
  if (state?.status !== 'in-force') return [...findings]
  const message = { content, safeAddress, ...confirming(input), threshold: safe?.threshold ?? Number.POSITIVE_INFINITY }
  const broken = brokenMessageRules(state.policy, { spent: sumsOf(input), message })
  const policy = state.policy.number
  return [
    ...findings,
    ...broken.map(({ rule, evidence }) => finding('POLICY-BROKEN', 'critical', { rule, ...evidence, policy })),
  ]
}

/**
 * Whether a transaction waits for no policy that is hidden or was not read: restrictions never block it, so that whoever hides
 * them blocks no cancellation either.
 */
export function isFreeOfPolicy(call: Call, { policy, safeAddress, safeTx }: ReviewInput): boolean {
  return policy?.status !== 'in-force' && isNeverRestricted({ safeAddress, safeTx, call })
}

/** Names what is missing to apply the team's policy. */
export function missingOfPolicy(input: SubjectInput): [check: CheckId, what: string][] {
  const { policy, spent } = input
  if (policy?.status === 'unread') return [['policy', 'policy']]
  const limits = policy?.status === 'in-force' ? policy.policy.amountLimits.length : 0
  if (limits === 0) return []
  if (spent === undefined) return [['policy', 'spent']]
  const outflows = limitedOutflows(input)
  const isUnknown = sumsOf(input).some(({ asset, isOwn }) => !isOwn && amountOf(outflows, asset) > 0n)
  return isUnknown ? [['policy', 'executedAmounts']] : []
}

/** Adds up what counts against a limit: nothing of what restrictions never block. */
function limitedOutflows(input: SubjectInput): AssetAmounts {
  const { safeAddress } = input
  if (input.kind === 'message') return outflowsOfMessage(input.content, safeAddress).amounts
  if (input.kind === 'creation') return new Map()
  const { safeTx } = input
  const call = describeTransaction(input)
  if (isNeverRestricted({ safeAddress, safeTx, call })) return new Map()
  const { amounts } = outflowsOf(call, safeTx, payingSafe(input), (contract) => isErc20(contract, input))
  return new Map([...amounts, ...movedByRun(input)])
}

/** Coin and tokens that the run takes out of the Safe. */
function movedByRun(input: ReviewInput): AssetAmounts {
  return new Map(
    (executedRun(input)?.balances ?? []).flatMap(({ account, token, standard, before, after }) => {
      const isCounted = isSameAddress(account, input.safeAddress) && (standard === 'native' || standard === 'erc20')
      if (!isCounted || before === null || after === null || after >= before) return []
      return [[token.toLowerCase(), before - after] as const]
    }),
  )
}

function sumsOf(input: SubjectInput) {
  const { policy, spent = [], executedAmounts = [] } = input
  if (policy?.status !== 'in-force') return []
  return spentAmounts(policy.policy.amountLimits, { said: spent, executed: executedAmounts, safe: payingSafe(input) })
}

function payingSafe({ safeAddress, state }: SubjectInput): PayingSafe {
  return { safeAddress, version: state?.version ?? null }
}

/** Owners whose confirmations it has, and the one that the account of an owner is about to give. */
function confirming({ state, account, confirmations }: SubjectInput): { confirmers: Address[] } {
  const isOwner = account !== null && (state?.owners ?? []).some((owner) => isSameAddress(owner, account))
  const confirmed = confirmations.map(({ owner }) => owner)
  const isNew = isOwner && !confirmed.some((owner) => isSameAddress(owner, account))
  return { confirmers: isNew ? [...confirmed, account] : confirmed }
}

function rolledBack(
  { why, seen, served }: Extract<PolicyState, { status: 'rolled-back' }>,
  severity: 'critical' | 'medium' = 'critical',
): Finding {
  const versions = { seen: seen?.number, served: served?.number }
  const hashes = { seenHash: seen?.hash, servedHash: served?.hash }
  return finding('POLICY-ROLLED-BACK', severity, { why, ...versions, ...hashes })
}

/**
 * The one place where the team's policy decides: it lowers what a valid version covers to medium, with the version in
 * `evidence.policy`, and adds a critical finding for each restriction that is broken and for a policy that was hidden or
 * rolled back.
 */
export function applyPolicy(findings: readonly Finding[], call: Call, input: ReviewInput): Finding[] {
  const { policy: state } = input
  if (state?.status === 'rolled-back')
    return [...findings, rolledBack(state, isFreeOfPolicy(call, input) ? 'medium' : 'critical')]
  if (state?.status !== 'in-force') return [...findings]
  const { safeTx, codes, implementations, state: safe } = input
  const threshold = safe?.threshold ?? Number.POSITIVE_INFINITY
  const { confirmers } = confirming(input)
  const moved = movedByRun(input)
  const mayBeCollection = (to: Address) => isCollection({ to }, input) !== false
  const isToken = (contract: Address) => isErc20(contract, input)
  const contracts = { codes, implementations, mayBeCollection, isToken }
  const transaction = { ...payingSafe(input), safeTx, call, ...contracts, confirmers, threshold, moved }
  const { covered, coversRefund, broken } = evaluatePolicy(state, transaction, sumsOf(input))
  const policy = state.policy.number
  const lowered = findings.map((finding): Finding => {
    const kind = coveredBy[finding.id]
    const path = finding.where.call?.join('.')
    const cover = covered.find(({ entry, call: at }) => entry.kind === kind && at.join('.') === path)
    const isCovered = cover !== undefined || (finding.id === 'GAS-REFUND' && coversRefund)
    if (!isCovered || (finding.severity !== 'critical' && finding.severity !== 'high')) return finding
    const lower = withEvidence(finding, cover === undefined ? { policy } : { allowed: cover.entry.name, policy })
    return { ...lower, severity: 'medium' }
  })
  const ofRules = broken.map(({ rule, evidence, call: at }) =>
    finding('POLICY-BROKEN', 'critical', { rule, ...evidence, policy }, at === undefined ? {} : { call: at }),
  )
  return [...lowered, ...ofRules]
}
