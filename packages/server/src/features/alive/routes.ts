import { listSignatures } from '@countersign/contract'
import { mount, type Router } from '../../http/endpoint.ts'
import { chainOf } from '../../rpc/clients.ts'
import { requireSharedSafe } from '../../safes/access.ts'
import { findSignatures } from './queries.ts'

export function aliveRoutes(router: Router): void {
  mount(router, listSignatures, async (ctx, input) => {
    chainOf(ctx.chains, input.chainId)
    const found = await findSignatures(ctx, input)
    // An account that may not see it finds nothing, and is told why.
    if (found.signed.length === 0) await requireSharedSafe(ctx, input.chainId, input.safeAddress)
    return found
  })
}
