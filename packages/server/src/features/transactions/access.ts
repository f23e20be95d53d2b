import { fail, type MultisigTransaction, type Role } from '@countersign/contract'
import type { CountersignError } from '@countersign/safe'
import type { Hex } from 'viem'
import type { SignedInCtx } from '../../context.ts'
import { chainOf } from '../../rpc/clients.ts'
import { findVisibleTransaction } from './queries.ts'

export function transactionNotFound(chainId: number, safeTxHash: Hex): CountersignError {
  return fail('TRANSACTION_NOT_FOUND', { reason: 'transaction', chainId, safeTxHash })
}

/**
 * A transaction as the account may see it: the team all of it, others what is executed on a Safe of their list.
 *
 * @throws CountersignError `TRANSACTION_NOT_FOUND`, also when it is there and not for this account.
 */
export async function requireVisibleTransaction(
  ctx: SignedInCtx,
  chainId: number,
  safeTxHash: Hex,
): Promise<{ transaction: MultisigTransaction; role: Role | null }> {
  chainOf(ctx.chains, chainId)
  const found = await findVisibleTransaction(ctx.db, { chainId, safeTxHash, who: ctx.viewer, now: ctx.clock() })
  if (found) return found
  throw transactionNotFound(chainId, safeTxHash)
}
