import type { findPastPrices as endpoint, Input, Reply } from '@countersign/contract'
import { and, eq, inArray } from 'drizzle-orm'
import type { SignedInCtx } from '../../context.ts'
import { historyEntry } from '../../db/schema.ts'
import { chainOf } from '../../rpc/clients.ts'

/** Finds what assets cost at blocks in which something happened to the Safe: nobody is asked about others. */
export async function findPastPrices(
  ctx: SignedInCtx,
  { chainId, safeAddress, moments }: Input<typeof endpoint>,
): Promise<Reply<typeof endpoint>> {
  const chain = chainOf(ctx.chains, chainId)
  if (ctx.prices.currency === null || moments.length === 0) return { prices: [] }
  const numbers = [...new Set(moments.map(({ blockNumber }) => blockNumber))]
  const blocks = await ctx.db
    .selectDistinct({ blockNumber: historyEntry.blockNumber, time: historyEntry.blockTime })
    .from(historyEntry)
    .where(
      and(
        eq(historyEntry.chainId, chainId),
        eq(historyEntry.safeAddress, safeAddress),
        inArray(historyEntry.blockNumber, numbers),
      ),
    )
  const times = new Map(blocks.map(({ blockNumber, time }) => [blockNumber, time]))
  const known = moments.flatMap((moment) => {
    const time = times.get(moment.blockNumber)
    return time ? [{ ...moment, time }] : []
  })
  const prices = await ctx.prices.past(chain, known)
  return {
    prices: known.flatMap(({ blockNumber }, at) => {
      const price = prices[at]
      return price ? [{ ...price, blockNumber }] : []
    }),
  }
}
