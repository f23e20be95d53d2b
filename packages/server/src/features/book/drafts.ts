import {
  fail,
  type Input,
  type listDrafts as listEndpoint,
  type Reply,
  type removeDraft as removeEndpoint,
  type shareDraft as shareEndpoint,
  type TeamDraft,
} from '@countersign/contract'
import { and, eq, gt, type SQL, sql } from 'drizzle-orm'
import type { SignedInCtx } from '../../context.ts'
import { decodeKeyset, encodeKeyset } from '../../db/keyset.ts'
import { lockUntilCommit } from '../../db/lock-until-commit.ts'
import { fitsPage, shownOf } from '../../db/page-bytes.ts'
import { teamDraft as table } from '../../db/team-schema.ts'
import { write } from '../../outbox/write.ts'
import { requireOwnerOrProposer } from '../../safes/access.ts'
import { isMemberOf } from '../../safes/roles.ts'
import { type Bounds, tooMany } from './bounds.ts'

/** Drafts and templates of one author, for one Safe. */
const MAX_DRAFTS: Bounds = { owner: 30, proposer: 5 }
const MAX_PAGE = 100
/** Bytes of a draft, apart from its content. */
const DRAFT_BYTES = 400

type Place = Pick<Input<typeof listEndpoint>, 'chainId' | 'safeAddress'>

/** Finds the drafts and templates of a Safe's team, oldest first, for the team. */
export async function findDrafts(
  ctx: SignedInCtx,
  { cursor, ...place }: Place & { cursor?: string | undefined },
): Promise<Reply<typeof listEndpoint>> {
  const [after] = decodeKeyset(cursor, [/^\d{1,18}$/])
  const fits = fitsPage(sql`octet_length(${table.content}) + ${sql.raw(String(DRAFT_BYTES))}`, [sql`${table.id}`])
  const rows = await ctx.db
    .select({ ...draftFields, fits })
    .from(table)
    .where(and(isOf(place), isMemberOf(ctx, table), cursor ? gt(table.id, BigInt(after ?? 0)) : undefined))
    .orderBy(table.id)
    .limit(MAX_PAGE + 1)
  const shown = shownOf(rows, MAX_PAGE)
  const last = rows.length > shown ? rows[shown - 1] : undefined
  return { drafts: rows.slice(0, shown).map(toDraft), nextCursor: last ? encodeKeyset([last.id]) : null }
}

const draftFields = {
  id: table.id,
  author: table.author,
  name: table.name,
  content: table.content,
  isTemplate: table.isTemplate,
  createdAt: table.createdAt,
}

/**
 * Keeps a draft for the team; the same again changes nothing.
 *
 * @throws CountersignError `TOO_MANY`
 */
export async function shareDraft(
  ctx: SignedInCtx,
  { chainId, safeAddress, name, content, isTemplate }: Input<typeof shareEndpoint>,
): Promise<TeamDraft> {
  const role = await requireOwnerOrProposer(ctx, chainId, safeAddress)
  const author = ctx.viewer.address
  const place = { chainId, safeAddress }
  return write(ctx, null, async (tx, log) => {
    await lockUntilCommit(tx, `drafts ${chainId} ${safeAddress} ${author}`)
    const own = await tx
      .select(draftFields)
      .from(table)
      .where(and(isOf(place), eq(table.author, author)))
    const same = own.find((one) => one.name === name && one.content === content && one.isTemplate === isTemplate)
    if (same) return toDraft(same)
    if (own.length >= MAX_DRAFTS[role]) throw tooMany('drafts', MAX_DRAFTS[role])
    const [added] = await tx
      .insert(table)
      .values({ ...place, author, name, content, isTemplate, createdAt: ctx.clock() })
      .returning(draftFields)
    if (!added) throw fail('INTERNAL', { reason: 'note' })
    log.add({ verb: 'shared-draft', account: author, ...place, detail: { name } })
    return toDraft(added)
  })
}

/** Removes a draft of the team, whoever wrote it: one that was proposed is not to be proposed again. */
export async function removeDraft(
  ctx: SignedInCtx,
  { chainId, safeAddress, id }: Input<typeof removeEndpoint>,
): Promise<undefined> {
  await requireOwnerOrProposer(ctx, chainId, safeAddress)
  const account = ctx.viewer.address
  await write(ctx, null, async (tx, log) => {
    const [removed] = await tx
      .delete(table)
      .where(and(isOf({ chainId, safeAddress }), eq(table.id, BigInt(id))))
      .returning({ name: table.name })
    if (removed) log.add({ verb: 'removed-draft', account, chainId, safeAddress, detail: { name: removed.name } })
  })
}

function isOf({ chainId, safeAddress }: Place): SQL | undefined {
  return and(eq(table.chainId, chainId), eq(table.safeAddress, safeAddress))
}

type Row = Pick<typeof table.$inferSelect, keyof typeof draftFields>

function toDraft({ id, author, name, content, isTemplate, createdAt }: Row): TeamDraft {
  return { id: id.toString(), author, name, content, isTemplate, createdAt: createdAt.toISOString() }
}
