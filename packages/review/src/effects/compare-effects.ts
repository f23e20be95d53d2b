import { isSameAddress } from '@countersign/safe'
import { zeroAddress } from 'viem'
import {
  type ApprovalLeft,
  type AssetChange,
  type DeclaredSlot,
  type EffectPart,
  type Effects,
  effectParts,
  type ObservedEffects,
  type SlotChange,
} from './declared-effects.ts'
import { lastOfEach, netted } from './observed-effects.ts'

/** Lines that one side alone has, in base units, for people to read. */
export type EffectsComparison = {
  /** Declared slots that change, by whatever value: the declaration leaves it open. */
  mayDiffer: string[]
  declaredOnly: string[]
  observedOnly: string[]
  /** Parts, or slots of other contracts, of which the other side tells not everything. */
  notCompared: EffectPart[]
}

/**
 * Compares what somebody declared with what was observed: these and none others. Of a part that the declaration does not
 * cover, what it names all the same must be among what was observed: people read it there. A slot that may differ must change, by any value. Slots are compared for the Safe, and where it was run for the other accounts that are declared.
 */
export function compareEffects(
  named: Effects,
  run: Effects & Pick<ObservedEffects, 'otherSlots'>,
  safeAddress: string,
): EffectsComparison {
  const { declared, observed, otherSlots, mayDiffer } = withoutLoose(named, run)
  const result: EffectsComparison = { declaredOnly: [], observedOnly: [], notCompared: [], mayDiffer }
  for (const part of effectParts) {
    const named = linesOf(part, declared, safeAddress)
    const isCovered = declared.covers.includes(part)
    if (!isCovered && named.size === 0) continue
    const seen = linesOf(part, observed, safeAddress)
    if (!observed.covers.includes(part)) result.notCompared.push(part)
    else compareLines(named, isCovered ? seen : new Set([...seen].filter((line) => named.has(line))), result)
  }
  const others = named.slots.filter(({ account }) => !isSameAddress(account, safeAddress))
  if (others.length === 0) return result
  if (otherSlots !== undefined && observed.covers.includes('slots')) {
    const isDeclared = ({ account }: SlotChange) => others.some((other) => isSameAddress(other.account, account))
    compareLines(slotLines(declared.slots.filter(isDeclared)), slotLines(otherSlots.filter(isDeclared)), result)
  } else if (!result.notCompared.includes('slots')) result.notCompared.push('slots')
  return result
}

/**
 * Effects of the parts that they cover, as they can be declared: of the others nobody knows all.
 *
 * @example
 * declare(coveredEffects(review.observed))
 */
export function coveredEffects({ covers, assets, approvals, slots }: Effects): Effects {
  const covered = (part: EffectPart) => covers.includes(part)
  return {
    covers,
    assets: assets.filter((asset) => covered(isNative(asset) ? 'native' : 'tokens')),
    approvals: covered('approvals') ? approvals : [],
    slots: covered('slots') ? slots : [],
  }
}

function compareLines(declared: Set<string>, observed: Set<string>, result: EffectsComparison): void {
  for (const line of declared) if (!observed.has(line)) result.declaredOnly.push(line)
  for (const line of observed) if (!declared.has(line)) result.observedOnly.push(line)
}

function linesOf(part: EffectPart, { assets, approvals, slots }: Effects, safeAddress: string): Set<string> {
  switch (part) {
    case 'native':
      return new Set(netted(assets.filter(isNative)).map(assetLine))
    case 'tokens':
      return new Set(netted(assets.filter((asset) => !isNative(asset))).map(assetLine))
    case 'approvals':
      return new Set(lastOfEach(approvals).map(approvalLine))
    case 'slots':
      return slotLines(slots.filter(({ account }) => isSameAddress(account, safeAddress)))
  }
}

function slotLines(slots: readonly DeclaredSlot[]): Set<string> {
  return new Set(slots.filter(({ before, after, mayDiffer }) => mayDiffer || before !== after).map(slotLine))
}

/** Takes slots that may differ off both sides, where they change. */
function withoutLoose(declared: Effects, { otherSlots, ...observed }: Effects & Pick<ObservedEffects, 'otherSlots'>) {
  const keyOf = ({ account, slot }: SlotChange) => `${account} ${slot}`.toLowerCase()
  const loose = new Set(declared.slots.filter(({ mayDiffer }) => mayDiffer).map(keyOf))
  const changes = [...observed.slots, ...(otherSlots ?? [])].filter(({ before, after }) => before !== after)
  const changed = new Set(changes.map(keyOf).filter((key) => loose.has(key)))
  const isLeft = (slot: SlotChange) => !changed.has(keyOf(slot))
  return {
    declared: { ...declared, slots: declared.slots.filter((slot) => !slot.mayDiffer || isLeft(slot)) },
    observed: { ...observed, slots: observed.slots.filter(isLeft) },
    otherSlots: otherSlots?.filter(isLeft),
    mayDiffer: [...changed],
  }
}

function isNative({ token }: AssetChange): boolean {
  return isSameAddress(token, zeroAddress)
}

/**
 * One change of an asset on one line, in base units.
 *
 * @example
 * assetLine({ account, token, tokenId: null, isOut: true, amount: 100n }) // '0x…: -100 0x…'
 */
export function assetLine({ account, token, tokenId, isOut, amount }: AssetChange): string {
  const asset = isSameAddress(token, zeroAddress) ? 'native' : token
  return `${account}: ${isOut ? '-' : '+'}${amount} ${asset}${itemOf(tokenId)}`.toLowerCase()
}

/**
 * One allowance on one line, in base units.
 *
 * @example
 * approvalLine({ owner, token, spender, tokenId: null, amount: 100n }) // '0x… -> 0x…: 100 0x…'
 */
export function approvalLine({ owner, token, spender, tokenId, amount }: ApprovalLeft): string {
  return `${owner} -> ${spender}: ${amount} ${token}${itemOf(tokenId)}`.toLowerCase()
}

/**
 * One changed slot on one line.
 *
 * @example
 * slotLine({ account, slot, before, after }) // '0x… 0x…: 0x… -> 0x…'
 */
export function slotLine({ account, slot, before, after, mayDiffer }: DeclaredSlot): string {
  return `${account} ${slot}: ${before} -> ${after}${mayDiffer ? ' | *' : ''}`.toLowerCase()
}

function itemOf(tokenId: bigint | null): string {
  return tokenId === null ? '' : ` #${tokenId}`
}
