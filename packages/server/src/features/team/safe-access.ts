import { type endSafeAccess as endEndpoint, fail, type Input, type SafeAccess } from '@countersign/contract'
import { and, desc, eq, gt, isNull, or, type SQL } from 'drizzle-orm'
import type { Address } from 'viem'
import type { SignedInCtx } from '../../context.ts'
import { session, warrant } from '../../db/schema.ts'
import { apiToken } from '../../db/team-schema.ts'
import { describeDevice } from '../../device.ts'
import { write } from '../../outbox/write.ts'
import { requireOwner } from '../../safes/access.ts'
import { suspendedSince } from '../../warrants/standing.ts'

const MAX_LISTED = 100

type Place = { chainId: number; safeAddress: Address }

/** Lists the sessions and API tokens that act as a Safe, for its owners. */
export async function listSafeAccess(ctx: SignedInCtx, place: Place): Promise<{ access: SafeAccess[] }> {
  await requireOwner(ctx, place.chainId, place.safeAddress)
  const [sessions, tokens] = await Promise.all([
    ctx.db
      .select({ session, signers: warrant.signers, suspendedSince: suspendedSince(session.warrantId) })
      .from(session)
      .innerJoin(warrant, eq(warrant.id, session.warrantId))
      .where(and(isSessionOf(ctx, place), isNull(warrant.endedAt)))
      .orderBy(desc(session.createdAt))
      .limit(MAX_LISTED),
    ctx.db
      .select({ token: apiToken, warrant, suspendedSince: suspendedSince(apiToken.warrantId) })
      .from(apiToken)
      .innerJoin(warrant, eq(warrant.id, apiToken.warrantId))
      .where(and(isTokenOf(ctx, place), isNull(warrant.endedAt)))
      .orderBy(desc(apiToken.createdAt))
      .limit(MAX_LISTED),
  ])
  const access = [
    ...sessions.map(({ session: row, signers, ...more }) =>
      toAccess({ ...row, ...more, signers, token: null, lastUsedAt: row.lastSeenAt }),
    ),
    ...tokens.map(({ token, warrant: { signers, userAgent, clientAddress, isFramed }, ...more }) =>
      toAccess({ ...token, ...more, signers, userAgent, clientAddress, isFramed, token }),
    ),
  ]
  return { access: access.toSorted((one, other) => (one.createdAt < other.createdAt ? 1 : -1)) }
}

/**
 * Ends a session or an API token of a Safe. One owner is enough.
 *
 * @throws CountersignError `SAFE_NOT_FOUND`, `NOT_A_MEMBER`, `NOT_AN_OWNER`, `SESSION_NOT_FOUND`.
 */
export async function endSafeAccess(ctx: SignedInCtx, { id, ...place }: Input<typeof endEndpoint>): Promise<undefined> {
  await requireOwner(ctx, place.chainId, place.safeAddress)
  const account = ctx.viewer.address
  await write(ctx, null, async (tx, log) => {
    const ended = await tx
      .update(session)
      .set({ revokedAt: log.now, revokedBy: account, expiresAt: log.now })
      .where(and(isSessionOf(ctx, place), eq(session.id, id)))
      .returning({ id: session.id })
    const removed = await tx
      .delete(apiToken)
      .where(and(isOfSafe(apiToken, place), eq(apiToken.id, id)))
      .returning({ name: apiToken.name })
    if (ended.length + removed.length === 0) throw fail('SESSION_NOT_FOUND', { id, account: place.safeAddress })
    const [token] = removed
    log.add({ verb: 'ended-access', account, ...place, detail: token ? { name: token.name } : {} })
    log.notify({ kind: 'session-ended', sessionId: id })
  })
}

/** Condition: the Safe's contract on this chain proved the token. On another chain the address may belong to others. */
function isOfSafe(table: typeof apiToken, { chainId, safeAddress }: Place): SQL | undefined {
  return and(eq(table.account, safeAddress), eq(table.chainId, chainId), eq(table.provenBy, 'contract'))
}

function isTokenOf({ clock }: SignedInCtx, place: Place): SQL | undefined {
  return and(isOfSafe(apiToken, place), or(isNull(apiToken.expiresAt), gt(apiToken.expiresAt, clock())))
}

function isSessionOf({ clock, sessionLimits }: SignedInCtx, { chainId, safeAddress }: Place): SQL | undefined {
  const now = clock()
  return and(
    eq(session.address, safeAddress),
    eq(session.chainId, chainId),
    eq(session.provenBy, 'contract'),
    gt(session.expiresAt, now),
    gt(session.lastSeenAt, new Date(now.getTime() - sessionLimits.idleMilliseconds)),
  )
}

function toAccess({
  userAgent,
  createdAt,
  lastUsedAt,
  expiresAt,
  suspendedSince: suspended,
  token,
  ...row
}: Pick<SafeAccess, 'id' | 'clientAddress' | 'isFramed' | 'signers' | 'token'> & {
  userAgent: string | null
  createdAt: Date
  lastUsedAt: Date | null
  expiresAt: Date | null
  suspendedSince: Date | null
}): SafeAccess {
  const { id, clientAddress, isFramed, signers } = row
  return {
    id,
    clientAddress,
    isFramed,
    signers,
    ...describeDevice(userAgent),
    token: token && { name: token.name, scopes: token.scopes },
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    expiresAt: expiresAt?.toISOString() ?? null,
    suspendedSince: suspended?.toISOString() ?? null,
  }
}
