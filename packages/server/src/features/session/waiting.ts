import type {
  Input,
  listSignInRequests as listSignInRequestsEndpoint,
  OwnersPending,
  Reply,
} from '@countersign/contract'
import { encodeSignatures, hashSafeMessage, parseMessageContent } from '@countersign/safe-core'
import { and, desc, eq, gt, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Address, Hex } from 'viem'
import type { Ctx, SignedInCtx } from '../../context.ts'
import { safe, waitingSignIn as table } from '../../db/schema.ts'
import { notAnOwner, requireSharedSafe } from '../../safes/access.ts'
import { findMessage } from '../messages/queries.ts'
import { nonceOf, unusable } from './sign-in.ts'

/*
 * That a browser waits for the owners of a Safe is kept here and not in its storage: a browser may forbid storage to a
 * framed page, and then forgets with each reload what owners have signed.
 */

/** The sign-in that this browser waits for as this account; null when it waits for none. */
export async function findWaitingSignIn(
  { db, clock }: Pick<Ctx, 'db' | 'clock'>,
  { address, chainId, browserHash }: { address: Address; chainId: number; browserHash: Hex },
): Promise<{ message: string; expiresAt: string; pending: OwnersPending; collected: Collected | null } | null> {
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
  const collected = await findCollected(db, { address, chainId, message })
  return { message, expiresAt: expiresAt.toISOString(), pending, collected }
}

/** More at once are most likely none of the team's. */
const MAX_REQUESTS = 10

/** Lists, for the owners of a Safe, the sign-ins as it that wait for signatures made here. */
export async function listSignInRequests(
  ctx: SignedInCtx,
  { chainId, safeAddress }: Input<typeof listSignInRequestsEndpoint>,
): Promise<Reply<typeof listSignInRequestsEndpoint>> {
  const { role } = await requireSharedSafe(ctx, chainId, safeAddress)
  if (role !== 'owner') throw notAnOwner(ctx.viewer.address, safeAddress)
  const found = await ctx.db
    .select({ message: table.message, expiresAt: table.expiresAt })
    .from(table)
    .where(
      and(
        eq(table.chainId, chainId),
        eq(table.address, safeAddress),
        isNull(table.spentAt),
        gt(table.expiresAt, ctx.clock()),
        // The others are signed where the wallet put them.
        sql`${table.pending} ->> 'messageHash' is null and ${table.pending} ->> 'safeTxHash' is null`,
        isNotNull(table.pending),
      ),
    )
    .orderBy(desc(table.issuedAt))
    .limit(MAX_REQUESTS)
  return { requests: found.map(({ message, expiresAt }) => ({ message, expiresAt: expiresAt.toISOString() })) }
}

type Collected = { confirmations: number; threshold: number; signature: Hex | null }

/** Reads what owners have signed of it here, as a message of their Safe; null while nobody has. */
async function findCollected(
  db: Ctx['db'],
  { address, chainId, message }: { address: Address; chainId: number; message: string },
): Promise<Collected | null> {
  const [found] = await db
    .select({ version: safe.domainVersion, threshold: safe.threshold })
    .from(safe)
    .where(and(eq(safe.chainId, chainId), eq(safe.address, address)))
  if (!found) return null
  const { version, threshold } = found
  const content = parseMessageContent(JSON.stringify(message))
  const { safeMessageHash } = hashSafeMessage({ chainId, safeAddress: address, version, content })
  const signed = await findMessage(db, chainId, safeMessageHash)
  if (!signed) return null
  const { confirmations } = signed
  const isEnough = threshold > 0 && confirmations.length >= threshold
  return {
    confirmations: confirmations.length,
    threshold,
    signature: isEnough ? encodeSignatures(confirmations) : null,
  }
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
