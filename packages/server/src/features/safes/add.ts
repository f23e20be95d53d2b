import type { Safe } from '@countersign/contract'
import { count, eq } from 'drizzle-orm'
import type { Address } from 'viem'
import type { SignedInCtx } from '../../context.ts'
import type { Executor } from '../../db/client.ts'
import { lockUntilCommit } from '../../db/lock-until-commit.ts'
import { safeListEntry } from '../../db/schema.ts'
import type { Log } from '../../outbox/append.ts'
import { write } from '../../outbox/write.ts'
import { chainOf } from '../../rpc/clients.ts'
import { requireSafe } from '../../safes/access.ts'
import { tooMany } from '../book/bounds.ts'

const MAX_LISTED = 200

/** Reads a Safe from the chain, keeps it, and puts it into the account's list. */
export async function addSafe(
  ctx: SignedInCtx,
  { chainId, address }: { chainId: number; address: Address },
): Promise<Safe> {
  const chain = chainOf(ctx.chains, chainId)
  const account = ctx.viewer.address
  const state = await chain.readSafe(address)
  await write(ctx, { state, addedBy: account }, (tx, log) =>
    storeListEntry(tx, log, { account, chainId, safeAddress: address }),
  )
  return requireSafe(ctx, chainId, address)
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
