import type { ReviewReport } from '@countersign/contract'
import { and, desc, eq, sql } from 'drizzle-orm'
import type { Address, Hex } from 'viem'
import type { SignedInCtx } from '../../context.ts'
import type { Executor } from '../../db/client.ts'
import { activity } from '../../db/schema.ts'
import { isMemberOf } from '../../safes/roles.ts'

/** Owners of a Safe, proposers and whoever tried to execute: more accounts than a Safe has owners. */
const MAX_REPORTS = 200

/** As the index `activity_reviewed` has it: of an entry about a message its hash stands in the detail. */
const subjectHash = sql`coalesce('0x' || encode(${activity.safeTxHash}, 'hex'), ${activity.detail} ->> 'safeMessageHash')`

/**
 * Finds what accounts say that their pages showed them of a transaction or a message: of each account and verb what it
 * reported last, newest first. Claims, kept in the activity log. For the team; others find nothing.
 */
export async function findReports(
  ctx: SignedInCtx,
  { chainId, safeAddress, hash }: { chainId: number; safeAddress: Address; hash: Hex },
): Promise<ReviewReport[]> {
  const newest = ctx.db
    .selectDistinctOn([activity.account, activity.verb], {
      id: activity.id,
      account: activity.account,
      at: activity.at,
      verb: activity.verb,
      reviewed: activity.reviewed,
    })
    .from(activity)
    .where(
      and(
        eq(activity.chainId, chainId),
        eq(activity.safeAddress, safeAddress),
        sql`${subjectHash} = ${hash}`,
        sql`${activity.reviewed} is not null`,
        isMemberOf(ctx, activity),
      ),
    )
    .orderBy(activity.account, activity.verb, desc(activity.id))
    .as('newest')
  const rows = await ctx.db.select().from(newest).orderBy(desc(newest.id)).limit(MAX_REPORTS)
  return rows.flatMap(({ account, at, verb, reviewed }) =>
    account && reviewed && isReported(verb) ? [{ account, at: at.toISOString(), verb, reviewed }] : [],
  )
}

/** An account can say again and again that it sent something: so many of its reports on one subject are kept. */
const MAX_OF_ACCOUNT = 20

/** Whether one more report of an account on a transaction is kept. The log tells of what was done anyway. */
export async function isReportKept(
  db: Executor,
  { chainId, safeAddress, hash, account }: { chainId: number; safeAddress: Address; hash: Hex; account: Address },
): Promise<boolean> {
  const isOfAccount = and(
    eq(activity.chainId, chainId),
    eq(activity.safeAddress, safeAddress),
    sql`${subjectHash} = ${hash}`,
    sql`${activity.reviewed} is not null`,
    eq(activity.account, account),
  )
  const kept = await db.select({ id: activity.id }).from(activity).where(isOfAccount).limit(MAX_OF_ACCOUNT)
  return kept.length < MAX_OF_ACCOUNT
}

function isReported(verb: string): verb is ReviewReport['verb'] {
  return ['proposed', 'confirmed', 'sent', 'proposed-message', 'confirmed-message'].includes(verb)
}
