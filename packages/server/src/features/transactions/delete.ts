import type { deleteTransaction as endpoint, Input, MultisigTransaction } from '@countersign/contract'
import { CountersignError, canDelete, type SafeState } from '@countersign/safe-core'
import { and, eq } from 'drizzle-orm'
import { type Address, type Hex, keccak256 } from 'viem'
import { readCursor } from '../../chain/apply.ts'
import { chainOf } from '../../chain/clients.ts'
import type { Ctx, SignedInCtx } from '../../context.ts'
import { activity, multisigTransaction } from '../../db/schema.ts'
import { notify } from '../../live/notify.ts'
import { findDelegations } from '../safes/delegations.ts'
import { transactionNotFound } from './access.ts'
import { findTransactionAndRole } from './queries.ts'
import { requirePermission } from './require-permission.ts'

/** Deletes what the signed-in account has proposed. */
export async function deleteTransaction(
  ctx: SignedInCtx,
  { chainId, safeTxHash }: Input<typeof endpoint>,
): Promise<undefined> {
  await deleteProposal(ctx, { chainId, safeTxHash, account: ctx.viewer.address })
}

/**
 * Deletes a proposal that is not executed, with its confirmations: by its proposer, owner still or not, or by the delegate
 * who wrote it and is still one. The activity log keeps what it was.
 *
 * @param account who has proven to be the one that deletes
 * @throws CountersignError as `deleteTransaction` of the contract.
 */
export async function deleteProposal(
  ctx: Ctx,
  { chainId, safeTxHash, account }: { chainId: number; safeTxHash: Hex; account: Address },
): Promise<void> {
  const chain = chainOf(ctx.chains, chainId)
  const now = ctx.clock()
  const found = await findTransactionAndRole(ctx.db, { chainId, safeTxHash, account, now })
  if (!found) throw transactionNotFound(chainId, safeTxHash)
  const { safeAddress } = found.transaction
  const delegates = await findDelegations(ctx.db, { chainId, safeAddress, account, now })
  const may = canDelete({ transaction: found.transaction, account, delegates })
  if (!may.ok && found.role === null) throw transactionNotFound(chainId, safeTxHash)
  requirePermission(may, { safeTxHash, account, proposer: found.transaction.proposer })
  await checkNotExecuted(ctx, found.transaction, await chain.readSafe(safeAddress))

  await ctx.db.transaction(async (tx) => {
    const isIt = and(eq(multisigTransaction.chainId, chainId), eq(multisigTransaction.safeTxHash, safeTxHash))
    // Waits for a confirmation that is being written, and is waited for by the next one, which then finds nothing.
    const [locked] = await tx
      .select({ safeTxHash: multisigTransaction.safeTxHash })
      .from(multisigTransaction)
      .where(isIt)
      .for('update')
    const current = locked && (await findTransactionAndRole(tx, { chainId, safeTxHash, account, now }))
    if (!current) throw transactionNotFound(chainId, safeTxHash)
    requirePermission(canDelete({ transaction: current.transaction, account, delegates }), { safeTxHash, account })
    await tx.delete(multisigTransaction).where(isIt)
    const detail = factsOf(current.transaction)
    await tx.insert(activity).values({ at: now, account, verb: 'deleted', chainId, safeAddress, safeTxHash, detail })
    await notify(tx, { kind: 'transaction', chainId, safeAddress, safeTxHash })
  })
}

/** With a nonce that is used up it may have been executed just now: then it is history, and no proposal any more. */
async function checkNotExecuted(
  { db }: Ctx,
  { safeTx, safeTxHash, chainId }: MultisigTransaction,
  state: SafeState,
): Promise<void> {
  if (safeTx && safeTx.nonce >= state.nonce) return
  const cursor = await readCursor(db, chainId)
  if (cursor && cursor.blockNumber >= Number(state.blockNumber)) return
  throw new CountersignError(
    'HISTORY_BEHIND',
    `Whether \`${safeTxHash}\` was executed is not read yet: the Safe is at nonce \`${state.nonce}\`.`,
    { data: { safeTxHash, safeNonce: state.nonce.toString(), retryAfterSeconds: 2 } },
  )
}

/** What the log keeps of it. */
function factsOf(transaction: MultisigTransaction): Record<string, string> {
  const { safeTx, proposer, proposedByDelegate, confirmations } = transaction
  return {
    ...(proposer ? { proposer } : {}),
    ...(proposedByDelegate ? { proposedByDelegate } : {}),
    ...(safeTx
      ? {
          ...{ nonce: safeTx.nonce.toString(), to: safeTx.to, value: safeTx.value.toString() },
          ...{ operation: String(safeTx.operation), dataHash: keccak256(safeTx.data) },
        }
      : {}),
    confirmedBy: confirmations.map(({ owner }) => owner).join(' '),
  }
}
