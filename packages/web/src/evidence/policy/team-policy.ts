import { type PolicyState, policyInForce, rememberedPolicy, type SeenPolicy } from '@countersign/review'
import type { SafeState } from '@countersign/safe'
import { type Address, isAddress, isHash } from 'viem'
import type { VerifiedPolicy } from './served-policy.ts'

/** Versions that this page has seen: localStorage may be refused or full, and then they last as long as the page. */
const fallback = new Map<string, string>()

function keyOf({ chainId, safeAddress }: Place): string {
  return `policy ${chainId} ${safeAddress.toLowerCase()}`
}

type Place = { chainId: number; safeAddress: Address }

/** The highest version that this browser has seen in force. What localStorage refused is kept beside what it has. */
export function seenPolicy(place: Place): SeenPolicy | null {
  const key = keyOf(place)
  const [kept, ofPage] = [parseSeen(readStoredAnswer(key)), parseSeen(fallback.get(key) ?? null)]
  if (kept === null || ofPage === null) return kept ?? ofPage
  // Another tab may have seen more than this page, and this page more than there was room for.
  if (kept.number !== ofPage.number) return kept.number > ofPage.number ? kept : ofPage
  const union = <Of>(one: readonly Of[], other: readonly Of[]) => [...new Set([...one, ...other])]
  return {
    ...ofPage,
    withdrawn: union(ofPage.withdrawn, kept.withdrawn),
    signers: union(ofPage.signers, kept.signers),
  }
}

function readStoredAnswer(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

function parseSeen(kept: string | null): SeenPolicy | null {
  if (kept === null) return null
  try {
    const { number, hash, withdrawn, signers = [] }: Partial<Record<keyof SeenPolicy, unknown>> = JSON.parse(kept)
    if (typeof number !== 'number' || typeof hash !== 'string' || !isHash(hash) || !Array.isArray(withdrawn))
      return null
    return {
      number,
      hash,
      withdrawn: withdrawn.filter((value) => typeof value === 'string' && isHash(value)),
      // Kept by an earlier release there are none.
      signers: Array.isArray(signers) ? signers.filter((value) => typeof value === 'string' && isAddress(value)) : [],
    }
  } catch {
    return null
  }
}

function remember(place: Place, seen: SeenPolicy): void {
  const kept = JSON.stringify(seen)
  fallback.set(keyOf(place), kept)
  try {
    localStorage.setItem(keyOf(place), kept)
  } catch {
    // The map has it.
  }
}

/**
 * Decides which policy counts for this browser, and remembers it: from then on nothing older is taken for it.
 *
 * @param served null: it could not be asked for
 */
export function policyState(
  place: Place,
  served: VerifiedPolicy | null,
  { owners, threshold }: Pick<SafeState, 'owners' | 'threshold'>,
): PolicyState {
  if (served === null) return { status: 'unread' }
  const state = policyInForce({ ...place, owners, threshold, served: served.inForce, seen: seenPolicy(place) })
  const seen = rememberedPolicy(state)
  if (seen !== null) remember(place, seen)
  return state
}
