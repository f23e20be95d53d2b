import { fail, type Session } from '@countersign/contract'
import { CountersignError } from '@countersign/safe'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { type Hex, hashMessage, isHex } from 'viem'
import type { Ctx } from '../../context.ts'
import { signInNonce, waitingSignIn } from '../../db/schema.ts'
import { write } from '../../outbox/write.ts'
import { chainOf } from '../../rpc/clients.ts'
import { requireAllowedAccount } from '../../safes/allowed.ts'
import { recoverSigner } from '../../signatures/recover.ts'
import { verifyAccountSignature } from '../../signatures/verify-signature.ts'
import { toLogEntry } from '../../to-log-entry.ts'
import { type NewWarrant, readWarrant, removeWarrant, storeWarrant } from '../../warrants/store.ts'
import { differenceError } from './message-difference.ts'
import {
  type Asked,
  CLOCK_DIFFERENCE_SECONDS,
  consumeSignInMessage,
  type NewSession,
  type SignInProof,
} from './open-session.ts'

/** Contract accounts sign with more than 65 bytes; the question has to fit what a node takes as creation code. */
const MAX_SIGNATURE_BYTES = 16_384
/** The interval at which the server asks a node that was away. */
const RETRY_SECONDS = 5

type SignInRequest = {
  message: string
  signature: string
  /** Hash of the browser's cookie; null without one. */
  browserHash: Hex | null
  session: NewSession
}

/**
 * Turns a signed message into a session. Whatever comes of it, the message cannot be used again: it is used up
 * atomically, so that of two requests at once one alone goes on. A message that waits for owners is used up by success
 * alone: what several people signed must not be lost to a node that lags or is away.
 *
 * For an account with a key that is one statement; a contract account is asked between two.
 *
 * @throws CountersignError a code for each way in which the message is not the one that was asked for, or not in force;
 * `SIGNATURE_MALFORMED`, `SIWE_SIGNATURE_INVALID`; `SIWE_SIGNATURE_NOT_CHECKED` when only the chain could have told;
 * `ACCOUNT_NOT_ALLOWED`.
 */
export async function signIn(ctx: Ctx, request: SignInRequest): Promise<{ session: Session }> {
  const { message, browserHash, session } = request
  const nonce = nonceOf(message)
  if (!browserHash) throw await unusable(ctx, nonce)
  const signature = parseHexSignature(request.signature)
  const signer = signature && (await recoverSigner(hashMessage(message), signature))
  const attempt = { nonce, message, browserHash, session }
  const key = signer ? ({ account: signer, by: 'key' } as const) : null
  // Asked of what is proven: who is let in is nobody else's business.
  if (key && key.account === accountOf(message)) await requireAllowedAccount(ctx, key.account)

  const used = await consumeSignInMessage(ctx, 'usual', attempt, key)
  if (used?.isOpen) return openedSession(used, 'key')
  const asked = used?.asked ?? (await findWaiting(ctx, nonce, browserHash))
  if (!asked) throw await unusable(ctx, nonce)
  assertInForce(ctx, asked, message)
  if (!signature) throw malformed(request.signature)
  const warrant = await prove(ctx, asked, signature)
  await requireAllowedAccount(ctx, asked.address)
  const proof = warrant ? await storeProof(ctx, warrant, session) : ({ account: asked.address, by: 'key' } as const)
  const opened = await consumeSignInMessage(ctx, used ? 'used' : 'waiting', attempt, proof)
  if (opened?.isOpen) {
    if (proof.by === 'contract') await keepSafe(ctx, asked)
    return openedSession(opened, proof.by)
  }
  if (proof.by === 'contract') await removeWarrant(ctx.db, proof.warrantId)
  throw await unusable(ctx, nonce)
}

async function storeProof(
  ctx: Ctx,
  warrant: NewWarrant,
  { userAgent, clientAddress, isFramed }: NewSession,
): Promise<SignInProof> {
  const place = { now: ctx.clock(), userAgent, clientAddress, isFramed }
  return { account: warrant.account, by: 'contract', warrantId: await storeWarrant(ctx.db, warrant, place) }
}

/** A Safe that signs in sees itself, told of here before or not. What is no Safe, or cannot be read now, signs in all the same. */
async function keepSafe(ctx: Ctx, { chainId, address }: Asked): Promise<void> {
  const chain = chainOf(ctx.chains, chainId)
  try {
    const state = await chain.readSafe(address)
    await write(ctx, { state, addedBy: address }, async () => {})
  } catch (error) {
    if (!(error instanceof CountersignError) || error.code !== 'NOT_A_SAFE')
      ctx.log.warn(
        { requestId: ctx.requestId, chainId, address, err: toLogEntry(error) },
        'Safe that signed in not read',
      )
  }
}

function openedSession(
  { asked, createdAt, expiresAt }: { asked: Asked; createdAt: Date; expiresAt: Date },
  provenBy: Session['provenBy'],
): { session: Session } {
  const { address, chainId } = asked
  return {
    session: { address, chainId, provenBy, createdAt: createdAt.toISOString(), expiresAt: expiresAt.toISOString() },
  }
}

function parseHexSignature(text: string): Hex | null {
  if (text.length > 2 + 2 * MAX_SIGNATURE_BYTES || text.length % 2 !== 0 || !isHex(text)) return null
  return text
}

function malformed(text: string): CountersignError {
  const start = text.slice(0, 20)
  return fail('SIGNATURE_MALFORMED', {
    reason: 'text',
    field: 'signature',
    start,
    length: text.length,
    limit: MAX_SIGNATURE_BYTES,
  })
}

function assertInForce(ctx: Ctx, asked: Asked, message: string): void {
  const now = ctx.clock()
  if (asked.message !== message) throw differenceError(asked.message, message, now)
  if (now >= asked.expiresAt) throw fail('SIWE_EXPIRED', { reason: 'asked', expiresAt: asked.expiresAt.toISOString() })
  if (asked.issuedAt.getTime() - now.getTime() > CLOCK_DIFFERENCE_SECONDS * 1000)
    throw fail('SIWE_NOT_YET_VALID', {
      reason: 'asked',
      issuedAt: asked.issuedAt.toISOString(),
      now: now.toISOString(),
    })
  chainOf(ctx.chains, asked.chainId)
}

/**
 * Verifies that the account signed the message.
 *
 * @returns the warrant of a contract account; null if the account's key signed
 */
async function prove(ctx: Ctx, { address, chainId, message }: Asked, signature: Hex): Promise<NewWarrant | null> {
  const chain = chainOf(ctx.chains, chainId)
  const proof = await verifyAccountSignature(chain, { account: address, message, signature })
  let { verdict } = proof
  if (verdict === 'valid') {
    if (proof.by === 'key') return null
    const read = await readWarrant(chain, { account: address, hash: hashMessage(message), signature })
    if (read.verdict === 'valid') return read.warrant
    verdict = read.verdict
  }
  if (verdict === 'unavailable')
    throw fail('SIWE_SIGNATURE_NOT_CHECKED', {
      chainId,
      name: chain.settings.name,
      address,
      retryAfterSeconds: RETRY_SECONDS,
    })
  throw fail('SIWE_SIGNATURE_INVALID', { address })
}

/** Only the browser that asked can use, or use up, what it was given. */
async function findWaiting({ db }: Ctx, nonce: string, browserHash: Hex): Promise<Asked | undefined> {
  const [asked] = await db
    .select()
    .from(waitingSignIn)
    .where(
      and(eq(waitingSignIn.nonce, nonce), eq(waitingSignIn.browserHash, browserHash), isNull(waitingSignIn.spentAt)),
    )
  return asked
}

/** Whatever else a text is: what it is looked up by. Empty when it has none. */
export function nonceOf(message: string): string {
  return /^Nonce: ([a-zA-Z0-9]{8,64})$/m.exec(message)?.[1] ?? ''
}

/** The account that a text is for, by the place where EIP-4361 has it. */
function accountOf(message: string): string | undefined {
  return message.split('\n', 2)[1]
}

/** Why there is nothing to use. Who guesses a nonce learns that it exists, and can do nothing with it. */
export async function unusable({ db }: Ctx, nonce: string): Promise<CountersignError> {
  const isSame = (table: typeof signInNonce | typeof waitingSignIn) => eq(table.nonce, nonce)
  const [row] = await db
    .select({ spentAt: waitingSignIn.spentAt, refusal: waitingSignIn.refusal })
    .from(waitingSignIn)
    .where(isSame(waitingSignIn))
    .unionAll(
      db
        .select({ spentAt: signInNonce.spentAt, refusal: sql<null>`null` })
        .from(signInNonce)
        .where(isSame(signInNonce)),
    )
  if (!row) return fail('SIWE_NONCE_UNKNOWN', { nonce })
  if (!row.spentAt) return fail('SIWE_NONCE_FOREIGN', { nonce })
  const at = row.spentAt.toISOString()
  if (row.refusal) return fail('SIWE_REFUSED', { reason: row.refusal, nonce, refusedAt: at })
  return fail('SIWE_NONCE_USED', { nonce, usedAt: at })
}
