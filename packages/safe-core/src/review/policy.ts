import type { Call } from '../calldata.ts'
import { evaluatePolicy } from '../policy/evaluate-policy.ts'
import type { AllowEntryKind } from '../policy/team-policy.ts'
import { isSameAddress } from '../same-address.ts'
import type { FindingId } from './catalogue.ts'
import { finding } from './findings/evidence.ts'
import type { ReviewInput } from './input.ts'
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
 * The one place where the team's policy decides: it lowers what a valid version covers to medium, with the version in
 * `evidence.policy`, and adds a critical finding for each restriction that is broken and for a policy that was hidden or
 * rolled back.
 */
export function applyPolicy(findings: readonly Finding[], call: Call, input: ReviewInput): Finding[] {
  const { policy: state } = input
  if (state?.status === 'rolled-back') {
    const { why, seen, served } = state
    const versions = { seen: seen && String(seen.number), served: served && String(served.number) }
    const hashes = { seenHash: seen?.hash, servedHash: served?.hash }
    return [...findings, finding('POLICY-ROLLED-BACK', 'critical', { why, ...versions, ...hashes })]
  }
  if (state?.status !== 'in-force') return [...findings]
  const { safeAddress, safeTx, codes, implementations, state: safe, account, spent = [] } = input
  const threshold = safe?.threshold ?? Number.POSITIVE_INFINITY
  const isOwner = account !== null && (safe?.owners ?? []).some((owner) => isSameAddress(owner, account))
  const confirmed = input.confirmations.map(({ owner }) => owner)
  const isNew = isOwner && !confirmed.some((owner) => isSameAddress(owner, account))
  const confirmers = isNew ? [...confirmed, account] : confirmed
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
