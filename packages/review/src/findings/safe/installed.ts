import { deploymentAt } from '@countersign/safe'
import type { Address } from 'viem'
import type { FindingId } from '../../catalogue.ts'
import type { SubjectInput } from '../../input.ts'
import { coverOf } from '../../policy/policy-cover.ts'
import type { AllowEntryKind } from '../../policy/team-policy.ts'
import type { Finding } from '../../types.ts'
import { codeAt, finding } from '../evidence.ts'

/**
 * Code that has a say in this Safe already, whatever is signed: modules move everything without a signature, guards
 * refuse everything, the handler says which messages are signed. It asks for nothing where a release or the team's policy knows it.
 */
export function reviewInstalled(input: SubjectInput): Finding[] {
  const { state } = input
  if (state === null) return []
  const findings = state.modules.map((module) => reviewCode('MODULE-INSTALLED', 'module', module, input))
  if (state.guard !== null) findings.push(reviewCode('GUARD-INSTALLED', 'guard', state.guard, input))
  if (state.moduleGuard !== null) {
    const found = reviewCode('GUARD-INSTALLED', 'guard', state.moduleGuard, input)
    findings.push({ ...found, evidence: { ...found.evidence, case: 'module' } })
  }
  const handler = state.fallbackHandler
  if (handler !== null && !isReleasedHandler(handler, input)) {
    findings.push(reviewCode('HANDLER-INSTALLED', 'handler', handler, input))
  }
  return findings
}

function reviewCode(id: FindingId, kind: AllowEntryKind, address: Address, input: SubjectInput): Finding {
  const codeHash = codeAt(input.installedCodes, address)?.codeHash
  const release = deploymentAt(address)
  // No release says the code of a module, so its address must do.
  const isReleased = release?.kind === 'module' || (release?.kind === 'handler' && codeHash === undefined)
  const { policy, installedCodes: codes, implementations } = input
  const allowed = policy?.status === 'in-force' && policy.lowersCritical ? policy.allowed : []
  const cover = coverOf(allowed, { kind, address, selector: null }, { codes, implementations })
  const version = typeof cover === 'object' && policy?.status === 'in-force' ? String(policy.policy.number) : null
  const evidence = { [kind]: address, codeHash, name: isReleased ? release.name : null, policy: version }
  return finding(id, isReleased || version !== null ? 'low' : 'high', evidence)
}

function isReleasedHandler(handler: Address, { installedCodes }: SubjectInput): boolean {
  const release = deploymentAt(handler)
  return release?.kind === 'handler' && codeAt(installedCodes, handler)?.codeHash === release.codeHash
}
