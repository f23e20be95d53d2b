import {
  exportHistory as exportEndpoint,
  findPastPrices as findPastPricesEndpoint,
  findPayments as findPaymentsEndpoint,
  listBalanceChanges,
  listHistory,
  listMovedListed,
  listTokens,
} from '@countersign/contract'
import { csvResponse } from '../../http/csv.ts'
import { mount, type Router } from '../../http/endpoint.ts'
import { chainOf } from '../../rpc/clients.ts'
import { requireListedSafe } from '../../safes/access.ts'
import { findBalanceChanges } from './balance-changes.ts'
import { exportHistory } from './export.ts'
import { findPastPrices } from './past-prices.ts'
import { findPayments } from './payments.ts'
import { findHistory } from './queries.ts'
import { findMovedListed, findTokens } from './tokens.ts'

export function historyRoutes(router: Router): void {
  mount(router, listHistory, async (ctx, input) => {
    chainOf(ctx.chains, input.chainId)
    const found = await findHistory(ctx, input)
    // An account without access finds nothing; this gives the reason.
    if (found.entries.length === 0) await requireListedSafe(ctx, input.chainId, input.safeAddress)
    return found
  })
  mount(router, listTokens, async (ctx, input) => {
    await requireListedSafe(ctx, input.chainId, input.safeAddress)
    return findTokens(ctx.db, input)
  })
  mount(router, listMovedListed, async (ctx, input) => {
    await requireListedSafe(ctx, input.chainId, input.safeAddress)
    return { tokens: await findMovedListed(ctx, input) }
  })
  mount(router, findPaymentsEndpoint, async (ctx, input) => {
    await requireListedSafe(ctx, input.chainId, input.safeAddress)
    return findPayments(ctx.db, input)
  })
  mount(router, listBalanceChanges, async (ctx, input) => {
    await requireListedSafe(ctx, input.chainId, input.safeAddress)
    return findBalanceChanges(ctx.db, input)
  })
  mount(
    router,
    findPastPricesEndpoint,
    async (ctx, input) => {
      await requireListedSafe(ctx, input.chainId, input.safeAddress)
      // One is taken for the request itself.
      router.admission.take('node', ctx.viewer.tokenHash, Math.max(0, input.moments.length - 1))
      return findPastPrices(ctx, input)
    },
    'node',
  )
  mount(router, exportEndpoint, async (ctx, input) => {
    await requireListedSafe(ctx, input.chainId, input.safeAddress)
    const lines = exportHistory(ctx, chainOf(ctx.chains, input.chainId), input)
    return csvResponse(`history-${input.chainId}-${input.safeAddress}.csv`, lines, () =>
      router.admission.enter('exports', ctx.viewer.address),
    )
  })
}
