import {
  type discardPolicy as discardEndpoint,
  fail,
  type Input,
  type PolicyVersion,
  type withdrawPolicyEntry as withdrawEndpoint,
} from '@countersign/contract'
import { hashAllowEntry, hashWithdrawal } from '@countersign/review'
import { and, eq, isNull } from 'drizzle-orm'
import type { SignedInCtx } from '../../context.ts'
import { lockUntilCommit } from '../../db/lock-until-commit.ts'
import { policyWithdrawal, policyVersion as table } from '../../db/team-schema.ts'
import { write } from '../../outbox/write.ts'
import { assertSigned } from '../../signatures/assert-signed.ts'
import { policyNotFound } from './approve.ts'
import { findVersion, policyOf, toVersion } from './queries.ts'
import { requireOwnerNow } from './signed-by-owner.ts'

/** Takes an allow entry back, by any one owner. The same again changes nothing. */
export async function withdrawPolicyEntry(
  ctx: SignedInCtx,
  { chainId, safeAddress, policyHash, entryHash, signature }: Input<typeof withdrawEndpoint>,
): Promise<PolicyVersion> {
  const place = { chainId, safeAddress }
  const state = await requireOwnerNow(ctx, place)
  const hash = hashWithdrawal({ ...place, policyHash, entryHash })
  const owner = await assertSigned(ctx, { chainId, hash, signature })
  return write(ctx, { state }, async (tx, log) => {
    await lockUntilCommit(tx, `policy ${chainId} ${safeAddress}`)
    const stored = await findVersion(tx, place, policyHash)
    if (!stored) throw policyNotFound(place, policyHash)
    const entry = policyOf(stored).allowed.find((entry) => hashAllowEntry(entry) === entryHash)
    if (!entry) throw fail('POLICY_NOT_FOUND', { reason: 'entry', policyHash, entryHash })
    const added = await tx
      .insert(policyWithdrawal)
      .values({ chainId, policyHash, entryHash, owner, signature, signedAt: log.now })
      .onConflictDoNothing()
      .returning({ owner: policyWithdrawal.owner })
    if (added.length > 0) {
      const detail = { number: String(stored.number), name: entry.name, kind: entry.kind, address: entry.address }
      log.add({ verb: 'withdrew-policy-entry', account: owner, chainId, safeAddress, detail })
    }
    return toVersion(tx, stored)
  })
}

/** Removes a version that is not in force, by any owner: nobody keeps the next number to themselves. */
export async function discardPolicy(
  ctx: SignedInCtx,
  { chainId, safeAddress, policyHash }: Input<typeof discardEndpoint>,
): Promise<undefined> {
  const place = { chainId, safeAddress }
  const state = await requireOwnerNow(ctx, place)
  await write(ctx, { state }, async (tx, log) => {
    await lockUntilCommit(tx, `policy ${chainId} ${safeAddress}`)
    const isOpen = and(eq(table.chainId, chainId), eq(table.safeAddress, safeAddress), isNull(table.inForceSince))
    const [removed] = await tx
      .delete(table)
      .where(and(isOpen, eq(table.policyHash, policyHash)))
      .returning({ number: table.number })
    if (!removed) throw policyNotFound(place, policyHash)
    const detail = { number: String(removed.number), policyHash }
    log.add({ verb: 'discarded-policy', account: ctx.viewer.address, chainId, safeAddress, detail })
  })
}
