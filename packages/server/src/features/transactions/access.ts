import type { MultisigTransaction } from '@countersign/contract'
import { CountersignError } from '@countersign/safe-core'
import type { Hex } from 'viem'
import { chainOf } from '../../chain/clients.ts'
import type { SignedInCtx } from '../../context.ts'
import { findSafe } from '../safes/queries.ts'
import { findTransaction } from './queries.ts'

export function transactionNotFound(chainId: number, safeTxHash: Hex): CountersignError {
  return new CountersignError(
    'TRANSACTION_NOT_FOUND',
    `The transaction \`${safeTxHash}\` is not known here on chain \`${chainId}\`.`,
    {
      data: { chainId, safeTxHash },
    },
  )
}

/**
 * A transaction as the account may see it: owners all of it, others what is executed on a Safe of their list.
 *
 * @throws CountersignError `TRANSACTION_NOT_FOUND`, also when it is there and not for this account.
 */
export async function requireVisibleTransaction(
  ctx: SignedInCtx,
  chainId: number,
  safeTxHash: Hex,
): Promise<{ transaction: MultisigTransaction; isOwner: boolean }> {
  chainOf(ctx.chains, chainId)
  const transaction = await findTransaction(ctx.db, chainId, safeTxHash)
  const safe = transaction && (await findSafe(ctx.db, ctx.viewer.address, chainId, transaction.safeAddress))
  if (!transaction || !safe || (!safe.isOwner && !transaction.isExecuted))
    throw transactionNotFound(chainId, safeTxHash)
  if (safe.isOwner) return { transaction, isOwner: true }
  const seen = await findTransaction(ctx.db, chainId, safeTxHash, false)
  if (!seen) throw transactionNotFound(chainId, safeTxHash)
  return { transaction: seen, isOwner: false }
}
