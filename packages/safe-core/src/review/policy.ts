import type { Address } from 'viem'
import type { Call } from '../calldata.ts'
import { evaluatePolicy } from '../policy/evaluate-policy.ts'
import type { PolicyState } from '../policy/policy-in-force.ts'
import { brokenMessageRules } from '../policy/policy-rules.ts'
import type { AllowEntryKind } from '../policy/team-policy.ts'
import { isSameAddress } from '../same-address.ts'
import type { CheckId, FindingId } from './catalogue.ts'
import { finding } from './findings/evidence.ts'
import type { MessageInput, ReviewInput, SubjectInput } from './input.ts'
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
  const { policy: state, safeAddress, content, state: safe, spent = [] } = input
  if (state?.status === 'rolled-back') return [...findings, rolledBack(state)]
  if (state?.status !== 'in-force') return [...findings]
  const message = { content, safeAddress, ...confirming(input), threshold: safe?.threshold ?? Number.POSITIVE_INFINITY }
  const broken = brokenMessageRules(state.policy, { spent, message })
  const policy = String(state.policy.number)
  return [
    ...findings,
    ...broken.map(({ rule, evidence }) => finding('POLICY-BROKEN', 'critical', { rule, ...evidence, policy })),
  ]
}

/** Names what is missing to apply the team's policy. */
export function missingOfPolicy({ policy, spent }: SubjectInput): [check: CheckId, what: string][] {
  if (policy?.status === 'unread') return [['policy', 'policy']]
  const limits = policy?.status === 'in-force' ? policy.policy.amountLimits.length : 0
  return limits > 0 && spent === undefined ? [['policy', 'spent']] : []
}

/** Owners whose confirmations it has, and the one that the account of an owner is about to give. */
function confirming({ state, account, confirmations }: SubjectInput): { confirmers: Address[] } {
  const isOwner = account !== null && (state?.owners ?? []).some((owner) => isSameAddress(owner, account))
  const confirmed = confirmations.map(({ owner }) => owner)
  const isNew = isOwner && !confirmed.some((owner) => isSameAddress(owner, account))
  return { confirmers: isNew ? [...confirmed, account] : confirmed }
}

function rolledBack({ why, seen, served }: Extract<PolicyState, { status: 'rolled-back' }>): Finding {
  const versions = { seen: seen && String(seen.number), served: served && String(served.number) }
  const hashes = { seenHash: seen?.hash, servedHash: served?.hash }
  return finding('POLICY-ROLLED-BACK', 'critical', { why, ...versions, ...hashes })
}

/**
 * The one place where the team's policy decides: it lowers what a valid version covers to medium, with the version in
 * `evidence.policy`, and adds a critical finding for each restriction that is broken and for a policy that was hidden or
 * rolled back.
 */
export function applyPolicy(findings: readonly Finding[], call: Call, input: ReviewInput): Finding[] {
  const { policy: state } = input
  if (state?.status === 'rolled-back') return [...findings, rolledBack(state)]
  if (state?.status !== 'in-force') return [...findings]
  const { safeAddress, safeTx, codes, implementations, state: safe, spent = [] } = input
  const threshold = safe?.threshold ?? Number.POSITIVE_INFINITY
  const { confirmers } = confirming(input)
  const transaction = { safeAddress, safeTx, call, codes, implementations, confirmers, threshold }
  const { covered, coversRefund, broken } = evaluatePolicy(state, transaction, spent)
  const policy = String(state.policy.number)
  const lowered = findings.map((finding): Finding => {
    const kind = coveredBy[finding.id]
    const path = finding.where.call?.join('.')
    const cover = covered.find(({ entry, call: at }) => entry.kind === kind && at.join('.') === path)
    const isCovered = cover !== undefined || (finding.id === 'GAS-REFUND' && coversRefund)
    if (!isCovered || (finding.severity !== 'critical' && finding.severity !== 'high')) return finding
    const evidence = { ...finding.evidence, ...(cover && { allowed: cover.entry.name }), policy }
    return { ...finding, severity: 'medium', evidence }
  })
  const ofRules = broken.map(({ rule, evidence, call: at }) =>
    finding('POLICY-BROKEN', 'critical', { rule, ...evidence, policy }, at === undefined ? {} : { call: at }),
  )
  return [...lowered, ...ofRules]
}
