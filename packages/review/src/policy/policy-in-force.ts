import { isSameAddress } from '@countersign/safe'
import type { Address, Hex } from 'viem'
import type { FoundWithdrawal } from './policy-signatures.ts'
import { type PolicyOwners, type PolicyStanding, policyStanding } from './policy-standing.ts'
import { hashAllowEntry, hashPolicy, type PolicyPlace, type TeamPolicy } from './team-policy.ts'

/**
 * The highest version that somebody has seen in force, and what was verified of it by then: which entries were taken back,
 * and who had signed it.
 */
export type SeenPolicy = { number: number; hash: Hex; withdrawn: readonly Hex[]; signers: readonly Address[] }

/** A version that is said to be in force, with the signatures on it that were verified. */
export type ServedPolicy = {
  policy: TeamPolicy
  signers: readonly Address[]
  /** Accounts whose contract gave an answer that the block contradicts: they may have signed. */
  unprovedSigners?: readonly Address[]
  /** Withdrawals by owners and by accounts that signed the policy. Others have no effect. */
  withdrawals: readonly FoundWithdrawal[]
}

/** Why a served policy is refused. */
export type PolicyRollback = 'missing' | 'older' | 'differs' | 'unapproved' | 'place'

/** Signers and withdrawn entries that count although the block contradicts the contract's answer. They are not remembered. */
type UnprovedParts = { signers: readonly Address[]; withdrawn: readonly Hex[] }

/** The policy of a Safe, as far as can be told. */
export type PolicyState =
  /** None is served, and none was ever seen. */
  | { status: 'none' }
  /**
   * `isProven`: enough owners of now signed it, or it was seen in force before. Else, on a first visit, only its
   * restrictions count.
   */
  | ({ status: 'in-force'; policy: TeamPolicy; hash: Hex; isProven: boolean; unproved: UnprovedParts } & PolicyStanding)
  /** The one that was seen before is missing, or something else is in its place. */
  | {
      status: 'rolled-back'
      why: PolicyRollback
      seen: SeenPolicy | null
      served: { number: number; hash: Hex } | null
    }
  /** It could not be asked for. */
  | { status: 'unread' }

/**
 * Decides which policy counts, against a server that hides the newest one or brings back an old one.
 *
 * @param served null: the server says that there is none
 * @param seen null: nothing was seen before
 * @example
 * const state = policyInForce({ ...place, served, seen, owners, threshold })
 */
export function policyInForce({
  served,
  seen,
  ...safe
}: PolicyPlace & PolicyOwners & { served: ServedPolicy | null; seen: SeenPolicy | null }): PolicyState {
  if (served === null) return seen === null ? { status: 'none' } : rolledBack('missing', seen, null)
  const { policy, signers } = served
  const found = { number: policy.number, hash: hashPolicy(policy) }
  if (policy.chainId !== safe.chainId || !isSameAddress(policy.safeAddress, safe.safeAddress))
    return rolledBack('place', seen, found)
  const isSeen = seen !== null && seen.number === found.number && seen.hash === found.hash
  // Hiding the signature of somebody who left does not bring entries back; a current owner signs again at any time.
  const isOwner = (signer: Address) => safe.owners.some((owner) => isSameAddress(owner, signer))
  const [seenSigners, seenWithdrawn] = isSeen ? [seen.signers, seen.withdrawn] : [[], []]
  const maybe = [...new Set([...seenSigners, ...(served.unprovedSigners ?? [])])]
  const left = maybe.filter((signer) => !isOwner(signer) && !signers.includes(signer))
  const entitled = [...safe.owners, ...signers, ...left]
  const withdrawals = served.withdrawals.filter(({ owner }) => entitled.some((one) => isSameAddress(one, owner)))
  const withdrawn = withdrawals.map(({ entryHash }) => entryHash)
  const proved = [...withdrawals.flatMap(({ entryHash, isProved }) => (isProved ? [entryHash] : [])), ...seenWithdrawn]
  const unproved = {
    signers: left.filter((signer) => !seenSigners.includes(signer)),
    withdrawn: withdrawn.filter((hash) => !proved.includes(hash)),
  }
  const withdrawnHashes = [...withdrawn, ...seenWithdrawn]
  const standing = policyStanding(policy, { ...safe, signers: [...signers, ...left], withdrawnHashes })
  const why = seen === null || isSeen ? null : refusalOf(policy, found.hash, seen, standing)
  if (why !== null) return rolledBack(why, seen, found)
  return {
    status: 'in-force',
    policy,
    hash: found.hash,
    isProven: isSeen || standing.isApproved,
    unproved,
    ...standing,
  }
}

function refusalOf(
  { number, previousHash }: TeamPolicy,
  hash: Hex,
  seen: SeenPolicy,
  { isApproved }: PolicyStanding,
): PolicyRollback | null {
  if (number < seen.number) return 'older'
  if (number === seen.number) return hash === seen.hash ? null : 'differs'
  if (!isApproved) return 'unapproved'
  return number === seen.number + 1 && previousHash !== seen.hash ? 'differs' : null
}

function rolledBack(
  why: PolicyRollback,
  seen: SeenPolicy | null,
  served: { number: number; hash: Hex } | null,
): PolicyState {
  return { status: 'rolled-back', why, seen, served }
}

/**
 * Returns the part of a policy in force to remember, so that an older policy cannot replace it. Contains only proved signatures.
 *
 * @returns null where there is nothing to remember
 * @example
 * const seen = rememberedPolicy(state)
 */
export function rememberedPolicy(state: PolicyState): SeenPolicy | null {
  if (state.status !== 'in-force' || !state.isProven) return null
  const { policy, hash, approvers, formerApprovers, withdrawn, unproved } = state
  const signers = [...approvers, ...formerApprovers].filter((signer) => !unproved.signers.includes(signer))
  const hashes = withdrawn.map(hashAllowEntry).filter((entryHash) => !unproved.withdrawn.includes(entryHash))
  return { number: policy.number, hash, withdrawn: hashes, signers }
}
