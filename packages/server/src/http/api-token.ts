import { fail, type TokenScope } from '@countersign/contract'
import { and, eq, getTableColumns, isNull, lt, or, sql } from 'drizzle-orm'
import type { Context } from 'hono'
import type { Address } from 'viem'
import type { Deps } from '../context.ts'
import { builtOnce } from '../db/built-once.ts'
import { apiToken } from '../db/team-schema.ts'
import { requireAllowedAccount } from '../safes/allowed.ts'
import type { Viewer } from '../safes/viewer.ts'
import { endedAt, suspendedSince } from '../warrants/standing.ts'
import { hashToken, newToken } from './random-token.ts'
import type { Variables } from './variables.ts'

/** By which people and secret scanners know what it is, and by which it is told from what a proxy may add. */
const PREFIX = 'csn_'
/** Writing the time of every request would make every read a write. */
const TOUCH_MS = 60_000

export function newApiToken(): string {
  return `${PREFIX}${newToken()}`
}

/** The API token in the Authorization header; null when there is none, or something else that is not for us. */
export function parseApiToken(header: string | undefined): string | null {
  const [, token] = /^Bearer +(\S+) *$/i.exec(header ?? '') ?? []
  return token?.startsWith(PREFIX) ? token : null
}

/** Planned once, as that of a session. */
const selectToken = builtOnce((db, name: 'api-token') =>
  db
    .select({
      ...getTableColumns(apiToken),
      endedAt: endedAt(apiToken.warrantId),
      suspendedAt: suspendedSince(apiToken.warrantId),
    })
    .from(apiToken)
    .where(eq(apiToken.tokenHash, sql.param(sql.placeholder('tokenHash'), apiToken.tokenHash)))
    .prepare(name),
)

/**
 * Finds the account of the API token in this request; null without a token.
 *
 * @throws CountersignError `TOKEN_UNKNOWN` also for one that was revoked, `TOKEN_EXPIRED`, `OWNERS_CHANGED`, `ACCOUNT_NOT_ALLOWED`.
 */
export async function findTokenViewer(
  c: Context<Variables>,
  { db, clock, access }: Pick<Deps, 'db' | 'clock' | 'access'>,
): Promise<Viewer | null> {
  const token = parseApiToken(c.req.header('authorization'))
  if (token === null) return null
  const tokenHash = hashToken(token)
  const [found] = await selectToken(db, 'api-token').execute({ tokenHash })
  if (!found) throw fail('TOKEN_UNKNOWN', { start: PREFIX })
  const { id, name, account: address, chainId, provenBy, scopes, expiresAt, lastUsedAt, warrantId } = found
  const now = clock()
  if (expiresAt && now >= expiresAt) throw fail('TOKEN_EXPIRED', { id, name, expiresAt: expiresAt.toISOString() })
  requireWarrant(found)
  await requireAllowedAccount({ db, clock, access }, address)
  const touchBefore = new Date(now.getTime() - TOUCH_MS)
  if (!lastUsedAt || lastUsedAt < touchBefore)
    await db
      .update(apiToken)
      .set({ lastUsedAt: now, lastUsedFrom: c.get('clientAddress') })
      .where(
        and(eq(apiToken.tokenHash, tokenHash), or(isNull(apiToken.lastUsedAt), lt(apiToken.lastUsedAt, touchBefore))),
      )
  return { address, chainId, tokenHash, credential: { kind: 'token', id, scopes }, provenBy, warrantId }
}

/** A contract account's token is valid as long as the signature behind the session that created it. */
function requireWarrant(token: {
  name: string
  account: Address
  provenBy: 'key' | 'contract'
  warrantId: string | null
  createdAt: Date
  endedAt: Date | null
  suspendedAt: Date | null
}): void {
  const { name, account: address, suspendedAt } = token
  const ended = token.provenBy === 'contract' && !token.warrantId ? token.createdAt : token.endedAt
  if (ended) throw fail('OWNERS_CHANGED', { reason: 'token-ended', name, address, since: ended.toISOString() })
  if (suspendedAt) throw fail('OWNERS_CHANGED', { reason: 'token', name, address, since: suspendedAt.toISOString() })
}

/** @throws CountersignError `SESSION_REQUIRED` for what no token may do, `SCOPE_MISSING` for what this one may not. */
export function requireScope({ credential }: Viewer, scope: TokenScope | 'session'): void {
  if (credential.kind === 'session') return
  if (scope === 'session') throw fail('SESSION_REQUIRED')
  if (!credential.scopes.includes(scope)) throw fail('SCOPE_MISSING', { scope, scopes: credential.scopes })
}
