import type { confirmMessage as endpoint, Input, SafeMessage } from '@countersign/contract'
import type { MessageContent } from '@countersign/safe'
import { and, eq } from 'drizzle-orm'
import type { Hex } from 'viem'
import type { Ctx, SignedInCtx } from '../../context.ts'
import type { Executor } from '../../db/client.ts'
import { messageConfirmation, safeMessage } from '../../db/team-schema.ts'
import { chainOf } from '../../rpc/clients.ts'
import { notAnOwner } from '../../safes/access.ts'
import { whoIs } from '../../safes/viewer.ts'
import type { VerifiedSignature } from '../../signatures/verify-owner-signatures.ts'
import { assertMessageUnrestricted } from '../policy/restrict.ts'
import { type Confirmer, confirmIt } from '../signing/confirm.ts'
import { hashContent, messageNotFound, readContent } from './access.ts'
import { findMessage, findMessageAndRole, type StoredMessage } from './queries.ts'
import { verifyMessageSignature } from './verify.ts'

/** Adds the signed-in owner's confirmation, or what an owner has signed elsewhere. */
export async function confirmMessage(
  ctx: SignedInCtx,
  { chainId, safeMessageHash, signature, isImported = false, reviewed }: Input<typeof endpoint>,
): Promise<SafeMessage> {
  const account = ctx.viewer.address
  const mustSign = isImported ? null : account
  const asked = { chainId, safeMessageHash, signature, account, mustSign, isImported, reviewed }
  const { message } = await confirm(ctx, asked)
  return message
}

export type ConfirmingMessage = Confirmer & {
  chainId: number
  safeMessageHash: Hex
  /** One, of an owner. */
  signature: Hex
}

/**
 * Adds an owner's confirmation of a message.
 *
 * @throws CountersignError as `confirmMessage` of the contract.
 */
export function confirm(ctx: Ctx, given: ConfirmingMessage): Promise<StoredMessage> {
  const { chainId, safeMessageHash, signature, account, mustSign, reviewed } = given
  const notFound = () => messageNotFound(chainId, safeMessageHash)
  let read: MessageContent | undefined
  return confirmIt(ctx, given, {
    chainId,
    hash: safeMessageHash,
    notFound,
    async find() {
      const who = whoIs(ctx, account)
      const known = await findMessageAndRole(ctx.db, { chainId, safeMessageHash, who, now: ctx.clock() })
      return known && { found: known.message, safeAddress: known.message.safeAddress, ...known }
    },
    async verify({ safeAddress, content }, state) {
      if (mustSign !== null && !state.owners.includes(mustSign)) throw notAnOwner(mustSign, safeAddress)
      // The Safe's version may have changed since it was proposed, and the hash with it.
      read = await readContent(ctx, content)
      const hashed = hashContent(state, read, safeMessageHash)
      const chain = chainOf(ctx.chains, chainId)
      return [await verifyMessageSignature({ chain, state, mustSign }, { ...hashed, signature })]
    },
    async store(tx, log, { found: { safeAddress, content }, state, signed }) {
      const signers = signed.map(({ owner }) => owner)
      const isMember = account !== null && state.owners.includes(account)
      read ??= await readContent(ctx, content)
      const restricted = { chainId, safeAddress, safeMessageHash, content: read }
      await assertMessageUnrestricted(tx, restricted, {
        state,
        signers,
        now: log.now,
        isMember,
        tokenLists: ctx.tokenLists,
      })
      const [current] = await tx
        .select({ safeAddress: safeMessage.safeAddress })
        .from(safeMessage)
        .where(and(eq(safeMessage.chainId, chainId), eq(safeMessage.safeMessageHash, safeMessageHash)))
        .for('no key update')
      if (!current) throw notFound()
      let isNewConfirmation = false
      for (const signature of signed) {
        if (!(await storeConfirmation(tx, { chainId, safeMessageHash, ...signature, now: log.now }))) continue
        isNewConfirmation = true
        const by = { account: account ?? signature.owner, verb: 'confirmed-message' as const }
        const report = account === signature.owner ? reviewed : undefined
        log.add({ ...by, chainId, safeAddress, safeMessageHash, reviewed: report })
      }
      const message = await findMessage(tx, chainId, safeMessageHash)
      if (!message) throw notFound()
      return { message, isNew: false, isNewConfirmation }
    },
  })
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
