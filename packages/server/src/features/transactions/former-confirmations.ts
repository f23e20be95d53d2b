import type { FormerConfirmation, MultisigTransaction } from '@countersign/contract'
import { and, desc, eq, not, sql } from 'drizzle-orm'
import type { SignedInCtx } from '../../context.ts'
import { confirmation, historyEntry, safe } from '../../db/schema.ts'
import { isMember } from '../../safes/roles.ts'

const MOST = 100

/**
 * Signatures under a transaction of those whom the Safe has removed as owners since, and where it did. They count for
 * nothing. For the team.
 */
export async function findFormerConfirmations(
  { db, viewer, clock }: SignedInCtx,
  { chainId, safeAddress, safeTxHash, isExecuted }: MultisigTransaction,
): Promise<FormerConfirmation[]> {
  // Of what is executed, those count who were owners then.
  if (isExecuted) return []
  const rows = await db
    .selectDistinctOn([confirmation.owner], {
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
        eq(confirmation.safeTxHash, safeTxHash),
        not(sql`${confirmation.owner} = any(${safe.owners})`),
        isMember(viewer, clock()),
      ),
    )
    .orderBy(confirmation.owner, desc(historyEntry.blockNumber), desc(historyEntry.logIndex))
    .limit(MOST)
  return rows.flatMap(({ removedIn, ...signed }) => (removedIn === null ? [] : [{ ...signed, removedIn }]))
}
