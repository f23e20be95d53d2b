import {
  addSafe as addEndpoint,
  getSafe,
  getSafeCreation,
  listSafes,
  resumeReading,
  stopReading,
} from '@countersign/contract'
import { mount, type Router } from '../../http/endpoint.ts'
import { requireSafe } from '../../safes/access.ts'
import { findSafes } from '../../safes/queries.ts'
import { isProvenOn } from '../../safes/viewer.ts'
import { findPaid } from '../history/payments.ts'
import { addSafe, requireCreation } from './add.ts'
import { setReading } from './reading.ts'

export function safeRoutes(router: Router): void {
  mount(router, listSafes, async (ctx) => {
    const chainIds = [...ctx.chains.keys()].filter((chainId) => isProvenOn(ctx.viewer, chainId))
    return { safes: await findSafes(ctx.db, ctx.viewer, chainIds, ctx.clock()) }
  })
  mount(router, addEndpoint, addSafe)
  mount(router, getSafe, async (ctx, { chainId, safeAddress }) => {
    const [safe, paid] = await Promise.all([
      requireSafe(ctx, chainId, safeAddress),
      findPaid(ctx.db, { chainId, safeAddress }),
    ])
    return { ...safe, ...paid }
  })
  mount(router, getSafeCreation, requireCreation)
  mount(router, stopReading, (ctx, place) => setReading(ctx, place, false))
  mount(router, resumeReading, (ctx, place) => setReading(ctx, place, true))
}
