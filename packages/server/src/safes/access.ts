import { fail, type Role, type Safe } from '@countersign/contract'
import type { CountersignError } from '@countersign/safe'
import type { Address } from 'viem'
import type { SignedInCtx } from '../context.ts'
import { chainOf } from '../rpc/clients.ts'
import { findRole, findSafe } from './queries.ts'

/**
 * A Safe of the account's list, as it sees it.
 *
 * @throws CountersignError `SAFE_NOT_FOUND`, also when it is known here and not to this account.
 */
export async function requireSafe(ctx: SignedInCtx, chainId: number, address: Address): Promise<Safe> {
  chainOf(ctx.chains, chainId)
  const found = await findSafe(ctx.db, ctx.viewer, chainId, address, ctx.clock())
  return found ?? refuseUnlisted(chainId, address)
}

/**
 * The role that the account has in the team of a Safe of its list.
 *
 * @throws CountersignError `SAFE_NOT_FOUND`, also when it is known here and not to this account.
 */
export async function requireListedSafe(
  ctx: SignedInCtx,
  chainId: number,
  address: Address,
): Promise<{ role: Role | null }> {
  chainOf(ctx.chains, chainId)
  const found = await findRole(ctx.db, ctx.viewer, chainId, address, ctx.clock())
  return found ?? refuseUnlisted(chainId, address)
}

function refuseUnlisted(chainId: number, address: Address): never {
  throw fail('SAFE_NOT_FOUND', { chainId, address })
}

/**
 * A Safe whose team the account is of: what is not on the chain is for these alone.
 *
 * @throws CountersignError `SAFE_NOT_FOUND`, `NOT_A_MEMBER`.
 */
export async function requireSharedSafe(ctx: SignedInCtx, chainId: number, address: Address): Promise<{ role: Role }> {
  const { role } = await requireListedSafe(ctx, chainId, address)
  if (role) return { role }
  throw fail('NOT_A_MEMBER', { account: ctx.viewer.address, safeAddress: address })
}

/**
 * A Safe that the account may add to: as its owner, or as somebody who may propose.
 *
 * @throws CountersignError `SAFE_NOT_FOUND`, `NOT_A_MEMBER`, `NOT_OWNER_OR_DELEGATE`.
 */
export async function requireOwnerOrProposer(
  ctx: SignedInCtx,
  chainId: number,
  address: Address,
): Promise<Exclude<Role, 'viewer'>> {
  const { role } = await requireSharedSafe(ctx, chainId, address)
  if (role !== 'viewer') return role
  throw mayNotWrite(ctx.viewer.address, address)
}

/**
 * Lets owners alone through.
 *
 * @throws CountersignError `SAFE_NOT_FOUND`, `NOT_A_MEMBER`, `NOT_AN_OWNER`.
 */
export async function requireOwner(ctx: SignedInCtx, chainId: number, address: Address): Promise<void> {
  const { role } = await requireSharedSafe(ctx, chainId, address)
  if (role !== 'owner') throw notAnOwner(ctx.viewer.address, address)
}

/** A viewer, or the Safe itself: who sees what the team sees, and adds nothing to it. */
export function mayNotWrite(account: Address, safeAddress: Address): CountersignError {
  return fail('NOT_OWNER_OR_DELEGATE', { reason: 'viewer', account, safeAddress })
}

/**
 * Lets owners remove what anybody of the team wrote, and everybody else what they wrote themselves.
 *
 * @throws CountersignError `SAFE_NOT_FOUND`, `NOT_A_MEMBER`, `NOT_OWNER_OR_DELEGATE`, `NOT_AN_OWNER`.
 */
export async function requireMayRemove(
  ctx: SignedInCtx,
  { chainId, safeAddress, author }: { chainId: number; safeAddress: Address; author: Address },
): Promise<void> {
  const role = await requireOwnerOrProposer(ctx, chainId, safeAddress)
  if (role !== 'owner' && author !== ctx.viewer.address) throw notAnOwner(ctx.viewer.address, safeAddress)
}

export function notAnOwner(account: Address, safeAddress: Address): CountersignError {
  return fail('NOT_AN_OWNER', { account, safeAddress })
}
