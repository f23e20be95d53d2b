import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Address } from 'viem'
import { safe } from '../../db/schema.ts'
import { isListedFor, isMember as isMemberViewing } from '../../safes/roles.ts'
import type { Call } from './service.ts'

/*
 * The rules of `safes/roles.ts` for a call, which may come from nobody who is known here.
 */

/** Whether the caller is a member of the Safe of the row: only members see what is not on the chain. */
export function isMember({ deps, viewer }: Pick<Call, 'deps' | 'viewer'>): SQL<boolean> {
  return viewer ? isMemberViewing(viewer, deps.clock()) : sql<boolean>`false`
}

/**
 * Whether the Safe of the row is visible to the caller: one of My Safes, or any where reading is public. The Transaction
 * Service knows no Safe before it is on the chain.
 */
export function isVisible({ deps, viewer, isPublic }: Pick<Call, 'deps' | 'viewer' | 'isPublic'>): SQL | undefined {
  const isOnChain = eq(safe.isDeployed, true)
  if (isPublic) return isOnChain
  return viewer ? and(isOnChain, isListedFor(deps.db, viewer, deps.clock())) : sql`false`
}

function ofSafe({ chainId }: Call, safeAddress: Address, fact: SQL | undefined): SQL {
  return sql`(select ${fact} from ${safe} where ${safe.chainId} = ${chainId} and ${safe.address} = ${sql.param(safeAddress, safe.address)})`
}

/** `isMember` of one Safe: computed once for a query, not for each of its rows. */
export function isMemberAt(call: Call, safeAddress: Address): SQL<boolean> {
  return sql<boolean>`${ofSafe(call, safeAddress, isMember(call))}`
}

/** `isVisible` of one Safe, in the same way. */
export function isVisibleAt(call: Call, safeAddress: Address): SQL {
  return ofSafe(call, safeAddress, isVisible(call))
}

export type VisibleSafe = typeof safe.$inferSelect & { isMember: boolean }

/** A Safe as it was last read from the chain. Null if it is not visible to the caller. */
export async function findVisibleSafe(call: Call, address: Address): Promise<VisibleSafe | null> {
  const [row] = await call.deps.db
    .select({ safe, isMember: isMember(call) })
    .from(safe)
    .where(and(eq(safe.chainId, call.chainId), eq(safe.address, address), isVisible(call)))
  return row ? { ...row.safe, isMember: row.isMember } : null
}
