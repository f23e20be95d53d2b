import type { getPolicy as getEndpoint, Input, Reply, getSpentAmounts as spentEndpoint } from '@countersign/contract'
import type { SignedInCtx } from '../../context.ts'
import { requireSharedSafe } from '../../safes/access.ts'
import { findInForce, findProposed, policyOf, toVersion } from './queries.ts'
import { spentAmounts } from './spent.ts'

/** The version in force and the one that is proposed, with every signature on them, for the team. */
export async function getPolicy(
  ctx: SignedInCtx,
  { chainId, safeAddress }: Input<typeof getEndpoint>,
): Promise<Reply<typeof getEndpoint>> {
  await requireSharedSafe(ctx, chainId, safeAddress)
  return readPolicy(ctx, { chainId, safeAddress })
}

/** Reads the same; whoever asks is of the team. */
export async function readPolicy(
  ctx: SignedInCtx,
  place: Pick<Input<typeof getEndpoint>, 'chainId' | 'safeAddress'>,
): Promise<Reply<typeof getEndpoint>> {
  const [inForce, proposed] = await Promise.all([findInForce(ctx.db, place, ctx), findProposed(ctx.db, place, ctx)])
  const [served, open] = await Promise.all([
    inForce && toVersion(ctx.db, inForce),
    proposed && toVersion(ctx.db, proposed),
  ])
  return { inForce: served ?? null, proposed: open ?? null }
}

/** Sums for each amount limit of the policy in force. */
export async function getSpentAmounts(
  ctx: SignedInCtx,
  { chainId, safeAddress, besideNonce }: Input<typeof spentEndpoint>,
): Promise<Reply<typeof spentEndpoint>> {
  await requireSharedSafe(ctx, chainId, safeAddress)
  const place = { chainId, safeAddress }
  const stored = await findInForce(ctx.db, place, ctx)
  if (!stored) return { spent: [] }
  const nonce = besideNonce === undefined ? null : BigInt(besideNonce)
  return {
    spent: await spentAmounts(
      ctx.db,
      { ...place, now: ctx.clock(), tokenLists: ctx.tokenLists },
      policyOf(stored).amountLimits,
      nonce,
    ),
  }
}
