import { type deleteTransaction as endpoint, fail, type Input, type MultisigTransaction } from '@countersign/contract'
import { canDelete, type SafeState } from '@countersign/safe'
import { and, eq, isNotNull, isNull, or } from 'drizzle-orm'
import { type Address, type Hex, keccak256 } from 'viem'
import type { Ctx, SignedInCtx } from '../../context.ts'
import type { Executor } from '../../db/client.ts'
import { chainCursor, multisigTransaction, safe } from '../../db/schema.ts'
import { write } from '../../outbox/write.ts'
import { chainOf } from '../../rpc/clients.ts'
import { findDelegations } from '../../safes/delegations.ts'
import { type Who, whoIs } from '../../safes/viewer.ts'
import { keepDeletedTransaction } from '../alive/deleted-proposals.ts'
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
 * who wrote it and is still one. The activity log keeps what it was; what was signed stays among what can still be
 * executed.
 *
 * @param account who has proven to be the one that deletes
 * @throws CountersignError as `deleteTransaction` of the contract.
 */
export async function deleteProposal(ctx: Ctx, given: Omit<Key, 'who'>): Promise<void> {
  const { chainId, safeTxHash, account } = given
  const key = { ...given, who: whoIs(ctx, account) }
  const chain = chainOf(ctx.chains, chainId)
  const found = await findDeletable(ctx.db, key, { now: ctx.clock(), state: null })
  const { safeAddress } = found
  const state = await chain.readSafe(safeAddress)
  await checkNotExecuted(ctx, found, state)

  await write(ctx, null, async (tx, log) => {
    const byHash = and(eq(multisigTransaction.chainId, chainId), eq(multisigTransaction.safeTxHash, safeTxHash))
    // Waits for a confirmation that is being written, and is waited for by the next one, which then finds nothing.
    await tx
      .select({ safeTxHash: multisigTransaction.safeTxHash })
      .from(multisigTransaction)
      .where(byHash)
      .for('update')
    // The right to delete is decided at this moment.
    const deletable = await findDeletable(tx, key, { now: ctx.clock(), state })
    const detail = factsOf(deletable)
    await keepDeletedTransaction(tx, deletable, state.nonce, log.now)
    await tx.delete(multisigTransaction).where(byHash)
    log.add({ verb: 'deleted', account, chainId, safeAddress, safeTxHash, detail })
  })
}

type Key = { chainId: number; safeTxHash: Hex; account: Address; who: Who | null }

/** @param state of the Safe on the chain; null: as it was read last, which tells who may know of the transaction. */
async function findDeletable(
  db: Executor,
  { chainId, safeTxHash, account, who }: Key,
  { now, state }: { now: Date; state: SafeState | null },
): Promise<MultisigTransaction> {
  const found = await findTransactionAndRole(db, { chainId, safeTxHash, who, now })
  if (!found) throw transactionNotFound(chainId, safeTxHash)
  const { transaction, saved, role } = found
  const { owners } = state ?? saved
  const { safeAddress, proposer } = transaction
  const delegations = await findDelegations(db, { chainId, safeAddress, account, now })
  // In force while the delegator is an owner.
  const delegates = delegations.filter(({ delegator }) => owners.includes(delegator))
  const may = canDelete({ transaction, account, delegates })
  if (!may.ok && role === null) throw transactionNotFound(chainId, safeTxHash)
  requirePermission(may, { safeTxHash, account, proposer })
  return transaction
}

/**
 * Refuses while a proposal whose nonce is used may have been executed without the history knowing: the history of its chain or of
 * its Safe is not read as far. One that the team has stopped is not waited for.
 */
async function checkNotExecuted(
  { db }: Ctx,
  { safeTx, safeTxHash, chainId, safeAddress }: MultisigTransaction,
  state: SafeState,
): Promise<void> {
  if (safeTx && safeTx.nonce >= state.nonce) return
  const isRead = or(isNull(safe.backfillBlock), isNotNull(safe.backfillStoppedAt))
  const [cursor] = await db
    .select({ blockNumber: chainCursor.blockNumber })
    .from(chainCursor)
    .innerJoin(safe, eq(safe.chainId, chainCursor.chainId))
    .where(and(eq(safe.chainId, chainId), eq(safe.address, safeAddress), isRead))
  if (cursor && cursor.blockNumber >= Number(state.blockNumber)) return
  throw fail('HISTORY_BEHIND', { safeTxHash, safeNonce: state.nonce, retryAfterSeconds: 2 })
}

/** Gives the facts that the log keeps of it. */
function factsOf(transaction: MultisigTransaction): Record<string, string> {
  const { safeTx, proposer, proposedByDelegate, confirmations } = transaction
  return {
    ...(proposer ? { proposer } : {}),
    ...(proposedByDelegate ? { proposedByDelegate } : {}),
    ...(safeTx
      ? {
          nonce: safeTx.nonce.toString(),
          to: safeTx.to,
          value: safeTx.value.toString(),
          operation: String(safeTx.operation),
          dataHash: keccak256(safeTx.data),
        }
      : {}),
    confirmedBy: confirmations.map(({ owner }) => owner).join(' '),
  }
}
