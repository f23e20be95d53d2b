import type { FormerConfirmation } from '@countersign/contract'
import { and, desc, eq, inArray, not, sql } from 'drizzle-orm'
import type { Address, Hex } from 'viem'
import type { SignedInCtx } from '../../context.ts'
import { confirmation, historyEntry, safe } from '../../db/schema.ts'
import { isMember } from '../../safes/roles.ts'

/** Former confirmations of each transaction. */
const MOST = 100

/**
 * Signatures under transactions of a Safe that are not executed, of those whom the Safe has removed as owners since, and
 * where it did: by transaction. They count for nothing. For the team.
 */
export async function findFormerConfirmations(
  { db, viewer, clock }: SignedInCtx,
  { chainId, safeAddress, hashes }: { chainId: number; safeAddress: Address; hashes: readonly Hex[] },
): Promise<ReadonlyMap<Hex, FormerConfirmation[]>> {
  const found = new Map<Hex, FormerConfirmation[]>()
  if (hashes.length === 0) return found
  const rows = await db
    .selectDistinctOn([confirmation.safeTxHash, confirmation.owner], {
      safeTxHash: confirmation.safeTxHash,
      owner: confirmation.owner,
      signature: confirmation.signature,
      removedIn: historyEntry.transactionHash,
    })
    .from(confirmation)
    .innerJoin(safe, and(eq(safe.chainId, chainId), eq(safe.address, safeAddress)))
    .innerJoin(
      historyEntry,
      and(
        eq(historyEntry.chainId, chainId),
        eq(historyEntry.safeAddress, safeAddress),
        eq(historyEntry.kind, 'owner-removed'),
        eq(historyEntry.subject, confirmation.owner),
      ),
    )
    .where(
      and(
        eq(confirmation.chainId, chainId),
        inArray(confirmation.safeTxHash, [...hashes]),
        not(sql`${confirmation.owner} = any(${safe.owners})`),
        isMember(viewer, clock()),
      ),
    )
    .orderBy(confirmation.safeTxHash, confirmation.owner, desc(historyEntry.blockNumber), desc(historyEntry.logIndex))
    .limit(MOST * hashes.length)
  for (const { safeTxHash, removedIn, ...signed } of rows) {
    const known = found.get(safeTxHash) ?? []
    if (removedIn !== null && known.length < MOST) found.set(safeTxHash, [...known, { ...signed, removedIn }])
  }
  return found
}
