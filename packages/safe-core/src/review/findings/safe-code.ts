import { deploymentAt } from '../../deployments.ts'
import { domainVersion, type SafeState } from '../../safe-state.ts'
import { hashSafeDomain } from '../../safe-tx.ts'
import { isVersionBefore } from '../../safe-version.ts'
import type { Finding, ReviewInput } from '../types.ts'
import { finding } from './evidence.ts'

const SINGLETON_SLOT = `0x${'00'.repeat(32)}` as const
/** `domainSeparator` of Safe 0.1.0 to 1.2.0: written at setup, and any delegatecall can write it again. */
const DOMAIN_SLOT = `0x${'06'.padStart(64, '0')}` as const

/** Whether signatures are bound to one chain by the version itself (from 1.3.0). */
export function isBoundToChain(version: string): boolean {
  return !isVersionBefore(version, 1, 3)
}

/** Whether the Safe runs official code, and says so. */
export function reviewSafeCode(input: ReviewInput): Finding[] {
  return input.state === null ? [] : [...reviewRelease(input.state), ...reviewDomain(input)]
}

/** The same without what a signature is bound to. */
export function reviewRelease(state: SafeState): Finding[] {
  const { singleton, singletonCodeHash: codeHash, version, reportedVersion } = state
  const findings: Finding[] = []
  const deployment = deploymentAt(singleton)
  if (version === null) {
    const isKnownAddress = deployment !== null && deployment.codeHash !== codeHash
    const evidence = { singleton, codeHash, reported: reportedVersion }
    findings.push(
      isKnownAddress
        ? finding('SINGLETON-CODEHASH', 'critical', evidence, { slot: SINGLETON_SLOT })
        : finding('SINGLETON-UNKNOWN', 'high', evidence, { slot: SINGLETON_SLOT }),
    )
  } else if (reportedVersion !== null && reportedVersion !== version.replace('+L2', '')) {
    findings.push(finding('VERSION-LIES', 'critical', { version, reported: reportedVersion }, { slot: SINGLETON_SLOT }))
  }
  if (state.isOfficialProxy === false) {
    findings.push(finding('PROXY-UNKNOWN', 'high', { codeHash: state.proxyCodeHash }))
  }
  if (version !== null && !isBoundToChain(version))
    findings.push(finding('VERSION-OLD', 'medium', { version }, { slot: SINGLETON_SLOT }))
  return findings
}

/** Before 1.3.0 the chain is not part of what is signed, and the domain separator is a value that can be altered. */
function reviewDomain({ state, chainId, safeAddress, storedDomainHash, otherChains = [] }: ReviewInput): Finding[] {
  if (state === null) return []
  const version = domainVersion(state)
  if (isBoundToChain(version)) return []
  const findings: Finding[] = []
  const computed = hashSafeDomain({ chainId, safeAddress, version })
  if (typeof storedDomainHash === 'string' && storedDomainHash.toLowerCase() !== computed) {
    const evidence = { computed, chain: storedDomainHash }
    findings.push(finding('DOMAIN-SLOT', 'critical', evidence, { slot: DOMAIN_SLOT }))
  }
  const replayable = otherChains.filter((other) => other.chainId !== chainId && other.hasCode === true)
  if (replayable.length > 0) {
    const chains = replayable.map((other) => other.chainId).join(', ')
    findings.push(finding('REPLAY-CHAIN', 'high', { version, chains }, { field: 'chainId' }))
  }
  return findings
}
