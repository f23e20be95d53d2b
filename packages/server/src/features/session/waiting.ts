import {
  fail,
  type Input,
  type listSignInRequests as listSignInRequestsEndpoint,
  type OwnersPending,
  type Reply,
  type refuseSignIn as refuseSignInEndpoint,
} from '@countersign/contract'
import { encodeSignatures, hashSafeMessage, parseMessageContent } from '@countersign/safe'
import { and, desc, eq, gt, isNotNull, isNull } from 'drizzle-orm'
import type { Address, Hex } from 'viem'
import type { Ctx, SignedInCtx } from '../../context.ts'
import { safe, waitingSignIn as table } from '../../db/schema.ts'
import { safeMessage } from '../../db/team-schema.ts'
import { write } from '../../outbox/write.ts'
import { requireOwner } from '../../safes/access.ts'
import { signedAs, waitsForOwnersHere } from '../../safes/sign-in-requests.ts'
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
    .select({
      message: table.message,
      expiresAt: table.expiresAt,
      pending: table.pending,
      kept: { version: safe.domainVersion, threshold: safe.threshold },
    })
    .from(table)
    .leftJoin(safe, and(eq(safe.chainId, table.chainId), eq(safe.address, table.address)))
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
  const { message, expiresAt, pending, kept } = found
  const collected = kept && (await findCollected(db, { address, chainId, message, ...kept }))
  return { message, expiresAt: expiresAt.toISOString(), pending, collected }
}

/** Digits of the nonce that owner and requester compare. */
const CODE_LENGTH = 6
/** Finds an owner's refusal of the last sign-in that this browser requested for this account. */
export async function findRefusal(
  { db, clock }: Pick<Ctx, 'db' | 'clock'>,
  { address, chainId, browserHash }: { address: Address; chainId: number; browserHash: Hex },
): Promise<{ nonce: string; at: string } | undefined> {
  const isOwn = and(eq(table.browserHash, browserHash), eq(table.address, address), eq(table.chainId, chainId))
  const [last] = await db
    .select({ nonce: table.nonce, spentAt: table.spentAt, refusal: table.refusal })
    .from(table)
    .where(and(isOwn, gt(table.expiresAt, clock())))
    .orderBy(desc(table.issuedAt))
    .limit(1)
  return last?.spentAt && last.refusal === 'refused' ? { nonce: last.nonce, at: last.spentAt.toISOString() } : undefined
}

/** More at once are most likely none of the team's. */
const MAX_REQUESTS = 10

/**
 * Lists, for the owners of a Safe, the sign-ins as it that wait for signatures made here. One that an owner has signed is
 * among the Safe's messages, and is here only for who asks by its nonce, which is in its link: no flood hides that one.
 */
export async function listSignInRequests(
  ctx: SignedInCtx,
  { chainId, safeAddress, nonce }: Input<typeof listSignInRequestsEndpoint>,
): Promise<Reply<typeof listSignInRequestsEndpoint>> {
  await requireOwner(ctx, chainId, safeAddress)
  const found = await ctx.db
    .select({
      message: table.message,
      expiresAt: table.expiresAt,
      safeMessageHash: signedAs.mapWith(safeMessage.safeMessageHash),
    })
    .from(table)
    .where(
      and(
        eq(table.chainId, chainId),
        eq(table.address, safeAddress),
        waitsForOwnersHere(ctx.clock()),
        nonce === undefined ? isNull(signedAs) : eq(table.nonce, nonce),
      ),
    )
    .orderBy(desc(table.issuedAt))
    .limit(MAX_REQUESTS + 1)
  return {
    requests: found
      .slice(0, MAX_REQUESTS)
      .map(({ expiresAt, ...request }) => ({ ...request, expiresAt: expiresAt.toISOString() })),
    hasMore: found.length > MAX_REQUESTS,
  }
}

type Collected = { confirmations: number; threshold: number; signature: Hex | null }

/** Reads what owners have signed of it here, as a message of their Safe; null while nobody has. */
async function findCollected(
  db: Ctx['db'],
  {
    address,
    chainId,
    message,
    version,
    threshold,
  }: { address: Address; chainId: number; message: string; version: string; threshold: number },
): Promise<Collected | null> {
  const content = parseMessageContent(JSON.stringify(message))
  const { safeMessageHash } = hashSafeMessage({ chainId, safeAddress: address, version, content })
  const signed = await findMessage(db, chainId, safeMessageHash)
  if (!signed) return null
  const { confirmations } = signed
  const isEnough = threshold > 0 && confirmations.length >= threshold
  return {
    confirmations: confirmations.length,
    threshold,
    signature: isEnough ? encodeSignatures(fewest(confirmations, threshold)) : null,
  }
}

/**
 * As many as the Safe asks for, those of contracts last: these are long, and may no longer be what the contract accepts,
 * while a key's stay valid.
 */
function fewest<Signed extends { signature: Hex }>(confirmations: readonly Signed[], threshold: number): Signed[] {
  return confirmations.toSorted((one, other) => one.signature.length - other.signature.length).slice(0, threshold)
}

/**
 * Records that this browser waits for owners, or that it stopped waiting. After that, no signature of the message opens a session.
 *
 * @throws CountersignError with a code for each reason why this browser cannot use the message.
 */
export async function keepWaitingSignIn(
  ctx: Ctx,
  { message, pending, browserHash }: { message: string; pending: OwnersPending | null; browserHash: Hex | null },
): Promise<void> {
  const nonce = nonceOf(message)
  const change = pending ? { pending } : { spentAt: ctx.clock(), refusal: 'cancelled' as const }
  const isKept =
    browserHash !== null &&
    (await ctx.db
      .update(table)
      .set(change)
      .where(and(eq(table.nonce, nonce), eq(table.browserHash, browserHash), isNull(table.spentAt)))
      .returning({ nonce: table.nonce })
      .then(({ length }) => length > 0))
  if (isKept) return
  const error = await unusable(ctx, nonce)
  // Cancelling a sign-in that has already ended needs no change.
  if (browserHash === null || pending !== null || error.code !== 'SIWE_REFUSED') throw error
}

/**
 * Refuses a sign-in as a Safe. Any owner can do so until the sign-in is used, even if enough owners have signed. The refusal marks
 * the message as used in the same row as a sign-in does, so only one of the two can succeed.
 *
 * @throws CountersignError `SAFE_NOT_FOUND`, `NOT_A_MEMBER`, `NOT_AN_OWNER`, `SIGN_IN_REQUEST_NOT_FOUND`.
 */
export async function refuseSignIn(
  ctx: SignedInCtx,
  { chainId, safeAddress, nonce }: Input<typeof refuseSignInEndpoint>,
): Promise<undefined> {
  await requireOwner(ctx, chainId, safeAddress)
  await write(ctx, null, async (tx, log) => {
    const isRequest = and(eq(table.nonce, nonce), eq(table.chainId, chainId), eq(table.address, safeAddress))
    const [refused] = await tx
      .update(table)
      .set({ spentAt: log.now, refusal: 'refused' })
      .where(and(isRequest, isNull(table.spentAt)))
      .returning({ nonce: table.nonce })
    if (!refused) throw fail('SIGN_IN_REQUEST_NOT_FOUND', { nonce, safeAddress })
    const detail = { signInCode: nonce.slice(0, CODE_LENGTH) }
    log.add({ verb: 'refused-sign-in', account: ctx.viewer.address, chainId, safeAddress, detail })
  })
}
