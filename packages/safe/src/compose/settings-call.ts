import { encodeFunctionData, type Hex, zeroAddress } from 'viem'
import { safeAbi } from '../abi/abi.ts'
import { isVersionBefore } from '../safe/safe-version.ts'
import { isSameAddress } from '../same-address.ts'
import type { IntentProblem, SettingsIntent } from './intent.ts'
import { type ComposedSettings, holds, isReserved, previousOf } from './settings-after.ts'

/** A Safe at one point of a draft. `version` decides which settings it has. */
export type SettingsContext = { settings: ComposedSettings; safeAddress: `0x${string}`; version: string }

/** Why a Safe would refuse a change of its settings, or why nobody can want it. Empty when nothing speaks against it. */
export function settingsProblems(intent: SettingsIntent, context: SettingsContext): IntentProblem[] {
  const { settings } = context
  const place = placesSince.get(intent.kind)
  if (place !== undefined && isVersionBefore(context.version, ...place.since))
    return [{ field: place.field, reason: 'needs-version', version: place.version }]
  const count = settings.owners.length
  switch (intent.kind) {
    case 'add-owner':
      return [...newOwnerProblems('owner', intent.owner, context), ...thresholdProblems(intent.threshold, count + 1)]
    case 'remove-owner':
      if (count === 1) return [{ field: 'owner', reason: 'last-owner' }]
      return [...ownerProblems(intent.owner, context), ...thresholdProblems(intent.threshold, count - 1)]
    case 'swap-owner':
      return [...ownerProblems(intent.owner, context), ...newOwnerProblems('newOwner', intent.newOwner, context)]
    case 'change-threshold':
      if (intent.threshold === settings.threshold) return [{ field: 'threshold', reason: 'unchanged' }]
      return thresholdProblems(intent.threshold, count)
    case 'enable-module':
      return newModuleProblems(intent.module, context)
    case 'disable-module':
      return holds(settings.modules, intent.module) ? [] : [{ field: 'module', reason: 'module-missing' }]
    case 'set-guard':
      return placeProblems('guard', intent.guard, settings.guard, context)
    case 'set-module-guard':
      return placeProblems('guard', intent.guard, settings.moduleGuard, context)
    case 'set-handler':
      return placeProblems('handler', intent.handler, settings.fallbackHandler, context)
  }
}

/** The first version with each place for a contract. */
const placesSince = new Map<SettingsIntent['kind'], { field: string; since: [number, number]; version: string }>([
  ['set-guard', { field: 'guard', since: [1, 3], version: '1.3.0' }],
  ['set-module-guard', { field: 'guard', since: [1, 5], version: '1.5.0' }],
  ['set-handler', { field: 'handler', since: [1, 1], version: '1.1.1' }],
])

/** The calldata of a change, which the Safe sends to itself. */
export function settingsData(intent: SettingsIntent, { owners, modules }: ComposedSettings): Hex {
  switch (intent.kind) {
    case 'add-owner':
      return encodeFunctionData({
        abi: safeAbi,
        functionName: 'addOwnerWithThreshold',
        args: [intent.owner, BigInt(intent.threshold)],
      })
    case 'remove-owner':
      return encodeFunctionData({
        abi: safeAbi,
        functionName: 'removeOwner',
        args: [previousOf(owners, intent.owner), intent.owner, BigInt(intent.threshold)],
      })
    case 'swap-owner':
      return encodeFunctionData({
        abi: safeAbi,
        functionName: 'swapOwner',
        args: [previousOf(owners, intent.owner), intent.owner, intent.newOwner],
      })
    case 'change-threshold':
      return encodeFunctionData({ abi: safeAbi, functionName: 'changeThreshold', args: [BigInt(intent.threshold)] })
    case 'enable-module':
      return encodeFunctionData({ abi: safeAbi, functionName: 'enableModule', args: [intent.module] })
    case 'disable-module':
      return encodeFunctionData({
        abi: safeAbi,
        functionName: 'disableModule',
        args: [previousOf(modules, intent.module), intent.module],
      })
    case 'set-guard':
      return encodeFunctionData({ abi: safeAbi, functionName: 'setGuard', args: [intent.guard ?? zeroAddress] })
    case 'set-module-guard':
      return encodeFunctionData({ abi: safeAbi, functionName: 'setModuleGuard', args: [intent.guard ?? zeroAddress] })
    case 'set-handler':
      return encodeFunctionData({
        abi: safeAbi,
        functionName: 'setFallbackHandler',
        args: [intent.handler ?? zeroAddress],
      })
  }
}

function newOwnerProblems(field: string, owner: `0x${string}`, { settings, safeAddress }: SettingsContext) {
  const problems: IntentProblem[] = []
  if (isReserved(owner)) problems.push({ field, reason: 'owner-reserved' })
  else if (isSameAddress(owner, safeAddress)) problems.push({ field, reason: 'safe-itself' })
  else if (holds(settings.owners, owner)) problems.push({ field, reason: 'owner-there' })
  return problems
}

function newModuleProblems(module: `0x${string}`, { settings, safeAddress }: SettingsContext): IntentProblem[] {
  if (isReserved(module)) return [{ field: 'module', reason: 'module-reserved' }]
  if (isSameAddress(module, safeAddress)) return [{ field: 'module', reason: 'safe-itself' }]
  return holds(settings.modules, module) ? [{ field: 'module', reason: 'module-there' }] : []
}

function ownerProblems(owner: `0x${string}`, { settings }: SettingsContext): IntentProblem[] {
  return holds(settings.owners, owner) ? [] : [{ field: 'owner', reason: 'owner-missing' }]
}

function thresholdProblems(threshold: number, owners: number): IntentProblem[] {
  if (!Number.isSafeInteger(threshold) || threshold < 1) return [{ field: 'threshold', reason: 'threshold-zero' }]
  return threshold > owners ? [{ field: 'threshold', reason: 'threshold-above-owners', owners }] : []
}

/** A guard or handler: none is given as null, and the address of the Safe itself would call it in a circle. */
function placeProblems(
  field: string,
  next: `0x${string}` | null,
  now: `0x${string}` | null,
  { safeAddress }: SettingsContext,
): IntentProblem[] {
  if (next === null) return now === null ? [{ field, reason: 'unchanged' }] : []
  if (isReserved(next)) return [{ field, reason: 'place-reserved' }]
  if (isSameAddress(next, safeAddress)) return [{ field, reason: 'safe-itself' }]
  return now !== null && isSameAddress(next, now) ? [{ field, reason: 'unchanged' }] : []
}
