import { encodeApprovedHash, type SafeState, signatureTypeOf } from '@countersign/safe'
import { type Address, type Hex, slice } from 'viem'
import type { NeededFact } from '../facts/collect.ts'
import { contractSignatures } from '../facts/safe/contract-signatures.ts'
import type { SignedSubject } from '../given.ts'

type Listed = { owner: Address; signature: Hex }

/** Why a hash is asked about: what it is the hash of, or that nobody knows. */
export type SignedHash = { chainId: number; safeAddress: Address; hash: Hex; subject: SignedSubject | null }

/**
 * Adds an approval for each owner who is not listed with one: whoever lists signatures could leave approvals out, and the
 * chain is asked about all of them.
 *
 * @example
 * const asked = withOwnApprovals(listed, state.owners)
 */
export function withOwnApprovals(listed: readonly Listed[], owners: readonly Address[]): Listed[] {
  const approved = new Set(listed.map(({ signature }) => approverOf(signature)))
  const others = owners.filter((owner) => !approved.has(owner.toLowerCase()))
  return [...listed, ...others.map((owner) => ({ owner, signature: encodeApprovedHash(owner) }))]
}

function approverOf(signature: Hex): string | null {
  return signatureTypeOf(signature) === 'APPROVED_HASH' ? slice(signature, 12, 32).toLowerCase() : null
}

/**
 * Says what the chain has to be asked so that signatures over a hash can be verified: approvals, and contract owners.
 *
 * @throws CountersignError `FIELD_MALFORMED` when the subject cannot be hashed
 * @example
 * const needed = neededForSignatures({ chainId, safeAddress, hash, subject }, state, signatures)
 */
export function neededForSignatures(
  { chainId, safeAddress, hash, subject }: SignedHash,
  state: SafeState,
  signatures: readonly Listed[],
): NeededFact[] {
  const approvers = signatures.filter(({ signature }) => approverOf(signature) !== null).map(({ owner }) => owner)
  const needed: NeededFact[] = []
  if (approvers.length > 0) needed.push({ id: 'approvedHashes', need: { chainId, safeAddress, hash, approvers } })
  if (subject === null) return needed
  const need = contractSignatures.needs({ ...subject, ...nothing, state, confirmations: signatures })
  if (need !== null) needed.push({ id: 'contractSignatures', need })
  return needed
}

const nothing = {
  claimedHash: null,
  others: [],
  account: null,
  origin: null,
  tokens: [],
} as const
