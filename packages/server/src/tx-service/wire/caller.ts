import type { Context } from 'hono'
import type { Deps, SignedInCtx } from '../../context.ts'
import { findTokenViewer } from '../../http/api-token.ts'
import type { Variables } from '../../http/variables.ts'
import { isProvenOn, type Viewer } from '../../safes/viewer.ts'
import type { Work } from '../../workload/work.ts'

/**
 * Finds the account that asks, on one chain; null for an unknown one. Only an API token proves it: this transport
 * answers every origin, so the cookies that a browser sends by itself count for nothing.
 *
 * @throws CountersignError `TOKEN_UNKNOWN`, `TOKEN_EXPIRED`.
 */
export async function findCaller(c: Context<Variables>, deps: Deps, chainId: number): Promise<Viewer | null> {
  const viewer = await findTokenViewer(c, deps)
  return viewer && isProvenOn(viewer, chainId) ? viewer : null
}

/** Gives verbs the context of a request. */
export function ctxOf({
  deps,
  c,
  viewer,
  work,
}: {
  deps: Deps
  c: Context<Variables>
  viewer: Viewer
  work: Work
}): SignedInCtx {
  return { ...deps, requestId: c.get('requestId'), viewer, work }
}
