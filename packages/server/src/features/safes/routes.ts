import { addSafe as addEndpoint, getSafe, listSafes } from '@countersign/contract'
import { mount, type Router } from '../../http/endpoint.ts'
import { requireListedSafe } from './access.ts'
import { addSafe } from './add.ts'
import { findSafes } from './queries.ts'

export function safeRoutes(router: Router): void {
  mount(router, listSafes, async (ctx) => ({
    safes: await findSafes(ctx.db, ctx.viewer.address, [...ctx.chains.keys()]),
  }))
  mount(router, addEndpoint, addSafe)
  mount(router, getSafe, (ctx, { chainId, safeAddress }) => requireListedSafe(ctx, chainId, safeAddress))
}
