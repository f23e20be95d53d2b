import type { PolicyVersion } from '@countersign/contract'
import { parsePolicy, type TeamPolicy } from '@countersign/review'
import { and, asc, desc, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Address, Hex } from 'viem'
import type { SignedInCtx } from '../../context.ts'
import { builtOnce } from '../../db/built-once.ts'
import type { Executor } from '../../db/client.ts'
import { policyApproval, policyWithdrawal, policyVersion as table } from '../../db/team-schema.ts'
import { isMemberOf } from '../../safes/roles.ts'

export type Place = { chainId: number; safeAddress: Address }

/** A version as it is stored. */
export type StoredVersion = typeof table.$inferSelect

type Reader = Pick<Executor, 'select'>

function isOf({ chainId, safeAddress }: Place) {
  return and(eq(table.chainId, chainId), eq(table.safeAddress, safeAddress))
}

/**
 * Finds the highest version that enough owners have signed.
 *
 * @param who whoever asks, where it is for a person to read: of the team, or there is nothing
 */
export async function findInForce(db: Executor, place: Place, who?: SignedInCtx): Promise<StoredVersion | undefined> {
  if (!who) {
    const [found] = await selectInForce(db, 'policy-in-force').execute(place)
    return found
  }
  const isInForce = and(isOf(place), isNotNull(table.inForceSince), isMemberOf(who, table))
  const [found] = await db.select().from(table).where(isInForce).orderBy(desc(table.number)).limit(1)
  return found
}

/** Every proposal and confirmation asks for it. */
const selectInForce = builtOnce((db, name: 'policy-in-force') => {
  const place = { chainId: sql.placeholder('chainId'), safeAddress: sql.placeholder('safeAddress') }
  const isOfPlace = and(
    eq(table.chainId, place.chainId),
    eq(table.safeAddress, sql.param(place.safeAddress, table.safeAddress)),
  )
  return db
    .select()
    .from(table)
    .where(and(isOfPlace, isNotNull(table.inForceSince)))
    .orderBy(desc(table.number))
    .limit(1)
    .prepare(name)
})

/** Finds the version that waits for approvals; there is one at most. */
export async function findProposed(db: Reader, place: Place, who?: SignedInCtx): Promise<StoredVersion | undefined> {
  const isProposed = and(isOf(place), isNull(table.inForceSince), who && isMemberOf(who, table))
  const [found] = await db.select().from(table).where(isProposed).orderBy(desc(table.number)).limit(1)
  return found
}

export async function findVersion(db: Reader, place: Place, policyHash: Hex): Promise<StoredVersion | undefined> {
  const [found] = await db
    .select()
    .from(table)
    .where(and(isOf(place), eq(table.policyHash, policyHash)))
  return found
}

export async function findApprovals(db: Reader, { chainId, policyHash }: StoredVersion) {
  return db
    .select()
    .from(policyApproval)
    .where(and(eq(policyApproval.chainId, chainId), eq(policyApproval.policyHash, policyHash)))
    .orderBy(asc(policyApproval.signedAt), asc(policyApproval.owner))
}

export async function findWithdrawals(db: Reader, { chainId, policyHash }: StoredVersion) {
  return db
    .select()
    .from(policyWithdrawal)
    .where(and(eq(policyWithdrawal.chainId, chainId), eq(policyWithdrawal.policyHash, policyHash)))
    .orderBy(asc(policyWithdrawal.signedAt), asc(policyWithdrawal.owner))
}

/** A version as the wire has it, with every signature on it. */
export async function toVersion(db: Reader, stored: StoredVersion): Promise<PolicyVersion> {
  const [approvals, withdrawals] = [await findApprovals(db, stored), await findWithdrawals(db, stored)]
  const { policy, policyHash: hash, number, proposer, proposedAt, inForceSince } = stored
  return {
    policy,
    hash,
    number,
    proposer,
    proposedAt: proposedAt.toISOString(),
    inForceSince: inForceSince?.toISOString() ?? null,
    approvals: approvals.map(({ owner, signature, signedAt }) => ({
      owner,
      signature,
      signedAt: signedAt.toISOString(),
    })),
    withdrawals: withdrawals.map(({ entryHash, owner, signature, signedAt }) => ({
      entryHash,
      owner,
      signature,
      signedAt: signedAt.toISOString(),
    })),
  }
}

/** Parsed once for each text: every proposal and confirmation asks for it. */
const parsed = new Map<Hex, TeamPolicy>()
const MAX_PARSED = 500

export function policyOf({ policyHash, policy }: Pick<StoredVersion, 'policyHash' | 'policy'>): TeamPolicy {
  const known = parsed.get(policyHash)
  if (known) return known
  const read = parsePolicy(policy)
  if (parsed.size >= MAX_PARSED) parsed.clear()
  parsed.set(policyHash, read)
  return read
}
