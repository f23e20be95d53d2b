import type { confirmMessage as endpoint, Input, SafeMessage } from '@countersign/contract'
import { CountersignError } from '@countersign/safe-core'
import { and, eq } from 'drizzle-orm'
import type { Address, Hex } from 'viem'
import type { Ctx, SignedInCtx } from '../../context.ts'
import type { Executor } from '../../db/client.ts'
import { activity } from '../../db/schema.ts'
import { messageConfirmation, safeMessage } from '../../db/team-schema.ts'
import { notify } from '../../live/notify.ts'
import { chainOf } from '../../rpc/clients.ts'
import { notAnOwner, requireOwnerOrProposer } from '../../safes/access.ts'
import { saveSafe } from '../../safes/save-safe.ts'
import { isMemberNow, whoIs } from '../../safes/viewer.ts'
import type { VerifiedSignature } from '../../signatures/verify-owner-signatures.ts'
import { recordRefusal } from '../transactions/refused-signatures.ts'
import { hashContent, messageNotFound, requireVisibleMessage } from './access.ts'
import { findMessage, findMessageAndRole, type StoredMessage } from './queries.ts'
import { verifyMessageSignature } from './verify.ts'

/** Adds the signed-in owner's confirmation, or what an owner has signed elsewhere. */
export async function confirmMessage(
  ctx: SignedInCtx,
  { chainId, safeMessageHash, signature, isImported = false }: Input<typeof endpoint>,
): Promise<SafeMessage> {
  const account = ctx.viewer.address
  if (isImported) {
    // Whoever has come by an owner's signature is not of the team by that.
    const { safeAddress } = await requireVisibleMessage(ctx, chainId, safeMessageHash)
    await requireOwnerOrProposer(ctx, chainId, safeAddress)
  }
  const mustSign = isImported ? null : account
  const { message } = await confirm(ctx, { chainId, safeMessageHash, signature, account, mustSign })
  return message
}

export type ConfirmingMessage = {
  chainId: number
  safeMessageHash: Hex
  /** One, of an owner. */
  signature: Hex
  /** Who is signed in; null: the signature alone proves that whoever sends it may. */
  account: Address | null
  /** Whose it has to be; null: any owner's. */
  mustSign: Address | null
}

/**
 * Adds an owner's confirmation of a message. Owners are read from the chain at this moment and the signature is verified
 * there; without the chain nothing is written. An owner's first confirmation is kept; the same again changes nothing. Who
 * is not of the team, and has no valid signature of an owner, does not learn that the message is there.
 *
 * @throws CountersignError as `confirmMessage` of the contract.
 */
export async function confirm(ctx: Ctx, given: ConfirmingMessage): Promise<StoredMessage> {
  const { chainId, safeMessageHash, signature, account, mustSign } = given
  const chain = chainOf(ctx.chains, chainId)
  const now = ctx.clock()
  const found = await findMessageAndRole(ctx.db, { chainId, safeMessageHash, who: whoIs(ctx, account), now })
  if (!found) throw messageNotFound(chainId, safeMessageHash)
  const { safeAddress, content } = found.message
  const state = await chain.readSafe(safeAddress).catch((error: unknown) => {
    // Without the chain, who is an owner is what was read last.
    throw found.role === null ? messageNotFound(chainId, safeMessageHash) : error
  })
  const isMember = isMemberNow(state, account, found.role)
  const signed = await verify().catch(async (error: unknown) => {
    await recordRefusal(ctx, { state, signedHash: safeMessageHash, account, isMember }, error)
    throw error instanceof CountersignError && !isMember ? messageNotFound(chainId, safeMessageHash) : error
  })

  return ctx.db.transaction(async (tx) => {
    // The Safe before the message, as everywhere: two requests never wait for one another.
    if (await saveSafe(tx, state, { now, backfillBlock: chain.settings.startBlock ?? 0 }))
      await notify(tx, { kind: 'safe', chainId, safeAddress })
    const [current] = await tx
      .select({ safeAddress: safeMessage.safeAddress })
      .from(safeMessage)
      .where(and(eq(safeMessage.chainId, chainId), eq(safeMessage.safeMessageHash, safeMessageHash)))
      .for('no key update')
    if (!current) throw messageNotFound(chainId, safeMessageHash)
    const isNewConfirmation = await storeConfirmation(tx, { chainId, safeMessageHash, ...signed, now })
    if (isNewConfirmation) {
      const by = { account: account ?? signed.owner, verb: 'confirmed-message' as const }
      await tx.insert(activity).values({ at: now, ...by, chainId, safeAddress, detail: { safeMessageHash } })
      await notify(tx, { kind: 'message', chainId, safeAddress, safeMessageHash })
    }
    const message = await findMessage(tx, chainId, safeMessageHash)
    if (!message) throw messageNotFound(chainId, safeMessageHash)
    return { message, isNew: false, isNewConfirmation }
  })

  async function verify(): Promise<VerifiedSignature> {
    if (mustSign !== null && !state.owners.includes(mustSign)) throw notAnOwner(mustSign, safeAddress)
    // The Safe's version may have changed since it was proposed, and the hash with it.
    const hashed = hashContent(state, content, safeMessageHash)
    return verifyMessageSignature({ chain, state, mustSign }, { ...hashed, signature })
  }
}

/** Keeps a confirmation that was verified. The first of an owner stays. */
export async function storeConfirmation(
  tx: Executor,
  { now, ...confirmed }: VerifiedSignature & { chainId: number; safeMessageHash: Hex; now: Date },
): Promise<boolean> {
  const added = await tx
    .insert(messageConfirmation)
    .values({ ...confirmed, submissionDate: now })
    .onConflictDoNothing()
    .returning({ owner: messageConfirmation.owner })
  if (added.length === 0) return false
  const { chainId, safeMessageHash } = confirmed
  await tx
    .update(safeMessage)
    .set({ modifiedDate: now })
    .where(and(eq(safeMessage.chainId, chainId), eq(safeMessage.safeMessageHash, safeMessageHash)))
  return true
}
