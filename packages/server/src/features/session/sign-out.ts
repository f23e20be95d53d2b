import { eq } from 'drizzle-orm'
import type { Hex } from 'viem'
import type { Ctx } from '../../context.ts'
import { activity, session } from '../../db/schema.ts'

/** Ends a session and its live streams. */
export async function signOut(ctx: Ctx, tokenHash: Hex): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const [ended] = await tx.delete(session).where(eq(session.tokenHash, tokenHash)).returning()
    if (ended)
      await tx
        .insert(activity)
        .values({ at: ctx.clock(), account: ended.address, verb: 'signed-out', chainId: ended.chainId })
  })
  ctx.live.endSession(tokenHash)
}
