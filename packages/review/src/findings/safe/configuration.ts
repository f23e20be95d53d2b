import { type Deployment, deploymentAt, domainVersion, isSameAddress, officialDeployment } from '@countersign/safe'
import type { Call } from '@countersign/safe/calls'
import type { Address } from 'viem'
import { addressArgument, functionName } from '../../call-arguments.ts'
import type { ReviewInput } from '../../input.ts'
import type { Finding, SafeConfiguration } from '../../types.ts'
import { delegatecallTarget } from '../calls/delegatecall.ts'
import { callFinding } from '../make-finding.ts'
import { afterSettings } from './after-settings.ts'
import { reviewChange } from './settings.ts'
import { settingsRefusal } from './settings-refusal.ts'

/** Picks the fields that decide about the Safe. */
function configurationOf(state: SafeConfiguration): SafeConfiguration {
  const { singleton, owners, threshold, modules, guard, moduleGuard, fallbackHandler } = state
  return { singleton, owners, threshold, modules, guard, moduleGuard, fallbackHandler }
}

/** The code that a Safe has after a migration library ran. The libraries carry their targets in their code. */
function migratedTo(call: Call): { singleton: Address | null; fallbackHandler: Address | null } {
  const library = deploymentAt(call.to)
  const name = functionName(call)
  if (library?.kind === 'l2-migration') {
    const [singleton, fallbackHandler] = ['l2Singleton', 'fallbackHandler'].map((target) =>
      addressArgument(call, target),
    )
    return { singleton: singleton ?? null, fallbackHandler: fallbackHandler ?? null }
  }
  const official = (kind: Deployment['kind']) =>
    library?.kind === 'migration' ? officialDeployment(kind, library.version, library.place) : null
  return {
    singleton: official(name.includes('L2') ? 'singleton-l2' : 'singleton')?.address ?? null,
    fallbackHandler: name.includes('FallbackHandler') ? (official('handler')?.address ?? null) : null,
  }
}

function afterMigration(before: SafeConfiguration, call: Call): SafeConfiguration {
  const { singleton, fallbackHandler } = migratedTo(call)
  return {
    ...before,
    singleton: singleton ?? before.singleton,
    fallbackHandler: fallbackHandler ?? before.fallbackHandler,
  }
}

function isMigration(call: Call, input: ReviewInput): boolean {
  if (call.operation === 0) return false
  const target = delegatecallTarget(call, input)
  if (target !== 'library' && target !== 'unread') return false
  const kind = deploymentAt(call.to)?.kind
  return kind === 'migration' || kind === 'l2-migration'
}

/** Follows the settings of the Safe through the calls, in the order in which they run. */
export function reviewConfiguration(call: Call, calls: readonly Call[], input: ReviewInput) {
  const safes = new Map<string, FollowedSafe | null>()
  const safeOf = (address: Address) => {
    const key = address.toLowerCase()
    const known = safes.get(key)
    if (known !== undefined) return known
    const followed = followSafe(address, input)
    safes.set(key, followed)
    return followed
  }
  const own = safeOf(input.safeAddress)
  const findings: Finding[] = []
  for (const inner of calls) {
    const isSettings = inner.kind === 'safe-settings'
    if (!isSettings && !isMigration(inner, input)) continue
    const safe = safeOf(inner.from)
    if (safe === null) {
      const { singleton } = migratedTo(inner)
      findings.push(...reviewChange({ call: inner, before: null, singleton, refusal: null }, input))
      continue
    }
    const before = safe.current
    const { guardAnswers } = input
    const context = { safeAddress: inner.from, version: safe.version, guardAnswers }
    const refusal = isSettings ? settingsRefusal(before, inner, context) : null
    // A change that the Safe refuses has no effect.
    if (refusal === null) safe.current = isSettings ? afterSettings(before, inner) : afterMigration(before, inner)
    findings.push(...reviewChange({ call: inner, before, singleton: safe.current.singleton, refusal }, input))
    safe.lastChange = inner
  }
  for (const safe of safes.values()) {
    if (safe === null) continue
    const { before, current, lastChange } = safe
    findings.push(...reviewOutcome(safe === own ? call : (lastChange ?? call), before, current, input, safe === own))
  }
  if (own === null) return { before: null, after: null, changed: false, findings }
  const changed = own.lastChange !== null && JSON.stringify(own.before) !== JSON.stringify(own.current)
  return { before: own.before, after: own.current, changed, findings }
}

/** A Safe whose settings are followed through the calls. */
type FollowedSafe = {
  version: string
  before: SafeConfiguration
  current: SafeConfiguration
  lastChange: Call | null
}

/** The Safe at the start; null where nobody has read it. */
function followSafe(address: Address, input: ReviewInput): FollowedSafe | null {
  const state = isSameAddress(address, input.safeAddress) ? input.state : input.otherSafes?.[address.toLowerCase()]
  if (state === null || state === undefined) return null
  const before = configurationOf(state)
  return { version: domainVersion(state), before, current: before, lastChange: null }
}

function isOneOfSeveral({ threshold, owners }: SafeConfiguration): boolean {
  return threshold === 1 && owners.length > 1
}

function needsEveryOwner({ threshold, owners }: SafeConfiguration): boolean {
  return threshold > 1 && threshold >= owners.length
}

function isOwner({ owners }: SafeConfiguration, account: Address): boolean {
  return owners.some((owner) => isSameAddress(owner, account))
}

/** The state of a Safe in the end, when its owners or its threshold change. */
function reviewOutcome(
  call: Call,
  before: SafeConfiguration,
  after: SafeConfiguration,
  input: ReviewInput,
  isOwn: boolean,
): Finding[] {
  const newOwners = after.owners.filter((owner) => !isOwner(before, owner))
  const isSame =
    before.threshold === after.threshold && before.owners.length === after.owners.length && newOwners.length === 0
  if (isSame) return []
  const evidence = {
    before: before.threshold,
    after: after.threshold,
    ownersBefore: before.owners.length,
    owners: after.owners.length,
    ...(isOwn ? {} : { safe: call.from }),
  }
  const findings: Finding[] = []
  if (after.threshold < before.threshold) findings.push(callFinding(call, 'THRESHOLD-DOWN', 'critical', evidence))
  if (isOneOfSeveral(after)) findings.push(callFinding(call, 'THRESHOLD-ONE', 'high', evidence))
  if (needsEveryOwner(after)) findings.push(callFinding(call, 'THRESHOLD-LOCK', 'high', evidence))
  // A name does not make a new owner less new.
  if (newOwners.length > 0 && newOwners.length >= after.threshold) {
    const newcomers = { ...evidence, newOwners }
    findings.push(callFinding(call, 'OWNER-QUORUM-UNKNOWN', 'critical', newcomers))
  }
  const { account } = input
  if (isOwn && account !== null && isOwner(before, account) && !isOwner(after, account))
    findings.push(callFinding(call, 'OWNER-SELF-REMOVED', 'high', { account }))
  return findings
}
