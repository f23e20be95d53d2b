import type { QueueClaims } from '@countersign/contract'
import { and, eq, sql } from 'drizzle-orm'
import type { Address } from 'viem'
import type { SignedInCtx } from '../../context.ts'
import { fitsPage, shownOf } from '../../db/page-bytes.ts'
import { safe, multisigTransaction as table } from '../../db/schema.ts'
import { findDeletedAfter, MAX_DELETED } from '../alive/queries.ts'
import { findInForce, policyOf } from '../policy/queries.ts'
import { spentBesideEach } from '../policy/spent.ts'
import { findFormerConfirmations } from '../signing/former-confirmations.ts'
import { parseDeclaredEffects } from './declared-effects.ts'
import { findOthers, MAX_OTHERS } from './queries.ts'

/** As many as a page of the queue has. */
const MAX_PROPOSALS = 100

/** Says of the first proposals of the queue what `getTransaction` says beside its fields. Whoever asks is of the team. */
export async function findQueueClaims(ctx: SignedInCtx, place: Place): Promise<QueueClaims> {
  const rows = await findDeclared(ctx, place)
  const lowest = rows[0]?.nonce
  if (lowest === undefined) return { proposals: [], others: [], deleted: [] }
  const hashes = rows.map(({ safeTxHash }) => safeTxHash)
  const nonces = rows.map(({ nonce }) => nonce)
  const [others, deleted, former, policy] = await Promise.all([
    findOthers(ctx, { ...place, safeTx: { nonce: lowest }, safeTxHash: null }),
    findDeletedAfter(ctx, { ...place, nonce: lowest }),
    findFormerConfirmations(ctx, 'transaction', { ...place, hashes }),
    findInForce(ctx.db, place, ctx),
  ])
  const limits = policy ? policyOf(policy).amountLimits : []
  const spent = await spentBesideEach(
    ctx.db,
    { ...place, now: ctx.clock(), tokenLists: ctx.tokenLists },
    limits,
    nonces,
  )
  // Where not all of them fit, later proposals would miss what concerns them.
  const isWhole = others.length < MAX_OTHERS && deleted.length < MAX_DELETED
  const whole = isWhole ? rows : rows.filter(({ nonce }) => nonce === lowest)
  return {
    proposals: whole.map(({ safeTxHash, nonce, declaredEffects }) => ({
      safeTxHash,
      formerConfirmations: former.get(safeTxHash) ?? [],
      declaredEffects: parseDeclaredEffects(declaredEffects),
      spent: spent.get(nonce) ?? [],
    })),
    others,
    deleted,
  }
}

type Place = { chainId: number; safeAddress: Address }

/** Proposals in the order of the queue, with the effects that are declared of each; as many as fit. */
async function findDeclared({ db }: SignedInCtx, { chainId, safeAddress }: Place) {
  const order = [sql`${table.nonce}`, sql`${table.submissionDate}`, sql`${table.safeTxHash}`]
  const fits = fitsPage(sql`coalesce(octet_length(${table.declaredEffects}), 0)`, order)
  const declaredEffects = sql<string | null>`case when ${fits} then ${table.declaredEffects} end`
  const rows = await db
    .select({ safeTxHash: table.safeTxHash, nonce: table.nonce, declaredEffects, fits })
    .from(table)
    .innerJoin(safe, and(eq(safe.chainId, table.chainId), eq(safe.address, table.safeAddress)))
    .where(
      and(
        eq(table.chainId, chainId),
        eq(table.safeAddress, safeAddress),
        sql`not ${table.isExecuted}`,
        table.isTrusted,
        sql`${table.nonce} >= ${safe.nonce}`,
      ),
    )
    .orderBy(...order)
    .limit(MAX_PROPOSALS)
  const shown = rows.slice(0, shownOf(rows, MAX_PROPOSALS))
  return shown.flatMap(({ nonce, ...row }) => (nonce === null ? [] : [{ ...row, nonce }]))
}
