import type { Session } from '@countersign/contract'
import { CountersignError } from '@countersign/safe-core'
import { and, eq } from 'drizzle-orm'
import type { Hex } from 'viem'
import { chainOf } from '../../chain/clients.ts'
import { verifyAccountSignature } from '../../chain/verify-signature.ts'
import type { Ctx } from '../../context.ts'
import { activity, session, signInNonce } from '../../db/schema.ts'

/** The interval at which the server asks a node that was away. */
const RETRY_SECONDS = 5
const SESSION_MILLISECONDS = 30 * 86_400_000

type SignInRequest = {
  message: string
  signature: Hex
  /** Of the browser that sends it; null without its cookie. */
  browserHash: Hex | null
  /** Of the session to be made. */
  tokenHash: Hex
  /** Of the session that this browser had before; it ends. */
  previousTokenHash: Hex | null
}

/**
 * Turns a signed message into a session. Whatever comes of it, the message cannot be used again: its nonce is consumed
 * first, atomically, so that of two requests at once one alone goes on. A message that waits for owners is consumed with
 * the session instead: what several people signed must not be lost to a node that lags or is away.
 *
 * @throws CountersignError `SIWE_NONCE_UNKNOWN`, `SIWE_MESSAGE_MISMATCH`, `SIWE_EXPIRED`, `SIWE_SIGNATURE_INVALID`,
 * `SIWE_SIGNATURE_NOT_CHECKED` when only the chain could have told.
 */
export async function signIn(ctx: Ctx, request: SignInRequest): Promise<{ session: Session }> {
  const nonce = /^Nonce: ([a-zA-Z0-9]{8,64})$/m.exec(request.message)?.[1] ?? ''
  const asked = (await findWaiting(ctx, nonce, request)) ?? (await consumeNonce(ctx.db, nonce, request))
  if (asked.message !== request.message)
    throw new CountersignError('SIWE_MESSAGE_MISMATCH', 'The text that came back is not the text that was asked for.')
  const now = ctx.clock()
  if (now >= asked.expiresAt)
    throw new CountersignError('SIWE_EXPIRED', `The message expired at \`${asked.expiresAt.toISOString()}\`.`, {
      data: { expiresAt: asked.expiresAt.toISOString() },
    })
  const chain = chainOf(ctx.chains, asked.chainId)
  const { address, chainId } = asked
  const { verdict } = await verifyAccountSignature(chain, {
    account: address,
    message: asked.message,
    signature: request.signature,
  })
  if (verdict === 'unavailable')
    throw new CountersignError(
      'SIWE_SIGNATURE_NOT_CHECKED',
      `The node of \`${chain.settings.name}\` (chain \`${chainId}\`) did not say whether the signature is one of \`${address}\`.`,
      { data: { chainId, address, retryAfterSeconds: RETRY_SECONDS } },
    )
  if (verdict === 'invalid')
    throw new CountersignError('SIWE_SIGNATURE_INVALID', `The signature is not one of \`${address}\`.`, {
      data: { address },
    })

  const expiresAt = new Date(now.getTime() + SESSION_MILLISECONDS)
  await ctx.db.transaction(async (tx) => {
    if (asked.waitsForOwners) await consumeNonce(tx, nonce, request)
    if (request.previousTokenHash) await tx.delete(session).where(eq(session.tokenHash, request.previousTokenHash))
    await tx
      .insert(session)
      .values({ tokenHash: request.tokenHash, address, chainId, createdAt: now, lastSeenAt: now, expiresAt })
    await tx.insert(activity).values({ at: now, account: address, verb: 'signed-in', chainId })
  })
  if (request.previousTokenHash) ctx.live.endSession(request.previousTokenHash)
  return { session: { address, chainId, createdAt: now.toISOString(), expiresAt: expiresAt.toISOString() } }
}

type Asked = typeof signInNonce.$inferSelect
type Attempt = Pick<SignInRequest, 'browserHash'>

/** Only the browser that asked can use, or use up, its nonce. */
function isAskedFor(nonce: string, browserHash: Hex) {
  return and(eq(signInNonce.nonce, nonce), eq(signInNonce.browserHash, browserHash))
}

async function findWaiting({ db }: Ctx, nonce: string, { browserHash }: Attempt): Promise<Asked | undefined> {
  if (!browserHash) return undefined
  const [asked] = await db
    .select()
    .from(signInNonce)
    .where(and(isAskedFor(nonce, browserHash), eq(signInNonce.waitsForOwners, true)))
  return asked
}

async function consumeNonce(db: Pick<Ctx['db'], 'delete'>, nonce: string, { browserHash }: Attempt): Promise<Asked> {
  const [asked] = browserHash ? await db.delete(signInNonce).where(isAskedFor(nonce, browserHash)).returning() : []
  if (asked) return asked
  throw new CountersignError(
    'SIWE_NONCE_UNKNOWN',
    `The nonce \`${nonce}\` was not asked for by this browser, or is used.`,
  )
}
