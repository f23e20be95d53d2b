import { and, eq, or, type SQL, sql } from 'drizzle-orm'
import type { Address } from 'viem'
import { safe } from '../db/schema.ts'
import { isListed } from '../safes/queries.ts'
import { isMember } from '../safes/roles.ts'
import type { Call } from './service.ts'

/** Whether who asks is of the team of the Safe of the row: what is not on the chain is for these alone. */
export function isOfTeam({ deps, viewer }: Pick<Call, 'deps' | 'viewer'>): SQL<boolean> {
  return viewer ? isMember(viewer, deps.clock()) : sql<boolean>`false`
}

/** Whether the Safe of the row is there for who asks: one of theirs, or any where reading is public. */
export function isVisible(call: Pick<Call, 'deps' | 'viewer' | 'isPublic'>): SQL | undefined {
  if (call.isPublic) return sql`true`
  return call.viewer ? or(isOfTeam(call), isListed(call.deps.db, call.viewer.address)) : sql`false`
}

function ofSafe({ chainId }: Call, safeAddress: Address, fact: SQL | undefined): SQL {
  return sql`(select ${fact} from ${safe} where ${safe.chainId} = ${chainId} and ${safe.address} = ${sql.param(safeAddress, safe.address)})`
}

/** `isOfTeam` of one Safe: found out once for a query, and not for each of its rows. */
export function isOfTeamAt(call: Call, safeAddress: Address): SQL<boolean> {
  return sql<boolean>`${ofSafe(call, safeAddress, isOfTeam(call))}`
}

/** `isVisible` of one Safe, in the same way. */
export function isVisibleAt(call: Call, safeAddress: Address): SQL {
  return ofSafe(call, safeAddress, isVisible(call))
}

export type VisibleSafe = typeof safe.$inferSelect & { isOfTeam: boolean }

/** A Safe as it was last read from the chain; null when it is not there for who asks. */
export async function findVisibleSafe(call: Call, address: Address): Promise<VisibleSafe | null> {
  const [row] = await call.deps.db
    .select({ safe, isOfTeam: isOfTeam(call) })
    .from(safe)
    .where(and(eq(safe.chainId, call.chainId), eq(safe.address, address), isVisible(call)))
  return row ? { ...row.safe, isOfTeam: row.isOfTeam } : null
}
