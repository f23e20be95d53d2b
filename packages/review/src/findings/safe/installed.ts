import { deploymentAt } from '@countersign/safe'
import type { Address } from 'viem'
import type { Severity } from '../../catalogue.ts'
import type { SubjectInput } from '../../input.ts'
import { coverOf } from '../../policy/policy-cover.ts'
import type { AllowEntryKind } from '../../policy/team-policy.ts'
import type { Finding } from '../../types.ts'
import { codeAt, finding } from '../make-finding.ts'

/**
 * Code that has a say in this Safe already, whatever is signed: modules move everything without a signature, guards
 * refuse everything, the handler says which messages are signed. It asks for nothing where a release or the team's policy knows it.
 */
export function reviewInstalled(input: SubjectInput): Finding[] {
  const { state } = input
  if (state === null) return []
  const findings = state.modules.map((module) => {
    const { severity, about } = installedCode('module', module, input)
    return finding('MODULE-INSTALLED', severity, { module, ...about })
  })
  const { guard, moduleGuard, fallbackHandler: handler } = state
  if (guard !== null) {
    const { severity, about } = installedCode('guard', guard, input)
    findings.push(finding('GUARD-INSTALLED', severity, { guard, ...about }))
  }
  if (moduleGuard !== null) {
    const { severity, about } = installedCode('guard', moduleGuard, input)
    findings.push(finding('GUARD-INSTALLED', severity, { guard: moduleGuard, ...about, case: 'module' }))
  }
  if (handler !== null && !isReleasedHandler(handler, input)) {
    const { severity, about } = installedCode('handler', handler, input)
    findings.push(finding('HANDLER-INSTALLED', severity, { handler, ...about }))
  }
  return findings
}

/** Looks up installed code among the releases and in the team's policy. Code that neither contains needs an acknowledgement. */
function installedCode(kind: AllowEntryKind, address: Address, input: SubjectInput) {
  const codeHash = codeAt(input.installedCodes, address)?.codeHash
  const release = deploymentAt(address)
  // No release says the code of a module, so its address must do.
  const isReleased = release?.kind === 'module' || (release?.kind === 'handler' && codeHash === undefined)
  const { policy, installedCodes: codes, implementations } = input
  const allowed = policy?.status === 'in-force' && policy.lowersCritical ? policy.allowed : []
  const cover = coverOf(allowed, { kind, address, selector: null }, { codes, implementations })
  const version = typeof cover === 'object' && policy?.status === 'in-force' ? policy.policy.number : null
  const severity: Severity = isReleased || version !== null ? 'low' : 'high'
  return { severity, about: { codeHash, name: isReleased ? release.name : null, policy: version } }
}

function isReleasedHandler(handler: Address, { installedCodes }: SubjectInput): boolean {
  const release = deploymentAt(handler)
  return release?.kind === 'handler' && codeAt(installedCodes, handler)?.codeHash === release.codeHash
}
