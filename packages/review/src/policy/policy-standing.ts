import { isSameAddress } from '@countersign/safe'
import type { Address, Hex } from 'viem'
import { type AllowEntry, hashAllowEntry, type TeamPolicy } from './team-policy.ts'

/** Owners and threshold of the Safe now, by the chain. */
export type PolicyOwners = { owners: readonly Address[]; threshold: number }

/**
 * How many distinct current owners a policy needs, its proposer included: min(owners, max(2, threshold)).
 *
 * @example
 * policyApprovalsRequired({ owners, threshold: 1 }) // 2, in a Safe with several owners
 */
export function policyApprovalsRequired({ owners, threshold }: PolicyOwners): number {
  return Math.min(owners.length, Math.max(2, threshold))
}

/** How a version stands with the owners of now. */
export type PolicyStanding = {
  /** Distinct current owners who signed it. */
  approvers: Address[]
  /** Those who signed it and are owners no more. */
  formerApprovers: Address[]
  required: number
  /** Whether enough current owners signed it. */
  isApproved: boolean
  /** Entries that hold: none withdrawn, none while a signer is an owner no more, none without enough owners. */
  allowed: AllowEntry[]
  /** Whether every entry has lapsed: somebody who signed left, or too few owners are left of those who did. */
  isLapsed: boolean
  /** Entries that an owner took back. */
  withdrawn: AllowEntry[]
  /** Whether an entry lowers a critical finding: never in a Safe with one owner. */
  lowersCritical: boolean
}

/**
 * Judges one version by the owners of now. Restrictions are not looked at: they stay until they are replaced.
 *
 * @param signers whose signatures on exactly this policy were verified, owners or not
 * @param withdrawnHashes of entries that were taken back, by `hashAllowEntry`
 * @example
 * const { allowed, isApproved } = policyStanding(policy, { signers, withdrawnHashes, owners, threshold })
 */
export function policyStanding(
  policy: TeamPolicy,
  facts: PolicyOwners & { signers: readonly Address[]; withdrawnHashes: readonly Hex[] },
): PolicyStanding {
  const { owners, signers, withdrawnHashes } = facts
  const approvers = owners.filter((owner) => signers.some((signer) => isSameAddress(signer, owner)))
  const formerApprovers = signers.filter((signer) => !owners.some((owner) => isSameAddress(owner, signer)))
  const required = policyApprovalsRequired(facts)
  const isApproved = required > 0 && approvers.length >= required
  const isLapsed = !isApproved || formerApprovers.length > 0
  const isWithdrawn = (entry: AllowEntry) => withdrawnHashes.includes(hashAllowEntry(entry))
  return {
    approvers,
    formerApprovers,
    required,
    isApproved,
    isLapsed,
    allowed: isLapsed ? [] : policy.allowed.filter((entry) => !isWithdrawn(entry)),
    withdrawn: policy.allowed.filter(isWithdrawn),
    lowersCritical: owners.length > 1,
  }
}
