import { randomBytes } from 'node:crypto'
import { type ApiToken, type createApiToken as createEndpoint, fail, type Input } from '@countersign/contract'
import { and, desc, eq, isNull, lt, type SQL, sql } from 'drizzle-orm'
import type { Hex } from 'viem'
import type { Deps, SignedInCtx } from '../../context.ts'
import type { Executor } from '../../db/client.ts'
import { lockUntilCommit } from '../../db/lock-until-commit.ts'
import { session } from '../../db/schema.ts'
import { apiToken } from '../../db/team-schema.ts'
import { write } from '../../outbox/write.ts'
import { isWarranted } from '../../warrants/standing.ts'
import { tooMany } from '../book/bounds.ts'
import { requireInFuture } from '../team/expiry.ts'

const MAX_TOKENS = 50
const DAY = 86_400_000
/** The people who may sign for a contract account can change unnoticed, and its sessions end within hours. */
const CONTRACT_MS = 30 * DAY
/** Expired ones stay for a while, so that their owner sees why a script has stopped. */
const KEPT_MS = 30 * DAY

export async function listApiTokens(ctx: SignedInCtx): Promise<{ tokens: ApiToken[] }> {
  const rows = await ctx.db
    .select()
    .from(apiToken)
    .where(isOfViewer(ctx))
    .orderBy(desc(apiToken.createdAt), apiToken.id)
    .limit(2 * MAX_TOKENS)
  return { tokens: rows.map(toApiToken) }
}

/** @throws CountersignError `TOO_MANY`; `INVALID_REQUEST` for an end in the past or, of a contract account, too far. */
export async function createApiToken(
  ctx: SignedInCtx,
  { name, scopes, expiresAt, tokenHash }: Input<typeof createEndpoint> & { tokenHash: Hex },
): Promise<ApiToken> {
  const { address: account, chainId, provenBy, warrantId } = ctx.viewer
  const now = ctx.clock()
  const end = endOf(expiresAt, provenBy, now)
  return write(ctx, null, async (tx, log) => {
    await lockUntilCommit(tx, `api-token ${account}`)
    await requireOpenSession(tx, ctx)
    const isValid = sql`(${apiToken.expiresAt} is null or ${apiToken.expiresAt} > ${now.toISOString()}::timestamptz)`
    if ((await tx.$count(apiToken, and(eq(apiToken.account, account), isValid))) >= MAX_TOKENS)
      throw tooMany('tokens', MAX_TOKENS)
    const [made] = await tx
      .insert(apiToken)
      .values({
        tokenHash,
        id: randomBytes(12).toString('hex'),
        account,
        chainId,
        provenBy,
        name,
        scopes,
        createdAt: now,
        expiresAt: end,
        warrantId,
      })
      .returning()
    if (!made) throw new Error('The token was not written')
    log.add({ verb: 'made-token', account, chainId })
    return toApiToken(made)
  })
}

/** @throws CountersignError `TOKEN_NOT_FOUND`, also for one of somebody else. */
export async function revokeApiToken(ctx: SignedInCtx, { id }: { id: string }): Promise<undefined> {
  const { address: account } = ctx.viewer
  await write(ctx, null, async (tx, log) => {
    const [revoked] = await tx
      .delete(apiToken)
      .where(and(isOfViewer(ctx), eq(apiToken.id, id)))
      .returning({ chainId: apiToken.chainId })
    if (!revoked) throw fail('TOKEN_NOT_FOUND', { id, account })
    log.add({ verb: 'revoked-token', account, chainId: revoked.chainId })
    log.notify({ kind: 'session-ended', sessionId: id })
  })
}

export async function removeExpiredTokens({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  await db.delete(apiToken).where(lt(apiToken.expiresAt, new Date(clock().getTime() - KEPT_MS)))
}

/** A session that somebody ends meanwhile makes no token that outlives it. */
async function requireOpenSession(tx: Executor, { viewer }: SignedInCtx): Promise<void> {
  const isOpen = and(eq(session.id, viewer.credential.id), isNull(session.revokedAt), isWarranted(session.warrantId))
  const [open] = await tx.select({ id: session.id }).from(session).where(isOpen).for('share')
  if (!open) throw fail('NOT_SIGNED_IN')
}

/** As with sessions: who holds the key sees all, who was proven by a contract what was proven by it. */
function isOfViewer({ viewer }: SignedInCtx): SQL | undefined {
  const { address, chainId, provenBy } = viewer
  const isOfAccount = eq(apiToken.account, address)
  if (provenBy === 'key') return isOfAccount
  return and(isOfAccount, eq(apiToken.chainId, chainId), eq(apiToken.provenBy, 'contract'))
}

function endOf(asked: string | null, provenBy: 'key' | 'contract', now: Date): Date | null {
  const last = provenBy === 'contract' ? new Date(now.getTime() + CONTRACT_MS) : null
  const end = asked === null ? last : new Date(asked)
  requireInFuture('expiresAt', end, now)
  if (!end || !last || end <= last) return end
  throw fail('INVALID_REQUEST', {
    reason: 'late',
    field: 'expiresAt',
    last: last.toISOString(),
    value: asked ?? '',
    errors: [{ path: 'expiresAt', message: `must not be after \`${last.toISOString()}\`` }],
  })
}

function toApiToken(row: typeof apiToken.$inferSelect): ApiToken {
  const { id, name, scopes, chainId, createdAt, expiresAt, lastUsedAt, lastUsedFrom } = row
  return {
    id,
    name,
    scopes,
    chainId,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    lastUsedFrom,
  }
}
