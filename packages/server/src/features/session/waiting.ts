import type { OwnersPending } from '@countersign/contract'
import { and, desc, eq, gt, isNotNull, isNull } from 'drizzle-orm'
import type { Address, Hex } from 'viem'
import type { Ctx } from '../../context.ts'
import { waitingSignIn as table } from '../../db/schema.ts'
import { nonceOf, unusable } from './sign-in.ts'

/*
 * That a browser waits for the owners of a Safe is kept here and not in its storage: a browser may forbid storage to a
 * framed page, and then forgets with each reload what owners have signed.
 */

/** The sign-in that this browser waits for as this account; null when it waits for none. */
export async function findWaitingSignIn(
  { db, clock }: Ctx,
  { address, chainId, browserHash }: { address: Address; chainId: number; browserHash: Hex },
): Promise<{ message: string; expiresAt: string; pending: OwnersPending } | null> {
  const [found] = await db
    .select({ message: table.message, expiresAt: table.expiresAt, pending: table.pending })
    .from(table)
    .where(
      and(
        eq(table.browserHash, browserHash),
        eq(table.address, address),
        eq(table.chainId, chainId),
        isNull(table.spentAt),
        isNotNull(table.pending),
        gt(table.expiresAt, clock()),
      ),
    )
    .orderBy(desc(table.issuedAt))
    .limit(1)
  if (!found?.pending) return null
  const { message, expiresAt, pending } = found
  return { message, expiresAt: expiresAt.toISOString(), pending }
}

/** @throws CountersignError a code for each way in which it is no message that this browser can still use. */
export async function keepWaitingSignIn(
  ctx: Ctx,
  { message, pending, browserHash }: { message: string; pending: OwnersPending | null; browserHash: Hex | null },
): Promise<void> {
  const nonce = nonceOf(message)
  const isKept =
    browserHash !== null &&
    (await ctx.db
      .update(table)
      .set({ pending })
      .where(and(eq(table.nonce, nonce), eq(table.browserHash, browserHash), isNull(table.spentAt)))
      .returning({ nonce: table.nonce })
      .then(({ length }) => length > 0))
  if (!isKept) throw await unusable(ctx, nonce)
}
