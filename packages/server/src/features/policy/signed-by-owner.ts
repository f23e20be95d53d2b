import type { SignedInCtx } from '../../context.ts'
import { chainOf } from '../../rpc/clients.ts'
import type { SafeReading } from '../../rpc/state-reader.ts'
import { notAnOwner, requireListedSafe } from '../../safes/access.ts'
import type { Place } from './queries.ts'

/**
 * Reads the Safe as it is on the chain now, when the signed-in account is an owner of it.
 *
 * @throws CountersignError `SAFE_NOT_FOUND`, `NOT_AN_OWNER`, and what reading the chain throws.
 */
export async function requireOwnerNow(ctx: SignedInCtx, { chainId, safeAddress }: Place): Promise<SafeReading> {
  await requireListedSafe(ctx, chainId, safeAddress)
  const state = await chainOf(ctx.chains, chainId).readSafe(safeAddress)
  if (!state.owners.includes(ctx.viewer.address)) throw notAnOwner(ctx.viewer.address, safeAddress)
  return state
}
