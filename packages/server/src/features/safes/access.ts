import type { Safe } from '@countersign/contract'
import { CountersignError } from '@countersign/safe-core'
import type { Address } from 'viem'
import { chainOf } from '../../chain/clients.ts'
import type { SignedInCtx } from '../../context.ts'
import { findSafe } from './queries.ts'

/** @throws CountersignError `SAFE_NOT_FOUND` when it is not in the account's list. */
export async function requireListedSafe(ctx: SignedInCtx, chainId: number, address: Address): Promise<Safe> {
  chainOf(ctx.chains, chainId)
  const found = await findSafe(ctx.db, ctx.viewer.address, chainId, address)
  if (found) return found
  throw new CountersignError('SAFE_NOT_FOUND', `The Safe \`${address}\` on chain \`${chainId}\` is not in your list.`, {
    data: { chainId, address },
  })
}

/** @throws CountersignError `NOT_AN_OWNER`, `SAFE_NOT_FOUND`. */
export async function requireOwnedSafe(ctx: SignedInCtx, chainId: number, address: Address): Promise<Safe> {
  const found = await requireListedSafe(ctx, chainId, address)
  if (found.isOwner) return found
  throw notAnOwner(ctx.viewer.address, address)
}

export function notAnOwner(account: Address, safeAddress: Address): CountersignError {
  return new CountersignError(
    'NOT_AN_OWNER',
    `The account \`${account}\` is not an owner of the Safe \`${safeAddress}\`.`,
    {
      data: { account, safeAddress },
    },
  )
}
