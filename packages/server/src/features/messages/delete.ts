import { type deleteMessage as endpoint, fail, type Input } from '@countersign/contract'
import { and, eq } from 'drizzle-orm'
import type { SignedInCtx } from '../../context.ts'
import { safeMessage } from '../../db/team-schema.ts'
import { write } from '../../outbox/write.ts'
import { keepDeletedMessage } from '../alive/deleted-proposals.ts'
import { messageNotFound, requireVisibleMessage } from './access.ts'
import { findMessage } from './queries.ts'

/** Takes a message back, by who proposed it. One with enough confirmations stays: its signature can be used anyway. */
export async function deleteMessage(
  ctx: SignedInCtx,
  { chainId, safeMessageHash }: Input<typeof endpoint>,
): Promise<undefined> {
  const account = ctx.viewer.address
  const { safeAddress, proposer } = await requireVisibleMessage(ctx, chainId, safeMessageHash)
  if (proposer !== account) throw fail('NOT_PROPOSER', { reason: 'other', proposer, account })
  const isTheOne = and(eq(safeMessage.chainId, chainId), eq(safeMessage.safeMessageHash, safeMessageHash))
  await write(ctx, null, async (tx, log) => {
    // Against a confirmation that arrives now.
    await tx.select({ proposer: safeMessage.proposer }).from(safeMessage).where(isTheOne).for('update')
    const message = await findMessage(tx, chainId, safeMessageHash)
    if (!message) throw messageNotFound(chainId, safeMessageHash)
    const { confirmations, confirmationsRequired } = message
    if (confirmations.length >= confirmationsRequired)
      throw fail('MESSAGE_FULLY_SIGNED', { confirmations: confirmations.length, confirmationsRequired })
    await keepDeletedMessage(tx, message, log.now)
    await tx.delete(safeMessage).where(isTheOne)
    log.add({ verb: 'deleted-message', account, chainId, safeAddress, safeMessageHash })
  })
}
