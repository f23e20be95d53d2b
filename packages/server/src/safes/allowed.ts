import { fail } from '@countersign/contract'
import type { CountersignError } from '@countersign/safe'
import { and, eq, gt, inArray, isNotNull, not, sql } from 'drizzle-orm'
import type { Address } from 'viem'
import { type AccessSettings, safeKey } from '../config/access.ts'
import type { Deps } from '../context.ts'
import type { Executor } from '../db/client.ts'
import { lockUntilCommit } from '../db/lock-until-commit.ts'
import { safe } from '../db/schema.ts'
import { teamsOf } from './roles.ts'

const DAY_MS = 86_400_000

/**
 * Refuses an account that the operator does not let in.
 *
 * @throws CountersignError `ACCOUNT_NOT_ALLOWED`.
 */
export async function requireAllowedAccount(
  ctx: Pick<Deps, 'db' | 'clock' | 'access'>,
  account: Address,
): Promise<void> {
  if (!(await isAllowedAccount(ctx, account))) throw accountNotAllowed(ctx.access, account)
}

/** Whether the operator lets an account in, at this moment. */
export async function isAllowedAccount(
  { db, clock, access }: Pick<Deps, 'db' | 'clock' | 'access'>,
  account: Address,
): Promise<boolean> {
  if (access.signIn === 'all' || access.admins.has(account) || access.accounts.has(account)) return true
  if (access.signIn === 'accounts') return false
  // A Safe that is stored here may sign in as itself: its owners sign for it.
  const { rows } = await db.execute<{ found: boolean }>(sql`
    select exists (${teamsOf({ address: account }, clock())})
      or exists (select from ${safe} where ${eq(safe.address, account)}) as found`)
  return rows[0]?.found === true
}

export function accountNotAllowed({ signIn }: AccessSettings, address: Address): CountersignError {
  return fail('ACCOUNT_NOT_ALLOWED', { reason: signIn === 'owners' ? 'owners' : 'accounts', address })
}

/**
 * Counts a Safe that was just stored as brought by an account, or refuses it: where the operator does not want it, or the
 * account has made the nodes read enough. In the transaction that has stored it, which the refusal undoes.
 *
 * @throws CountersignError `SAFE_NOT_ALLOWED`.
 */
export async function countNewSafe(
  { access, hasRateLimits }: Pick<Deps, 'access' | 'hasRateLimits'>,
  tx: Executor,
  { chainId, address, account, now }: { chainId: number; address: Address; account: Address; now: Date },
): Promise<void> {
  const isAdmin = access.admins.has(account)
  if (!isAdmin && access.safes === 'admins') throw fail('SAFE_NOT_ALLOWED', { reason: 'admins', address })
  if (!isAdmin && typeof access.safes === 'object' && !access.safes.has(safeKey({ chainId, address })))
    throw fail('SAFE_NOT_ALLOWED', { reason: 'safes', chainId, address })
  await tx
    .update(safe)
    .set({ addedBy: account })
    .where(and(eq(safe.chainId, chainId), eq(safe.address, address)))
  if (isAdmin || !hasRateLimits) return
  // Two requests at once must not both be the last one that is allowed.
  await lockUntilCommit(tx, 'new safes')
  const isOfToday = gt(safe.addedAt, new Date(now.getTime() - DAY_MS))
  const { newSafesPerDay: limit, newSafesPerDayOfAll: limitOfAll } = access
  const added = await tx.$count(safe, and(eq(safe.addedBy, account), isOfToday))
  // The new one is among them.
  if (added > limit) throw fail('SAFE_NOT_ALLOWED', { reason: 'quota', account, limit })
  const isOfAdmin = inArray(safe.addedBy, [...access.admins])
  const addedByAll = await tx.$count(safe, and(isNotNull(safe.addedBy), isOfToday, not(isOfAdmin)))
  if (addedByAll > limitOfAll) throw fail('SAFE_NOT_ALLOWED', { reason: 'quota-of-all', limit: limitOfAll })
}
