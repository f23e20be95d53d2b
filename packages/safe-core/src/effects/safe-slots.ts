import { type Address, encodeAbiParameters, type Hex, keccak256, pad, toHex } from 'viem'
import type { SafeConfiguration } from '../review/types.ts'
import { GUARD_SLOT, HANDLER_SLOT, MODULE_GUARD_SLOT } from '../safe-state.ts'
import type { SlotChange } from './declared-effects.ts'

const sentinel: Address = '0x0000000000000000000000000000000000000001'
const NO_VALUE = pad('0x')

/** Slot of a mapping from addresses. */
function mappingSlot(key: Address, slot: bigint): Hex {
  return keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [key, slot]))
}

/** A linked list as OwnerManager and ModuleManager keep it: each entry points to the next, the last to the sentinel. */
function listSlots(list: readonly Address[], slot: bigint): [Hex, Hex][] {
  return [sentinel, ...list].map((item, at) => [mappingSlot(item, slot), word(list[at] ?? sentinel)])
}

/** Slots that hold the configuration of a Safe and its nonce, from 1.0.0 on. */
function slotsOf(configuration: SafeConfiguration, nonce: bigint): Map<Hex, Hex> {
  const { singleton, owners, threshold, modules, guard, moduleGuard, fallbackHandler } = configuration
  return new Map([
    [word('0x'), word(singleton)],
    ...listSlots(modules, 1n),
    ...listSlots(owners, 2n),
    [numbered(3n), numbered(BigInt(owners.length))],
    [numbered(4n), numbered(BigInt(threshold))],
    [numbered(5n), numbered(nonce)],
    [GUARD_SLOT, word(guard ?? '0x')],
    [MODULE_GUARD_SLOT, word(moduleGuard ?? '0x')],
    [HANDLER_SLOT, word(fallbackHandler ?? '0x')],
  ])
}

/**
 * Slots of a Safe that a transaction changes, from its configuration before and after. The nonce is among them: it goes up
 * by one with every execution.
 */
export function changedSafeSlots(
  account: Address,
  { before, after, nonce }: { before: SafeConfiguration; after: SafeConfiguration; nonce: bigint },
): SlotChange[] {
  const [old, now] = [slotsOf(before, nonce), slotsOf(after, nonce + 1n)]
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((slot) => {
    const change = { account, slot, before: old.get(slot) ?? NO_VALUE, after: now.get(slot) ?? NO_VALUE }
    return change.before === change.after ? [] : [change]
  })
}

function word(value: Hex): Hex {
  return pad(value.toLowerCase() as Hex)
}

function numbered(value: bigint): Hex {
  return toHex(value, { size: 32 })
}
