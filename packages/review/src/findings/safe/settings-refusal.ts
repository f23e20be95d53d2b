import { isSameAddress, isVersionBefore } from '@countersign/safe'
import type { Call } from '@countersign/safe/calls'
import { type Address, zeroAddress } from 'viem'
import type { ReviewInput } from '../../input.ts'
import type { SafeConfiguration } from '../../types.ts'
import { addressArgument, argument, functionName } from '../evidence.ts'

/** Start and end of the linked lists in OwnerManager and ModuleManager. */
const SENTINEL: Address = '0x0000000000000000000000000000000000000001'

type Context = { safeAddress: Address; version: string } & Pick<ReviewInput, 'guardAnswers'>

/**
 * Why the Safe would refuse a settings call, by the `require` lines of its managers, as the code that 1.3.0 and later
 * report (earlier versions say it in words). Null when nothing speaks against it.
 */
export function settingsRefusal(before: SafeConfiguration, call: Call, context: Context): string | null {
  const count = before.owners.length
  const threshold = argument(call, 'threshold')
  const owner = addressArgument(call, 'owner')
  switch (functionName(call)) {
    case 'addOwnerWithThreshold':
      return refuseNewOwner(before, owner, context) ?? refuseThreshold(before, threshold, count + 1)
    case 'removeOwner':
      if (threshold !== null && BigInt(threshold) > BigInt(count - 1)) return 'GS201'
      if (owner === null || isReserved(owner)) return 'GS203'
      if (!isLinked(before.owners, addressArgument(call, 'prevOwner'), owner)) return 'GS205'
      return refuseThreshold(before, threshold, count - 1)
    case 'swapOwner': {
      const oldOwner = addressArgument(call, 'oldOwner')
      const refused = refuseNewOwner(before, addressArgument(call, 'newOwner'), context)
      if (refused !== null) return refused
      if (oldOwner === null || isReserved(oldOwner)) return 'GS203'
      return isLinked(before.owners, addressArgument(call, 'prevOwner'), oldOwner) ? null : 'GS205'
    }
    case 'changeThreshold':
      return refuseThreshold(null, threshold, count)
    case 'enableModule': {
      const module = addressArgument(call, 'module')
      if (module === null || isReserved(module)) return 'GS101'
      return has(before.modules, module) ? 'GS102' : null
    }
    case 'disableModule': {
      const module = addressArgument(call, 'module')
      if (module === null || isReserved(module)) return 'GS101'
      return isLinked(before.modules, addressArgument(call, 'prevModule'), module) ? null : 'GS103'
    }
    case 'setGuard':
      return !isVersionBefore(context.version, 1, 4) && isNoGuard(addressArgument(call, 'guard'), context)
        ? 'GS300'
        : null
    case 'setModuleGuard':
      return isNoGuard(addressArgument(call, 'moduleGuard'), context) ? 'GS301' : null
    case 'setFallbackHandler': {
      const handler = addressArgument(call, 'handler')
      const isChecked = !isVersionBefore(context.version, 1, 4)
      return isChecked && handler !== null && isSameAddress(handler, context.safeAddress) ? 'GS400' : null
    }
    default:
      return null
  }
}

/** Whether it was asked by ERC-165 and is none. Zero removes the guard, and is not asked. */
function isNoGuard(guard: Address | null, { guardAnswers = {} }: Context): boolean {
  return guard !== null && !isSameAddress(guard, zeroAddress) && guardAnswers[guard.toLowerCase()] === false
}

function has(list: readonly Address[], address: Address): boolean {
  return list.some((item) => isSameAddress(item, address))
}

function isReserved(address: Address): boolean {
  return isSameAddress(address, zeroAddress) || isSameAddress(address, SENTINEL)
}

function refuseNewOwner(before: SafeConfiguration, owner: Address | null, { safeAddress }: Context): string | null {
  if (owner === null || isReserved(owner) || isSameAddress(owner, safeAddress)) return 'GS203'
  return has(before.owners, owner) ? 'GS204' : null
}

/** The threshold is only looked at when it changes; `before` null means always. */
function refuseThreshold(before: SafeConfiguration | null, threshold: string | null, owners: number): string | null {
  if (threshold === null) return null
  const value = BigInt(threshold)
  if (before !== null && value === BigInt(before.threshold)) return null
  if (value > BigInt(owners)) return 'GS201'
  return value === 0n ? 'GS202' : null
}

/** Whether `address` stands right behind `previous` in the list, as it is on the chain. */
function isLinked(list: readonly Address[], previous: Address | null, address: Address): boolean {
  const at = list.findIndex((item) => isSameAddress(item, address))
  if (at < 0 || previous === null) return false
  return isSameAddress(list[at - 1] ?? SENTINEL, previous)
}
