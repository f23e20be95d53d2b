import { declaredEffects as schema } from '@countersign/contract'
import type { DeclaredEffects } from '@countersign/review'
import { and, eq, sql } from 'drizzle-orm'
import type { Hex } from 'viem'
import type { SignedInCtx } from '../../context.ts'
import { multisigTransaction as table } from '../../db/schema.ts'
import { isMemberOf } from '../../safes/roles.ts'

/** Finds the effects that the proposer of a transaction declared. For the team; others find none. */
export async function findDeclaredEffects(
  ctx: SignedInCtx,
  { chainId, safeTxHash }: { chainId: number; safeTxHash: Hex },
): Promise<DeclaredEffects | null> {
  const [row] = await ctx.db
    .select({ declaredEffects: table.declaredEffects })
    .from(table)
    .where(
      and(
        eq(table.chainId, chainId),
        eq(table.safeTxHash, safeTxHash),
        sql`${table.declaredEffects} is not null`,
        isMemberOf(ctx, table),
      ),
    )
  return parseDeclaredEffects(row?.declaredEffects ?? null)
}

/** Reads declared effects as the database keeps them. */
export function parseDeclaredEffects(stored: string | null): DeclaredEffects | null {
  return stored === null ? null : schema.parse(JSON.parse(stored))
}
