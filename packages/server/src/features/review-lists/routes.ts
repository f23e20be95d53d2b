import { getReviewLists, MAX_ABIS } from '@countersign/contract'
import { mount, type Router } from '../../http/endpoint.ts'
import { requireSharedSafe } from '../../safes/access.ts'
import { findAbis } from '../book/abis.ts'
import { findNames } from '../book/names.ts'
import { readPolicy } from '../policy/read.ts'
import { findQueueClaims } from '../transactions/queue-claims.ts'

export function reviewListRoutes(router: Router): void {
  mount(router, getReviewLists, async (ctx, { chainId, safeAddress, lists }) => {
    await requireSharedSafe(ctx, chainId, safeAddress)
    const place = { chainId, safeAddress }
    const [claims, names, abis, policy] = await Promise.all([
      lists.includes('claims') ? findQueueClaims(ctx, place) : undefined,
      lists.includes('names') ? findNames(ctx, place) : undefined,
      lists.includes('abis') ? findAbis(ctx, { ...place, limit: MAX_ABIS }) : undefined,
      lists.includes('policy') ? readPolicy(ctx, place) : undefined,
    ])
    return { ...(claims && { claims }), ...(names && { names }), ...(abis && { abis }), ...(policy && { policy }) }
  })
}
