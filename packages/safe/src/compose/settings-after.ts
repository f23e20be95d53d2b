import { type Address, zeroAddress } from 'viem'
import type { SafeState } from '../safe/safe-state.ts'
import { isSameAddress } from '../same-address.ts'
import type { SettingsIntent } from './intent.ts'

/** The settings of a Safe that a draft may change, in the order of the chain. */
export type ComposedSettings = Pick<
  SafeState,
  'owners' | 'threshold' | 'modules' | 'guard' | 'moduleGuard' | 'fallbackHandler'
>

/** Start and end of the linked lists in OwnerManager and ModuleManager. */
export const SENTINEL: Address = '0x0000000000000000000000000000000000000001'

/** Whether no Safe takes the address as an owner or a module: zero, and the end of its lists. */
export function isReserved(address: Address): boolean {
  return isSameAddress(address, zeroAddress) || isSameAddress(address, SENTINEL)
}

/** Whether a list holds an address. */
export function holds(list: readonly Address[], address: Address): boolean {
  return list.some((item) => isSameAddress(item, address))
}

/** The entry in front of an address, as the managers of a Safe ask for it. */
export function previousOf(list: readonly Address[], address: Address): Address {
  return list[list.findIndex((item) => isSameAddress(item, address)) - 1] ?? SENTINEL
}

/** The settings once an intent without faults is carried out: the managers put what is new first. */
export function settingsAfter(before: ComposedSettings, intent: SettingsIntent): ComposedSettings {
  const without = (list: readonly Address[], address: Address) => list.filter((item) => !isSameAddress(item, address))
  switch (intent.kind) {
    case 'add-owner':
      return { ...before, owners: [intent.owner, ...before.owners], threshold: intent.threshold }
    case 'remove-owner':
      return { ...before, owners: without(before.owners, intent.owner), threshold: intent.threshold }
    case 'swap-owner':
      return {
        ...before,
        owners: before.owners.map((owner) => (isSameAddress(owner, intent.owner) ? intent.newOwner : owner)),
      }
    case 'change-threshold':
      return { ...before, threshold: intent.threshold }
    case 'enable-module':
      return { ...before, modules: [intent.module, ...before.modules] }
    case 'disable-module':
      return { ...before, modules: without(before.modules, intent.module) }
    case 'set-guard':
      return { ...before, guard: intent.guard }
    case 'set-module-guard':
      return { ...before, moduleGuard: intent.guard }
    case 'set-handler':
      return { ...before, fallbackHandler: intent.handler }
  }
}
