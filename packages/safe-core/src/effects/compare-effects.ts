import { zeroAddress } from 'viem'
import { isSameAddress } from '../same-address.ts'
import {
  type ApprovalLeft,
  type AssetChange,
  type EffectPart,
  type Effects,
  effectParts,
  type ObservedEffects,
  type SlotChange,
} from './declared-effects.ts'
import { lastOfEach, netted } from './observed-effects.ts'

/** Lines that one side alone has, in base units, for people to read. */
export type EffectsComparison = {
  declaredOnly: string[]
  observedOnly: string[]
  /** Parts, or slots of other contracts, of which the other side tells not everything. */
  notCompared: EffectPart[]
}

/**
 * Compares what somebody declared with what was observed: these and none others. Of a part that the declaration does not
 * cover, what it names all the same must be among what was observed: people read it there. Slots are compared for the Safe, and where it was run for the other accounts that are declared.
 */
export function compareEffects(
  declared: Effects,
  { otherSlots, ...observed }: Effects & Pick<ObservedEffects, 'otherSlots'>,
  safeAddress: string,
): EffectsComparison {
  const result: EffectsComparison = { declaredOnly: [], observedOnly: [], notCompared: [] }
  for (const part of effectParts) {
    const named = linesOf(part, declared, safeAddress)
    const isCovered = declared.covers.includes(part)
    if (!isCovered && named.size === 0) continue
    const seen = linesOf(part, observed, safeAddress)
    if (!observed.covers.includes(part)) result.notCompared.push(part)
    else compareLines(named, isCovered ? seen : new Set([...seen].filter((line) => named.has(line))), result)
  }
  const others = declared.slots.filter(({ account }) => !isSameAddress(account, safeAddress))
  if (others.length === 0) return result
  if (otherSlots !== undefined && observed.covers.includes('slots')) {
    const isDeclared = ({ account }: SlotChange) => others.some((other) => isSameAddress(other.account, account))
    compareLines(slotLines(others), slotLines(otherSlots.filter(isDeclared)), result)
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

function slotLines(slots: readonly SlotChange[]): Set<string> {
  return new Set(slots.filter(({ before, after }) => before !== after).map(slotLine))
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
export function slotLine({ account, slot, before, after }: SlotChange): string {
  return `${account} ${slot}: ${before} -> ${after}`.toLowerCase()
}

function itemOf(tokenId: bigint | null): string {
  return tokenId === null ? '' : ` #${tokenId}`
}
