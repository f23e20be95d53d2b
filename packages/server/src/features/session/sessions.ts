import { fail, type SessionEntry } from '@countersign/contract'
import { and, desc, eq, gt, ne, type SQL, sql } from 'drizzle-orm'
import type { SignedInCtx } from '../../context.ts'
import { session } from '../../db/schema.ts'
import { describeDevice } from '../../device.ts'
import { write } from '../../outbox/write.ts'
import { MAX_SESSIONS } from './clean-up.ts'

/** Lists the caller's sessions that have not ended: the current one first, then the most recently used. */
export async function listSessions(ctx: SignedInCtx): Promise<{ sessions: SessionEntry[] }> {
  const rows = await ctx.db
    .select()
    .from(session)
    .where(and(isOfViewer(ctx), isValid(ctx)))
    .orderBy(desc(sql`${session.id} = ${ctx.viewer.credential.id}`), desc(session.lastSeenAt), session.id)
    .limit(MAX_SESSIONS)
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

/**
 * Ends one session.
 *
 * @throws CountersignError `SESSION_NOT_FOUND` if the caller has no such session, even if another account has it
 */
export async function revokeSession(ctx: SignedInCtx, { id }: { id: string }): Promise<undefined> {
  if ((await end(ctx, eq(session.id, id))) > 0) return
  throw fail('SESSION_NOT_FOUND', { id, account: ctx.viewer.address })
}

export async function revokeOtherSessions(ctx: SignedInCtx): Promise<{ ended: number }> {
  return { ended: await end(ctx, ne(session.id, ctx.viewer.credential.id)) }
}

/**
 * Selects the sessions that the caller may see. With a key, these are all sessions of the account. With a contract, these are the
 * sessions that a contract proved on the same chain, because the address may belong to somebody else on another chain.
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
