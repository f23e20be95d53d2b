import { isSameAddress } from '@countersign/safe'
import type { Call } from '@countersign/safe/calls'
import { type Address, zeroAddress } from 'viem'
import type { SafeConfiguration } from '../../types.ts'
import { addressArgument, argument, functionName } from '../evidence.ts'

function without(list: readonly Address[], address: Address): Address[] {
  return list.filter((item) => !isSameAddress(item, address))
}

function orNull(address: Address | null): Address | null {
  return address === null || isSameAddress(address, zeroAddress) ? null : address
}

function thresholdArgument(call: Call, before: number): number {
  const value = argument(call, 'threshold')
  return value === null ? before : Number(value)
}

/** The configuration after a settings call. The Safe puts new owners and modules at the front of its lists. */
export function afterSettings(before: SafeConfiguration, call: Call): SafeConfiguration {
  const owner = addressArgument(call, 'owner')
  const module = addressArgument(call, 'module')
  const threshold = thresholdArgument(call, before.threshold)
  switch (functionName(call)) {
    case 'addOwnerWithThreshold':
      return owner === null ? before : { ...before, owners: [owner, ...without(before.owners, owner)], threshold }
    case 'removeOwner':
      return owner === null ? before : { ...before, owners: without(before.owners, owner), threshold }
    case 'swapOwner': {
      const oldOwner = addressArgument(call, 'oldOwner')
      const newOwner = addressArgument(call, 'newOwner')
      if (oldOwner === null || newOwner === null) return before
      return { ...before, owners: before.owners.map((owner) => (isSameAddress(owner, oldOwner) ? newOwner : owner)) }
    }
    case 'changeThreshold':
      return { ...before, threshold }
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
