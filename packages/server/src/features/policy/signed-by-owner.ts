import { fail } from '@countersign/contract'
import type { Address, Hex } from 'viem'
import type { SignedInCtx } from '../../context.ts'
import { chainOf, unreachable } from '../../rpc/clients.ts'
import type { SafeReading } from '../../rpc/state-reader.ts'
import { notAnOwner, requireListedSafe } from '../../safes/access.ts'
import { recoverSigner } from '../../signatures/recover.ts'
import { askAccount } from '../../signatures/verify-signature.ts'
import type { Place } from './queries.ts'

/**
 * Reads the Safe as it is on the chain now, when the signed-in account is an owner of it.
 *
 * @throws CountersignError `SAFE_NOT_FOUND`, `NOT_AN_OWNER`, and what reading the chain throws.
 */
export async function requireOwnerNow(ctx: SignedInCtx, { chainId, safeAddress }: Place): Promise<SafeReading> {
  await requireListedSafe(ctx, chainId, safeAddress)
  const state = await chainOf(ctx.chains, chainId).readSafe(safeAddress)
  if (!state.owners.includes(ctx.viewer.address)) throw notAnOwner(ctx.viewer.address, safeAddress)
  return state
}

/**
 * Verifies that the signed-in account made a signature: its key, or its contract.
 *
 * @throws CountersignError `SIGNATURE_INVALID`, `CHAIN_UNREACHABLE`.
 */
export async function assertSigned(
  ctx: SignedInCtx,
  { chainId, hash, signature }: { chainId: number; hash: Hex; signature: Hex },
): Promise<Address> {
  const account = ctx.viewer.address
  if ((await recoverSigner(hash, signature)) === account) return account
  const chain = chainOf(ctx.chains, chainId)
  const verdict = await askAccount(chain, { account, hash, signature })
  if (verdict === 'unavailable') throw unreachable(chain.settings, undefined)
  if (verdict === 'invalid') throw fail('SIGNATURE_INVALID', { reason: 'policy', account, hash })
  return account
}
