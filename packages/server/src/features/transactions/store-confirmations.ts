import { and, eq } from 'drizzle-orm'
import type { Address, Hex } from 'viem'
import type { VerifiedSignature } from '../../chain/verify-owner-signatures.ts'
import type { Executor } from '../../db/client.ts'
import { confirmation, multisigTransaction } from '../../db/schema.ts'

/**
 * Writes down confirmations that were verified. What an owner confirmed with first is kept.
 *
 * @returns whose are new
 */
export async function storeConfirmations(
  tx: Executor,
  { chainId, safeTxHash }: { chainId: number; safeTxHash: Hex },
  signed: readonly VerifiedSignature[],
  now: Date,
): Promise<Address[]> {
  if (signed.length === 0) return []
  const added = await tx
    .insert(confirmation)
    .values(signed.map((one) => ({ chainId, safeTxHash, ...one, submissionDate: now })))
    .onConflictDoNothing()
    .returning({ owner: confirmation.owner })
  if (added.length > 0)
    await tx
      .update(multisigTransaction)
      .set({ isTrusted: true, modifiedDate: now })
      .where(and(eq(multisigTransaction.chainId, chainId), eq(multisigTransaction.safeTxHash, safeTxHash)))
  return added.map(({ owner }) => owner)
}
