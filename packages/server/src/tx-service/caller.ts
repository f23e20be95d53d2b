import type { Context } from 'hono'
import type { Deps, Viewer } from '../context.ts'
import { findTokenViewer } from '../http/api-token.ts'
import type { Variables } from '../http/endpoint.ts'
import { findRequestSession } from '../http/session.ts'

/**
 * Who asks, on one chain; null: nobody who is known here. An API token counts before a session, and wherever it comes
 * from. A browser sends its cookie by itself, so it counts only from one of our own pages.
 *
 * @throws CountersignError `TOKEN_UNKNOWN`, `TOKEN_EXPIRED`.
 */
export async function findCaller(c: Context<Variables>, deps: Deps, chainId: number): Promise<Viewer | null> {
  const byToken = await findTokenViewer(c, deps)
  if (byToken) return isProvenOn(byToken, chainId) ? byToken : null
  const found = await findRequestSession(c, deps)
  if (!found || found.isExpired) return null
  if (c.req.method !== 'GET' && c.req.header('origin') !== deps.publicUrl.origin) return null
  if (!isProvenOn(found, chainId)) return null
  const { address, tokenHash, id, provenBy } = found
  return { address, chainId: found.chainId, tokenHash, credential: { kind: 'session', id }, provenBy }
}

/** The address of a contract account may be of somebody else on another chain. */
function isProvenOn(viewer: Pick<Viewer, 'provenBy' | 'chainId'>, chainId: number): boolean {
  return viewer.provenBy === 'key' || viewer.chainId === chainId
}
