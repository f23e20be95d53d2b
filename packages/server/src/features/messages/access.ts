import { fail, type SafeMessage } from '@countersign/contract'
import {
  boundMessageWork,
  type CountersignError,
  domainVersion,
  hashSafeMessage,
  type MessageContent,
  parseMessageContentInSteps,
  type SafeState,
} from '@countersign/safe'
import type { Hex } from 'viem'
import type { Ctx, SignedInCtx } from '../../context.ts'
import { chainOf } from '../../rpc/clients.ts'
import { findVisibleMessage } from './queries.ts'

export function messageNotFound(chainId: number, safeMessageHash: Hex): CountersignError {
  return fail('MESSAGE_NOT_FOUND', { chainId, safeMessageHash })
}

/**
 * A message, for the team of its Safe.
 *
 * @throws CountersignError `MESSAGE_NOT_FOUND`, also when it is there and not for this account.
 */
export async function requireVisibleMessage(
  ctx: SignedInCtx,
  chainId: number,
  safeMessageHash: Hex,
): Promise<SafeMessage> {
  chainOf(ctx.chains, chainId)
  const found = await findVisibleMessage(ctx.db, chainId, safeMessageHash, ctx.viewer, ctx.clock())
  if (found) return found
  throw messageNotFound(chainId, safeMessageHash)
}

/**
 * Reads and hashes a message's content, once for each request.
 *
 * @throws CountersignError `FIELD_MALFORMED`, `RATE_LIMITED`
 */
export function readContent({ work }: Pick<Ctx, 'work'>, json: string): Promise<MessageContent> {
  return work.run(boundMessageWork(json), parseMessageContentInSteps(json))
}

/**
 * Hashes the content for the Safe as it is now, to the hash that its owners sign.
 *
 * @param expected - the hash that somebody said, or under which it is kept; null when nobody did.
 * @throws CountersignError `MESSAGE_HASH_MISMATCH`.
 */
export function hashContent(state: SafeState, content: MessageContent, expected: Hex | null) {
  const context = { chainId: state.chainId, safeAddress: state.address, version: domainVersion(state), content }
  const { safeMessageHash } = hashSafeMessage(context)
  if (expected !== null && expected !== safeMessageHash)
    throw fail('MESSAGE_HASH_MISMATCH', { reason: 'computed', expected: safeMessageHash, received: expected })
  return { ...context, safeMessageHash }
}
