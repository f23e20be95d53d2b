import { isSameAddress } from '@countersign/safe'
import type { Call } from '@countersign/safe/calls'
import { type Address, zeroAddress } from 'viem'
import { addressArgument, argument, functionName } from '../../call-arguments.ts'
import type { SafeConfiguration } from '../../types.ts'

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
  return { ...before, ...changes[functionName(call)]?.(before, call) }
}

/** The fields that a settings function changes; null when an argument is missing. */
type Change = (before: SafeConfiguration, call: Call) => Partial<SafeConfiguration> | null

const changes: Readonly<Record<string, Change>> = {
  addOwnerWithThreshold: (before, call) => {
    const owner = addressArgument(call, 'owner')
    const threshold = thresholdArgument(call, before.threshold)
    return owner && { owners: [owner, ...without(before.owners, owner)], threshold }
  },
  removeOwner: (before, call) => {
    const owner = addressArgument(call, 'owner')
    const threshold = thresholdArgument(call, before.threshold)
    return owner && { owners: without(before.owners, owner), threshold }
  },
  swapOwner: ({ owners }, call) => {
    const oldOwner = addressArgument(call, 'oldOwner')
    const newOwner = addressArgument(call, 'newOwner')
    if (oldOwner === null || newOwner === null) return null
    return { owners: owners.map((owner) => (isSameAddress(owner, oldOwner) ? newOwner : owner)) }
  },
  changeThreshold: ({ threshold }, call) => ({ threshold: thresholdArgument(call, threshold) }),
  enableModule: ({ modules }, call) => {
    const module = addressArgument(call, 'module')
    return module && { modules: [module, ...without(modules, module)] }
  },
  disableModule: ({ modules }, call) => {
    const module = addressArgument(call, 'module')
    return module && { modules: without(modules, module) }
  },
  setGuard: (_, call) => ({ guard: orNull(addressArgument(call, 'guard')) }),
  setModuleGuard: (_, call) => ({ moduleGuard: orNull(addressArgument(call, 'moduleGuard')) }),
  setFallbackHandler: (_, call) => ({ fallbackHandler: orNull(addressArgument(call, 'handler')) }),
  changeMasterCopy: ({ singleton }, call) => ({ singleton: addressArgument(call, 'masterCopy') ?? singleton }),
}
