import type { confirmMessage as endpoint, Input } from '@countersign/contract'
import { and, eq } from 'drizzle-orm'
import type { Hex } from 'viem'
import { chainOf } from '../../chain/clients.ts'
import { saveSafe } from '../../chain/save-safe.ts'
import type { VerifiedSignature } from '../../chain/verify-owner-signatures.ts'
import type { SignedInCtx } from '../../context.ts'
import type { Executor } from '../../db/client.ts'
import { activity } from '../../db/schema.ts'
import { messageConfirmation, safeMessage } from '../../db/team-schema.ts'
import { notify } from '../../live/notify.ts'
import { hashContent, messageNotFound } from './access.ts'
import { findMessage, type StoredMessage } from './queries.ts'
import { verifyMessageSignature } from './verify.ts'

/**
 * Adds the signed-in owner's confirmation of a message. Owners are read from the chain at this moment; without the
 * chain nothing is written. The same again changes nothing.
 */
export async function confirmMessage(
  ctx: SignedInCtx,
  { chainId, safeMessageHash, signature }: Input<typeof endpoint>,
): Promise<StoredMessage> {
  const account = ctx.viewer.address
  const chain = chainOf(ctx.chains, chainId)
  const known = await findMessage(ctx.db, chainId, safeMessageHash)
  if (!known) throw messageNotFound(chainId, safeMessageHash)
  const { safeAddress } = known
  const state = await chain.readSafe(safeAddress)
  // Not NOT_AN_OWNER: a stranger does not learn that it is there.
  if (!state.owners.includes(account)) throw messageNotFound(chainId, safeMessageHash)
  // The Safe's version may have changed since it was proposed, and the hash with it.
  const hashed = hashContent(state, known.content, safeMessageHash)
  const signed = await verifyMessageSignature({ chain, state, account }, { ...hashed, signature })

  const now = ctx.clock()
  return ctx.db.transaction(async (tx) => {
    const [current] = await tx
      .select({ safeAddress: safeMessage.safeAddress })
      .from(safeMessage)
      .where(and(eq(safeMessage.chainId, chainId), eq(safeMessage.safeMessageHash, safeMessageHash)))
      .for('update')
    if (!current) throw messageNotFound(chainId, safeMessageHash)
    if (await saveSafe(tx, state, { now, backfillBlock: chain.settings.startBlock ?? 0 }))
      await notify(tx, { kind: 'safe', chainId, safeAddress })
    const isNewConfirmation = await addConfirmation(tx, { chainId, safeMessageHash, ...signed, now })
    if (isNewConfirmation) {
      const detail = { safeMessageHash }
      await tx.insert(activity).values({ at: now, account, verb: 'confirmed-message', chainId, safeAddress, detail })
      await notify(tx, { kind: 'message', chainId, safeAddress, safeMessageHash })
    }
    const message = await findMessage(tx, chainId, safeMessageHash)
    if (!message) throw messageNotFound(chainId, safeMessageHash)
    return { message, isNew: false, isNewConfirmation }
  })
}

/** Keeps a confirmation that was verified. The first of an owner stays. */
export async function addConfirmation(
  db: Executor,
  { now, ...confirmed }: VerifiedSignature & { chainId: number; safeMessageHash: Hex; now: Date },
): Promise<boolean> {
  const added = await db
    .insert(messageConfirmation)
    .values({ ...confirmed, submissionDate: now })
    .onConflictDoNothing()
    .returning({ owner: messageConfirmation.owner })
  if (added.length === 0) return false
  const { chainId, safeMessageHash } = confirmed
  await db
    .update(safeMessage)
    .set({ modifiedDate: now })
    .where(and(eq(safeMessage.chainId, chainId), eq(safeMessage.safeMessageHash, safeMessageHash)))
  return true
}
