import type { Context } from 'hono'
import type { Deps, Viewer } from '../context.ts'
import { findRequestSession } from '../http/session.ts'

/**
 * Who asks, on one chain; null: nobody who is known here. A browser sends its cookie by itself, so it counts only from
 * one of our own pages.
 */
export async function findCaller(c: Context, deps: Deps, chainId: number): Promise<Viewer | null> {
  const found = await findRequestSession(c, deps)
  if (!found || found.isExpired) return null
  if (c.req.method !== 'GET' && c.req.header('origin') !== deps.publicUrl.origin) return null
  const { address, tokenHash, id: sessionId, provenBy } = found
  // The address of a contract account may be of somebody else on another chain.
  if (provenBy === 'contract' && found.chainId !== chainId) return null
  return { address, chainId: found.chainId, tokenHash, sessionId, provenBy }
}
