import type { Safe } from '@countersign/contract'
import { and, eq, isNotNull, isNull } from 'drizzle-orm'
import type { Address } from 'viem'
import type { SignedInCtx } from '../../context.ts'
import { safe } from '../../db/schema.ts'
import { write } from '../../outbox/write.ts'
import { requireOwnerOrProposer, requireSafe } from '../../safes/access.ts'

type Place = { chainId: number; safeAddress: Address }

/** Has the older history of a Safe not read on, or read on. Where it is whole, or is so already, nothing changes. */
export async function setReading(ctx: SignedInCtx, { chainId, safeAddress }: Place, isRead: boolean): Promise<Safe> {
  await requireOwnerOrProposer(ctx, chainId, safeAddress)
  const stopped = safe.backfillStoppedAt
  await write(ctx, null, async (tx, log) => {
    const changed = await tx
      .update(safe)
      .set({ backfillStoppedAt: isRead ? null : log.now })
      .where(
        and(
          eq(safe.chainId, chainId),
          eq(safe.address, safeAddress),
          ...(isRead ? [isNotNull(stopped)] : [isNull(stopped), isNotNull(safe.backfillBlock)]),
        ),
      )
      .returning({ address: safe.address })
    const verb = isRead ? 'resumed-reading' : 'stopped-reading'
    if (changed.length > 0) log.add({ verb, account: ctx.viewer.address, chainId, safeAddress })
  })
  return requireSafe(ctx, chainId, safeAddress)
}
