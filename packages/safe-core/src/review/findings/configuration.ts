import { type Address, isAddressEqual, zeroAddress } from 'viem'
import { type Call, flattenCalls } from '../../calldata.ts'
import { deploymentAt, lookupDeployment, officialDeployment } from '../../deployments.ts'
import type { SafeState } from '../../safe-state.ts'
import type { Finding, ReviewInput, SafeConfiguration } from '../types.ts'
import { addressArgument, argument, callFinding, codeAt, delegatecallTarget } from './calls.ts'

/** What decides about the Safe, out of its whole state. */
export function configurationOf(state: SafeState): SafeConfiguration {
  const { singleton, owners, threshold, modules, guard, moduleGuard, fallbackHandler } = state
  return { singleton, owners, threshold, modules, guard, moduleGuard, fallbackHandler }
}

function without(list: readonly Address[], address: Address): Address[] {
  return list.filter((one) => !isAddressEqual(one, address))
}

function orNull(address: Address | null): Address | null {
  return address === null || isAddressEqual(address, zeroAddress) ? null : address
}

function thresholdArgument(call: Call, before: number): number {
  const value = argument(call, 'threshold')
  return value === null ? before : Number(value)
}

/** The configuration after a settings call. The Safe puts new owners and modules at the front of its lists. */
function afterSettings(before: SafeConfiguration, call: Call): SafeConfiguration {
  const owner = addressArgument(call, 'owner')
  const module = addressArgument(call, 'module')
  switch (call.name?.split('(')[0]) {
    case 'addOwnerWithThreshold':
      return owner === null
        ? before
        : {
            ...before,
            owners: [owner, ...without(before.owners, owner)],
            threshold: thresholdArgument(call, before.threshold),
          }
    case 'removeOwner':
      return owner === null
        ? before
        : { ...before, owners: without(before.owners, owner), threshold: thresholdArgument(call, before.threshold) }
    case 'swapOwner': {
      const oldOwner = addressArgument(call, 'oldOwner')
      const newOwner = addressArgument(call, 'newOwner')
      if (oldOwner === null || newOwner === null) return before
      return { ...before, owners: before.owners.map((one) => (isAddressEqual(one, oldOwner) ? newOwner : one)) }
    }
    case 'changeThreshold':
      return { ...before, threshold: thresholdArgument(call, before.threshold) }
    case 'enableModule':
      return module === null ? before : { ...before, modules: [module, ...without(before.modules, module)] }
    case 'disableModule':
      return module === null ? before : { ...before, modules: without(before.modules, module) }
    case 'setGuard':
      return { ...before, guard: orNull(addressArgument(call, 'guard')) }
    case 'setModuleGuard':
      return { ...before, moduleGuard: orNull(addressArgument(call, 'moduleGuard')) }
    case 'setFallbackHandler':
      return { ...before, fallbackHandler: orNull(addressArgument(call, 'handler')) }
    case 'changeMasterCopy':
      return { ...before, singleton: addressArgument(call, 'masterCopy') ?? before.singleton }
    default:
      return before
  }
}

/** The configuration after a migration library ran. The libraries carry their targets in their code. */
function afterMigration(before: SafeConfiguration, call: Call): SafeConfiguration {
  const library = deploymentAt(call.to)
  const name = call.name?.split('(')[0] ?? ''
  if (library?.kind === 'l2-migration') {
    return {
      ...before,
      singleton: addressArgument(call, 'l2Singleton') ?? before.singleton,
      fallbackHandler: addressArgument(call, 'fallbackHandler') ?? before.fallbackHandler,
    }
  }
  if (library?.kind !== 'migration') return before
  const kind = name.includes('L2') ? 'singleton-l2' : 'singleton'
  const singleton = officialDeployment(kind, library.version, library.place)
  const handler = name.includes('FallbackHandler')
    ? officialDeployment('handler', library.version, library.place)
    : null
  return {
    ...before,
    singleton: singleton?.address ?? before.singleton,
    fallbackHandler: handler?.address ?? before.fallbackHandler,
  }
}

/** One settings call; `before` and `after` are null for a Safe other than the one under review. */
type Change = { call: Call; before: SafeConfiguration | null; after: SafeConfiguration | null }

function isMigration(call: Call, input: ReviewInput): boolean {
  if (call.operation === 0 || delegatecallTarget(call, input.codes) === 'unknown') return false
  const kind = deploymentAt(call.to)?.kind
  return kind === 'migration' || kind === 'l2-migration'
}

/** Follows the settings of the Safe through the call tree, in the order in which the calls run. */
export function reviewConfiguration(call: Call, input: ReviewInput) {
  const before = input.state === null ? null : configurationOf(input.state)
  let current = before
  const changes: Change[] = []
  for (const one of flattenCalls(call)) {
    const isSettings = one.kind === 'safe-settings'
    if (!isSettings && !isMigration(one, input)) continue
    if (!isAddressEqual(one.from, input.safeAddress) || current === null) {
      changes.push({ call: one, before: null, after: null })
      continue
    }
    const after: SafeConfiguration = isSettings ? afterSettings(current, one) : afterMigration(current, one)
    changes.push({ call: one, before: current, after })
    current = after
  }
  const findings = changes.flatMap((change) => reviewChange(change, input))
  if (before === null || current === null) return { before: null, after: null, changed: false, findings }
  return {
    before,
    after: current,
    changed: changes.length > 0 && JSON.stringify(before) !== JSON.stringify(current),
    findings: [...findings, ...reviewOutcome(call, before, current, input)],
  }
}

function reviewChange({ call, before, after }: Change, input: ReviewInput): Finding[] {
  if (call.operation !== 0)
    return reviewSingleton(call, after?.singleton ?? addressArgument(call, 'l2Singleton'), input)
  const safe = { safe: call.to }
  switch (call.name?.split('(')[0]) {
    case 'addOwnerWithThreshold': {
      const evidence = { ...safe, owner: argument(call, 'owner'), threshold: argument(call, 'threshold') }
      return [callFinding(call, 'OWNER-ADD', 'high', evidence), ...foreignThreshold(call, before)]
    }
    case 'removeOwner': {
      const evidence = { ...safe, owner: argument(call, 'owner'), threshold: argument(call, 'threshold') }
      return [callFinding(call, 'OWNER-REMOVE', 'high', evidence), ...foreignThreshold(call, before)]
    }
    case 'swapOwner':
      return [
        callFinding(call, 'OWNER-SWAP', 'high', {
          ...safe,
          oldOwner: argument(call, 'oldOwner'),
          newOwner: argument(call, 'newOwner'),
        }),
      ]
    case 'changeThreshold':
      return foreignThreshold(call, before)
    case 'enableModule':
      return [callFinding(call, 'MODULE-ENABLE', 'critical', { ...safe, module: argument(call, 'module') })]
    case 'disableModule':
      return [callFinding(call, 'MODULE-DISABLE', 'medium', { ...safe, module: argument(call, 'module') })]
    case 'setGuard':
      return [reviewGuard(call, before, input)]
    case 'setModuleGuard':
      return [
        callFinding(call, 'MODGUARD-CHANGE', 'high', {
          ...safe,
          before: before?.moduleGuard ?? null,
          after: argument(call, 'moduleGuard'),
        }),
      ]
    case 'setFallbackHandler':
      return reviewHandler(call, input)
    case 'setDomainVerifier':
    case 'setSafeMethod':
      return [callFinding(call, 'DOMAIN-VERIFIER', 'critical', { ...safe, function: call.name })]
    case 'changeMasterCopy':
      return reviewSingleton(call, addressArgument(call, 'masterCopy'), input)
    default:
      return []
  }
}

/** The threshold of another Safe may fall by this: what it is now is not known here. */
function foreignThreshold(call: Call, before: SafeConfiguration | null): Finding[] {
  if (before !== null) return []
  return [callFinding(call, 'THRESHOLD-DOWN', 'critical', { safe: call.to, after: argument(call, 'threshold') })]
}

function reviewGuard(call: Call, before: SafeConfiguration | null, input: ReviewInput): Finding {
  const guard = addressArgument(call, 'guard')
  const evidence = { safe: call.to, before: before?.guard ?? null, guard }
  if (orNull(guard) === null) return callFinding(call, 'GUARD-REMOVE', 'high', evidence)
  const hasNoCode = guard !== null && codeAt(input.codes, guard)?.size === 0
  return callFinding(call, 'GUARD-SET', hasNoCode ? 'critical' : 'high', evidence)
}

function reviewHandler(call: Call, input: ReviewInput): Finding[] {
  const handler = addressArgument(call, 'handler')
  const evidence = { safe: call.to, handler }
  if (handler === null || orNull(handler) === null) return [callFinding(call, 'HANDLER-ZERO', 'medium', evidence)]
  const code = codeAt(input.codes, handler)
  const isKnown =
    deploymentAt(handler)?.kind === 'handler' &&
    (code === undefined || lookupDeployment(handler, code.codeHash) !== null)
  return isKnown ? [] : [callFinding(call, 'HANDLER-UNKNOWN', 'critical', evidence)]
}

function reviewSingleton(call: Call, singleton: Address | null, input: ReviewInput): Finding[] {
  const findings: Finding[] = []
  const code = singleton === null ? undefined : codeAt(input.codes, singleton)
  const deployment = singleton === null ? null : deploymentAt(singleton)
  const isOfficial =
    (deployment?.kind === 'singleton' || deployment?.kind === 'singleton-l2') &&
    (code === undefined || code.codeHash === deployment.codeHash)
  findings.push(
    callFinding(call, 'SLOT0-CHANGE', isOfficial ? 'high' : 'critical', {
      before: input.state?.singleton ?? null,
      after: singleton,
      version: isOfficial ? deployment.version : null,
    }),
  )
  const handler = addressArgument(call, 'fallbackHandler')
  if (handler !== null && deploymentAt(handler)?.kind !== 'handler') {
    findings.push(callFinding(call, 'HANDLER-UNKNOWN', 'critical', { handler }))
  }
  return findings
}

/** What the Safe is like in the end, when its owners or its threshold change. */
function reviewOutcome(call: Call, before: SafeConfiguration, after: SafeConfiguration, input: ReviewInput): Finding[] {
  const newOwners = after.owners.filter((owner) => !before.owners.some((one) => isAddressEqual(one, owner)))
  const isSame =
    before.threshold === after.threshold && before.owners.length === after.owners.length && newOwners.length === 0
  if (isSame) return []
  const evidence = {
    before: String(before.threshold),
    after: String(after.threshold),
    ownersBefore: String(before.owners.length),
    owners: String(after.owners.length),
  }
  const findings: Finding[] = []
  if (after.threshold < before.threshold) findings.push(callFinding(call, 'THRESHOLD-DOWN', 'critical', evidence))
  if (after.threshold === 1 && after.owners.length > 1)
    findings.push(callFinding(call, 'THRESHOLD-ONE', 'high', evidence))
  if (after.threshold > 1 && after.threshold >= after.owners.length) {
    findings.push(callFinding(call, 'THRESHOLD-LOCK', 'high', evidence))
  }
  if (newOwners.length >= after.threshold) {
    findings.push(
      callFinding(call, 'OWNER-QUORUM-UNKNOWN', 'critical', { ...evidence, newOwners: newOwners.join(', ') }),
    )
  }
  const { account } = input
  const isOwner = (owners: readonly Address[]) => account !== null && owners.some((one) => isAddressEqual(one, account))
  if (isOwner(before.owners) && !isOwner(after.owners)) {
    findings.push(callFinding(call, 'OWNER-SELF-REMOVED', 'high', { account }))
  }
  return findings
}
