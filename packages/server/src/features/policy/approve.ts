import { type approvePolicy as endpoint, fail, type Input, type PolicyVersion } from '@countersign/contract'
import { policyApprovalsRequired } from '@countersign/review'
import type { SafeState } from '@countersign/safe'
import { and, eq } from 'drizzle-orm'
import type { Address, Hex } from 'viem'
import type { SignedInCtx } from '../../context.ts'
import type { Executor } from '../../db/client.ts'
import { lockUntilCommit } from '../../db/lock-until-commit.ts'
import { policyApproval, policyVersion as table } from '../../db/team-schema.ts'
import type { Log } from '../../outbox/append.ts'
import { write } from '../../outbox/write.ts'
import { assertSigned } from '../../signatures/assert-signed.ts'
import { findApprovals, findInForce, findVersion, type Place, type StoredVersion, toVersion } from './queries.ts'
import { requireOwnerNow } from './signed-by-owner.ts'

export function policyNotFound({ safeAddress }: Place, policyHash: Hex) {
  return fail('POLICY_NOT_FOUND', { reason: 'version', safeAddress, policyHash })
}

/** Adds the signed-in owner's approval; the same again changes nothing. With enough of them it is in force at once. */
export async function approvePolicy(
  ctx: SignedInCtx,
  { chainId, safeAddress, policyHash, signature }: Input<typeof endpoint>,
): Promise<PolicyVersion> {
  const place = { chainId, safeAddress }
  const state = await requireOwnerNow(ctx, place)
  const owner = await assertSigned(ctx, { chainId, hash: policyHash, signature })
  return write(ctx, { state }, async (tx, log) => {
    await lockUntilCommit(tx, `policy ${chainId} ${safeAddress}`)
    const stored = await findVersion(tx, place, policyHash)
    const inForce = await findInForce(tx, place)
    // A version that another one has replaced is history.
    if (!stored || (inForce && inForce.number > stored.number)) throw policyNotFound(place, policyHash)
    return toVersion(tx, await storeApproval(tx, log, { stored, state, owner, signature }))
  })
}

/**
 * Keeps an approval, and puts the version in force when enough current owners have signed it. The caller holds the lock
 * of the Safe's policy.
 */
export async function storeApproval(
  tx: Executor,
  log: Log,
  {
    stored,
    state,
    owner,
    signature,
    isProposer = false,
  }: {
    stored: StoredVersion
    state: Pick<SafeState, 'owners' | 'threshold'>
    owner: Address
    signature: Hex
    isProposer?: boolean
  },
): Promise<StoredVersion> {
  const { chainId, safeAddress, policyHash, number } = stored
  const added = await tx
    .insert(policyApproval)
    .values({ chainId, policyHash, owner, signature, signedAt: log.now })
    .onConflictDoNothing()
    .returning({ owner: policyApproval.owner })
  const approvals = await findApprovals(tx, stored)
  const count = approvals.filter((approval) => state.owners.includes(approval.owner)).length
  const required = policyApprovalsRequired(state)
  if (added.length > 0 && !isProposer) {
    const detail = { number: String(number), policyHash, approvals: String(count), approvalsRequired: String(required) }
    log.add({ verb: 'approved-policy', account: owner, chainId, safeAddress, detail })
  }
  if (stored.inForceSince || count < required) return stored
  await tx
    .update(table)
    .set({ inForceSince: log.now })
    .where(and(eq(table.chainId, chainId), eq(table.policyHash, policyHash)))
  return { ...stored, inForceSince: log.now }
}
