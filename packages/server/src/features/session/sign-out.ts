import { inArray } from 'drizzle-orm'
import type { Hex } from 'viem'
import type { Ctx } from '../../context.ts'
import { activity, session } from '../../db/schema.ts'
import { notifySessionsEnded } from '../../live/notify.ts'

/** Ends the sessions of this browser and their live streams. */
export async function signOut(ctx: Ctx, tokenHashes: Hex[]): Promise<void> {
  if (tokenHashes.length === 0) return
  await ctx.db.transaction(async (tx) => {
    const ended = await tx.delete(session).where(inArray(session.tokenHash, tokenHashes)).returning()
    for (const { address, chainId } of ended)
      await tx.insert(activity).values({ at: ctx.clock(), account: address, verb: 'signed-out', chainId })
    await notifySessionsEnded(
      tx,
      ended.map(({ id }) => id),
    )
  })
}
