import type { CreationCall } from '@countersign/safe'
import { and, eq } from 'drizzle-orm'
import type { Address } from 'viem'
import type { Executor } from '../db/client.ts'
import { safeCreation } from '../db/schema.ts'

/** Finds the call that creates a Safe, as it is kept here; null for none. */
export async function findCreation(
  db: Pick<Executor, 'select'>,
  { chainId, safeAddress }: { chainId: number; safeAddress: Address },
): Promise<CreationCall | null> {
  const [found] = await db
    .select({ factory: safeCreation.factory, data: safeCreation.data })
    .from(safeCreation)
    .where(and(eq(safeCreation.chainId, chainId), eq(safeCreation.safeAddress, safeAddress)))
  return found ?? null
}

/** Keeps the call that creates a Safe. The first one stays: any other that gives the address makes the same Safe. */
export async function storeCreation(
  tx: Executor,
  kept: CreationCall & { chainId: number; safeAddress: Address; keptBy: Address; keptAt: Date },
): Promise<void> {
  await tx.insert(safeCreation).values(kept).onConflictDoNothing()
}
