import { fail, type SessionEntry } from '@countersign/contract'
import { and, desc, eq, gt, ne, type SQL, sql } from 'drizzle-orm'
import type { SignedInCtx } from '../../context.ts'
import { session } from '../../db/schema.ts'
import { describeDevice } from '../../device.ts'
import { write } from '../../outbox/write.ts'

const MAX_LISTED = 100

/** The sessions of who asks: this one first, then the last used. */
export async function listSessions(ctx: SignedInCtx): Promise<{ sessions: SessionEntry[] }> {
  const rows = await ctx.db
    .select()
    .from(session)
    .where(and(isOfViewer(ctx), isValid(ctx)))
    .orderBy(desc(sql`${session.id} = ${ctx.viewer.credential.id}`), desc(session.lastSeenAt), session.id)
    .limit(MAX_LISTED)
  return {
    sessions: rows.map(({ id, chainId, userAgent, clientAddress, isFramed, createdAt, lastSeenAt, expiresAt }) => ({
      id,
      chainId,
      ...describeDevice(userAgent),
      clientAddress,
      isFramed,
      createdAt: createdAt.toISOString(),
      lastSeenAt: lastSeenAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
      isCurrent: id === ctx.viewer.credential.id,
    })),
  }
}

/** @throws CountersignError `SESSION_NOT_FOUND`, also for one of somebody else. */
export async function revokeSession(ctx: SignedInCtx, { id }: { id: string }): Promise<undefined> {
  if ((await end(ctx, eq(session.id, id))) > 0) return
  throw fail('SESSION_NOT_FOUND', { id, account: ctx.viewer.address })
}

export async function revokeOtherSessions(ctx: SignedInCtx): Promise<{ ended: number }> {
  return { ended: await end(ctx, ne(session.id, ctx.viewer.credential.id)) }
}

/**
 * A session proven by the key sees all of the account's; one proven by a contract only those proven by that contract:
 * on another chain it may belong to others.
 */
function isOfViewer({ viewer }: SignedInCtx): SQL | undefined {
  const { address, chainId, provenBy } = viewer
  const isOfAddress = eq(session.address, address)
  if (provenBy === 'key') return isOfAddress
  return and(isOfAddress, eq(session.chainId, chainId), eq(session.provenBy, 'contract'))
}

function isValid({ clock, sessionLimits }: SignedInCtx): SQL | undefined {
  const now = clock()
  const seenSince = new Date(now.getTime() - sessionLimits.idleMilliseconds)
  return and(gt(session.expiresAt, now), gt(session.lastSeenAt, seenSince))
}

async function end(ctx: SignedInCtx, which: SQL): Promise<number> {
  return write(ctx, null, async (tx, log) => {
    const ended = await tx
      .update(session)
      .set({ revokedAt: log.now, expiresAt: log.now })
      .where(and(isOfViewer(ctx), isValid(ctx), which))
      .returning({ id: session.id, chainId: session.chainId })
    for (const { id, chainId } of ended) {
      log.add({ verb: 'revoked-session', account: ctx.viewer.address, chainId })
      log.notify({ kind: 'session-ended', sessionId: id })
    }
    return ended.length
  })
}
