import { inArray } from 'drizzle-orm'
import type { Hex } from 'viem'
import type { Ctx } from '../../context.ts'
import { session } from '../../db/schema.ts'
import { write } from '../../outbox/write.ts'

/** Ends the sessions of this browser and their live streams. */
export async function signOut(ctx: Ctx, tokenHashes: Hex[]): Promise<void> {
  if (tokenHashes.length === 0) return
  await write(ctx, null, async (tx, log) => {
    const ended = await tx.delete(session).where(inArray(session.tokenHash, tokenHashes)).returning()
    for (const { id, address, chainId } of ended) {
      log.add({ verb: 'signed-out', account: address, chainId })
      log.notify({ kind: 'session-ended', sessionId: id })
    }
  })
}
