import { isSameAddress, isVersionBefore } from '@countersign/safe'
import type { Call } from '@countersign/safe/calls'
import { type Address, zeroAddress } from 'viem'
import { addressArgument, argument, functionName } from '../../call-arguments.ts'
import type { ReviewInput } from '../../input.ts'
import type { SafeConfiguration } from '../../types.ts'

/** Start and end of the linked lists in OwnerManager and ModuleManager. */
const SENTINEL: Address = '0x0000000000000000000000000000000000000001'

type Context = { safeAddress: Address; version: string } & Pick<ReviewInput, 'guardAnswers'>

/**
 * Why the Safe would refuse a settings call, by the `require` lines of its managers, as the code that 1.3.0 and later
 * report (earlier versions say it in words). Null when nothing speaks against it.
 */
export function settingsRefusal(before: SafeConfiguration, call: Call, context: Context): string | null {
  return refusals[functionName(call)]?.(before, call, context) ?? null
}

type Refusal = (before: SafeConfiguration, call: Call, context: Context) => string | null

const refusals: Readonly<Record<string, Refusal>> = {
  addOwnerWithThreshold: (before, call, context) =>
    refuseNewOwner(before, addressArgument(call, 'owner'), context) ??
    refuseThreshold(before, argument(call, 'threshold'), before.owners.length + 1),
  removeOwner: (before, call) => {
    const left = before.owners.length - 1
    const threshold = argument(call, 'threshold')
    if (threshold !== null && BigInt(threshold) > BigInt(left)) return 'GS201'
    return refuseOldOwner(before, call, 'owner') ?? refuseThreshold(before, threshold, left)
  },
  swapOwner: (before, call, context) =>
    refuseNewOwner(before, addressArgument(call, 'newOwner'), context) ?? refuseOldOwner(before, call, 'oldOwner'),
  changeThreshold: ({ owners }, call) => refuseThreshold(null, argument(call, 'threshold'), owners.length),
  enableModule: ({ modules }, call) => {
    const module = addressArgument(call, 'module')
    if (module === null || isReserved(module)) return 'GS101'
    return has(modules, module) ? 'GS102' : null
  },
  disableModule: ({ modules }, call) => {
    const module = addressArgument(call, 'module')
    if (module === null || isReserved(module)) return 'GS101'
    return isLinked(modules, addressArgument(call, 'prevModule'), module) ? null : 'GS103'
  },
  setGuard: (_, call, context) =>
    !isVersionBefore(context.version, 1, 4) && isNoGuard(addressArgument(call, 'guard'), context) ? 'GS300' : null,
  setModuleGuard: (_, call, context) => (isNoGuard(addressArgument(call, 'moduleGuard'), context) ? 'GS301' : null),
  setFallbackHandler: (_, call, { version, safeAddress }) => {
    const handler = addressArgument(call, 'handler')
    const isChecked = !isVersionBefore(version, 1, 4)
    return isChecked && handler !== null && isSameAddress(handler, safeAddress) ? 'GS400' : null
  },
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

function refuseOldOwner({ owners }: SafeConfiguration, call: Call, name: 'owner' | 'oldOwner'): string | null {
  const owner = addressArgument(call, name)
  if (owner === null || isReserved(owner)) return 'GS203'
  return isLinked(owners, addressArgument(call, 'prevOwner'), owner) ? null : 'GS205'
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
