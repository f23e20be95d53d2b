import type { FormerConfirmation } from '@countersign/contract'
import { and, desc, eq, inArray, not, sql } from 'drizzle-orm'
import type { Address, Hex } from 'viem'
import type { SignedInCtx } from '../../context.ts'
import { confirmation, historyEntry, safe } from '../../db/schema.ts'
import { messageConfirmation } from '../../db/team-schema.ts'
import { isMember } from '../../safes/roles.ts'

/** Former confirmations of each transaction or message. */
const MAX_OF_EACH = 100

/**
 * Finds signatures of accounts that the Safe has removed as owners since, and the removals: by the hash of the
 * transaction or message. They count for nothing. For the team.
 *
 * @param hashes - of transactions that are not executed: for others those count who were owners then
 */
export async function findFormerConfirmations(
  { db, viewer, clock }: SignedInCtx,
  of: 'transaction' | 'message',
  { chainId, safeAddress, hashes }: { chainId: number; safeAddress: Address; hashes: readonly Hex[] },
): Promise<ReadonlyMap<Hex, FormerConfirmation[]>> {
  const found = new Map<Hex, FormerConfirmation[]>()
  if (hashes.length === 0) return found
  const [table, signedHash] =
    of === 'transaction'
      ? [confirmation, confirmation.safeTxHash]
      : [messageConfirmation, messageConfirmation.safeMessageHash]
  const rows = await db
    .selectDistinctOn([signedHash, table.owner], {
      signedHash,
      owner: table.owner,
      signature: table.signature,
      removedIn: historyEntry.transactionHash,
    })
    .from(table)
    .innerJoin(safe, and(eq(safe.chainId, chainId), eq(safe.address, safeAddress)))
    .innerJoin(
      historyEntry,
      and(
        eq(historyEntry.chainId, chainId),
        eq(historyEntry.safeAddress, safeAddress),
        eq(historyEntry.kind, 'owner-removed'),
        eq(historyEntry.subject, table.owner),
      ),
    )
    .where(
      and(
        eq(table.chainId, chainId),
        inArray(signedHash, [...hashes]),
        not(sql`${table.owner} = any(${safe.owners})`),
        isMember(viewer, clock()),
      ),
    )
    .orderBy(signedHash, table.owner, desc(historyEntry.blockNumber), desc(historyEntry.logIndex))
    .limit(MAX_OF_EACH * hashes.length)
  for (const { signedHash, removedIn, ...signed } of rows) {
    const known = found.get(signedHash) ?? []
    if (removedIn !== null && known.length < MAX_OF_EACH) found.set(signedHash, [...known, { ...signed, removedIn }])
  }
  return found
}
