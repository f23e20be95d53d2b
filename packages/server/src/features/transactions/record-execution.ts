import type { recordExecution as endpoint, Input, MultisigTransaction } from '@countersign/contract'
import { and, eq } from 'drizzle-orm'
import type { SignedInCtx } from '../../context.ts'
import { multisigTransaction } from '../../db/schema.ts'
import { write } from '../../outbox/write.ts'
import { requireOwnerOrProposer } from '../../safes/access.ts'
import { isReportKept } from '../signing/reports.ts'
import { requireVisibleTransaction, transactionNotFound } from './access.ts'
import { findTransaction } from './queries.ts'

/** Writes down that an Ethereum transaction was sent: a claim, shown as such, until the follower sees the execution. */
export async function recordExecution(
  ctx: SignedInCtx,
  { chainId, safeTxHash, transactionHash, reviewed }: Input<typeof endpoint>,
): Promise<MultisigTransaction> {
  const { transaction, role } = await requireVisibleTransaction(ctx, chainId, safeTxHash)
  if (!role) throw transactionNotFound(chainId, safeTxHash)
  // The chain lets anybody execute, and the follower sees it; a viewer writes nothing here.
  if (role === 'viewer') await requireOwnerOrProposer(ctx, chainId, transaction.safeAddress)
  if (transaction.isExecuted || transaction.pendingExecution?.transactionHash === transactionHash) return transaction
  const { safeAddress } = transaction
  const account = ctx.viewer.address
  return write(ctx, null, async (tx, log) => {
    const sent = await tx
      .update(multisigTransaction)
      .set({ pendingTransactionHash: transactionHash, pendingExecutor: account, pendingDate: log.now })
      .where(
        and(
          eq(multisigTransaction.chainId, chainId),
          eq(multisigTransaction.safeTxHash, safeTxHash),
          eq(multisigTransaction.isExecuted, false),
        ),
      )
      .returning({ safeTxHash: multisigTransaction.safeTxHash })
    if (sent.length > 0) {
      const isKept = reviewed && (await isReportKept(tx, { chainId, safeAddress, hash: safeTxHash, account }))
      const report = isKept ? { reviewed } : {}
      log.add({ verb: 'sent', account, chainId, safeAddress, safeTxHash, detail: { transactionHash }, ...report })
    }
    const stored = await findTransaction(tx, chainId, safeTxHash)
    if (!stored) throw transactionNotFound(chainId, safeTxHash)
    return stored
  })
}
