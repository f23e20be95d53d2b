import { type proposePolicy as endpoint, fail, type Input, type PolicyVersion } from '@countersign/contract'
import { hashPolicy, parsePolicy, type TeamPolicy } from '@countersign/review'
import { type Hex, zeroHash } from 'viem'
import type { SignedInCtx } from '../../context.ts'
import type { Executor } from '../../db/client.ts'
import { lockUntilCommit } from '../../db/lock-until-commit.ts'
import { policyVersion as table } from '../../db/team-schema.ts'
import { write } from '../../outbox/write.ts'
import { assertSigned } from '../../signatures/assert-signed.ts'
import { storeApproval } from './approve.ts'
import { findInForce, findProposed, type StoredVersion, toVersion } from './queries.ts'
import { requireOwnerNow } from './signed-by-owner.ts'

/**
 * Proposes the version after the one in force. Of two owners at once one wins, and the other is told which version is
 * open. The same again changes nothing.
 */
export async function proposePolicy(
  ctx: SignedInCtx,
  { chainId, safeAddress, policy: text, signature }: Input<typeof endpoint>,
): Promise<PolicyVersion> {
  const state = await requireOwnerNow(ctx, { chainId, safeAddress })
  const policy = parsePolicy(text)
  if (policy.chainId !== chainId || policy.safeAddress !== safeAddress)
    throw fail('POLICY_MALFORMED', { reason: 'place', chainId: policy.chainId, safeAddress: policy.safeAddress })
  const policyHash = hashPolicy(policy)
  const proposer = await assertSigned(ctx, { chainId, hash: policyHash, signature })
  return write(ctx, { state }, async (tx, log) => {
    await lockUntilCommit(tx, `policy ${chainId} ${safeAddress}`)
    const open = await requireNext(tx, policy, policyHash)
    const stored = open ?? (await insert(tx, { policy, policyHash, text, proposer, now: log.now }))
    if (!open) {
      const detail = { number: String(policy.number), policyHash }
      log.add({ verb: 'proposed-policy', account: proposer, chainId, safeAddress, detail })
    }
    return toVersion(tx, await storeApproval(tx, log, { stored, state, owner: proposer, signature, isProposer: !open }))
  })
}

/** @returns the same version, if it is open or in force already */
async function requireNext(tx: Executor, policy: TeamPolicy, policyHash: Hex): Promise<StoredVersion | null> {
  const [inForce, open] = [await findInForce(tx, policy), await findProposed(tx, policy)]
  const same = [inForce, open].find((version) => version?.policyHash === policyHash)
  if (same) return same
  const { number, previousHash } = policy
  if (open && number >= open.number)
    throw fail('POLICY_CONFLICT', {
      reason: 'open',
      number: open.number,
      proposer: open.proposer,
      hash: open.policyHash,
    })
  const expected = (inForce?.number ?? 0) + 1
  if (number !== expected) throw fail('POLICY_CONFLICT', { reason: 'number', number, expected })
  const before = inForce?.policyHash ?? zeroHash
  if (previousHash !== before) throw fail('POLICY_CONFLICT', { reason: 'previous', previousHash, expected: before })
  return null
}

async function insert(
  tx: Executor,
  {
    policy,
    policyHash,
    text,
    proposer,
    now,
  }: {
    policy: TeamPolicy
    policyHash: Hex
    text: string
    proposer: StoredVersion['proposer']
    now: Date
  },
): Promise<StoredVersion> {
  const { chainId, safeAddress, number } = policy
  const row = { chainId, safeAddress, number, policyHash, policy: text, proposer, proposedAt: now, inForceSince: null }
  await tx.insert(table).values(row)
  return row
}
