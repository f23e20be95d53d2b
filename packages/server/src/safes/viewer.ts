import type { Role, TokenScope } from '@countersign/contract'
import type { SafeState } from '@countersign/safe'
import type { Address, Hex } from 'viem'

/*
 * The signed-in account, and the rules about it as functions. `roles.ts` has the rules about a Safe and an account,
 * as SQL.
 */

/** The signed-in account. */
export type Viewer = {
  address: Address
  chainId: number
  /** Hash of the cookie or the API token. */
  tokenHash: Hex
  /** Credential of the request. */
  credential: Credential
  provenBy: 'key' | 'contract'
  /** The warrant of a contract account's proof; null: a key proved it. */
  warrantId: string | null
}

/** A session may do all that its account may; an API token what its scopes say. */
export type Credential = { kind: 'session'; id: string } | { kind: 'token'; id: string; scopes: readonly TokenScope[] }

/** Account that asks, and its proof, where that is known. */
export type Who = Pick<Viewer, 'address'> & Partial<Viewer>

/** Gives the account for which a verb acts: the viewer of the request, or an account that a signature proved. */
export function whoIs({ viewer }: { viewer: Viewer | null }, account: Address | null): Who | null {
  if (account === null) return null
  return viewer?.address === account ? viewer : { address: account }
}

/**
 * Whether what proved the account holds on a chain. A contract account counts on its own chain only: its address may
 * belong to somebody else on another one.
 */
export function isProvenOn({ provenBy, chainId }: Pick<Viewer, 'provenBy' | 'chainId'>, chain: unknown): boolean {
  return provenBy === 'key' || chainId === chain
}

/**
 * Whether a contract proved the account for a session, which ends when the owners of the contract change. An API token
 * lives on, so it does not count.
 */
export function isContractSession({ provenBy, credential }: Who): boolean {
  return provenBy === 'contract' && credential?.kind === 'session'
}

/** Whether the viewer is the Safe itself: the same rule as `isItself` of `roles.ts`. */
export function isSafeItself(viewer: Viewer, safe: { chainId: number; safeAddress: Address }): boolean {
  return isContractSession(viewer) && viewer.address === safe.safeAddress && viewer.chainId === safe.chainId
}

/** Whether an account is a member, by owners that were just read from the chain: the stored ones may be older. */
export function isMemberNow({ owners }: SafeState, account: Address | null, role: Role | null): boolean {
  if (account === null) return false
  return owners.includes(account) || role === 'proposer' || role === 'viewer'
}
