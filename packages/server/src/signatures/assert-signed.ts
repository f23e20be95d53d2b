import { fail } from '@countersign/contract'
import type { Address, Hex } from 'viem'
import type { SignedInCtx } from '../context.ts'
import { chainOf, unreachable } from '../rpc/clients.ts'
import { recoverSigner } from './recover.ts'
import { askAccount } from './verify-signature.ts'

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
  if (verdict === 'invalid') throw fail('SIGNATURE_INVALID', { reason: 'typed-data', account, hash })
  return account
}
