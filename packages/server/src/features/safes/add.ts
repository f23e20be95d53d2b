import { fail, type Safe } from '@countersign/contract'
import type { CreationCall } from '@countersign/safe'
import { count, eq } from 'drizzle-orm'
import type { Address } from 'viem'
import type { SignedInCtx } from '../../context.ts'
import type { Executor } from '../../db/client.ts'
import { lockUntilCommit } from '../../db/lock-until-commit.ts'
import { safeListEntry } from '../../db/schema.ts'
import type { Log } from '../../outbox/append.ts'
import { write } from '../../outbox/write.ts'
import { chainOf } from '../../rpc/clients.ts'
import { requireListedSafe, requireSafe } from '../../safes/access.ts'
import { findCreation, storeCreation } from '../../safes/creations.ts'
import { tooMany } from '../book/bounds.ts'

const MAX_LISTED = 200

/**
 * Reads a Safe from the chain, keeps it, and puts it into the account's list. One that is not there yet comes with the call
 * that creates it: its address is computed from that.
 *
 * @throws CountersignError `CREATION_REFUSED`, `NOT_A_SAFE`, `SAFE_NOT_ALLOWED`, `TOO_MANY`.
 */
export async function addSafe(
  ctx: SignedInCtx,
  { chainId, address, creation }: { chainId: number; address: Address; creation?: CreationCall | undefined },
): Promise<Safe> {
  const chain = chainOf(ctx.chains, chainId)
  const account = ctx.viewer.address
  const state = await chain.readSafe(address, { creation })
  // A Safe that is only kept here is told of to its owners, and to those who know how it is created.
  if (state.creation && !creation && !state.owners.includes(account)) throw fail('NOT_A_SAFE', { address, chainId })
  await write(ctx, { state, addedBy: account }, async (tx, log) => {
    const place = { chainId, safeAddress: address }
    if (state.creation) await storeCreation(tx, { ...place, ...state.creation, keptBy: account, keptAt: log.now })
    await storeListEntry(tx, log, { account, ...place })
  })
  return requireSafe(ctx, chainId, address)
}

/**
 * The call that creates a Safe of the account's list.
 *
 * @throws CountersignError `SAFE_NOT_FOUND`, also where none is kept.
 */
export async function requireCreation(
  ctx: SignedInCtx,
  { chainId, safeAddress }: { chainId: number; safeAddress: Address },
): Promise<CreationCall> {
  await requireListedSafe(ctx, chainId, safeAddress)
  const found = await findCreation(ctx.db, { chainId, safeAddress })
  if (found) return found
  throw fail('SAFE_NOT_FOUND', { chainId, address: safeAddress })
}

/** @throws CountersignError `TOO_MANY` when the account's list is full. */
export async function storeListEntry(
  tx: Executor,
  log: Log,
  { account, chainId, safeAddress }: { account: Address; chainId: number; safeAddress: Address },
): Promise<void> {
  await lockUntilCommit(tx, `list ${account}`)
  const added = await tx
    .insert(safeListEntry)
    .values({ account, chainId, safeAddress, addedAt: log.now })
    .onConflictDoNothing()
    .returning({ account: safeListEntry.account })
  if (added.length === 0) return
  const [listed] = await tx.select({ count: count() }).from(safeListEntry).where(eq(safeListEntry.account, account))
  // The new one is among them.
  if ((listed?.count ?? 0) > MAX_LISTED) throw tooMany('safes', MAX_LISTED)
  log.add({ verb: 'added-safe', account, chainId, safeAddress })
}
