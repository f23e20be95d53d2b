import {
  type addNote as addEndpoint,
  fail,
  type Input,
  type Note,
  type removeNote as removeEndpoint,
} from '@countersign/contract'
import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Address, Hex } from 'viem'
import type { SignedInCtx } from '../../context.ts'
import type { Executor } from '../../db/client.ts'
import { toBytes } from '../../db/columns.ts'
import { note as table } from '../../db/team-schema.ts'
import { write } from '../../outbox/write.ts'
import { requireOwnerOrProposer, requireSharedSafe } from '../../safes/access.ts'
import { isMemberOf } from '../../safes/roles.ts'
import { type Bounds, tooMany } from './bounds.ts'

const MAX_NOTES: Bounds = { owner: 200, proposer: 20 }

type Subject = { chainId: number; safeAddress: Address; subjectHash: Hex }

/** What the team says about a transaction or a message, oldest first, for the team. */
export function findNotes(ctx: SignedInCtx, subject: Subject): Promise<Note[]> {
  return selectNotes(ctx.db, and(isAbout(subject), isMemberOf(ctx, table)))
}

async function selectNotes(db: Pick<Executor, 'select'>, which: SQL | undefined): Promise<Note[]> {
  const rows = await db
    .select({ id: table.id, author: table.author, text: table.text, createdAt: table.createdAt })
    .from(table)
    .where(which)
    .orderBy(table.id)
  return rows.map(toNote)
}

/**
 * Says something about a transaction or a message of the Safe; the same again changes nothing.
 *
 * @throws CountersignError `TRANSACTION_NOT_FOUND`, `TOO_MANY`.
 */
export async function addNote(
  ctx: SignedInCtx,
  { chainId, safeAddress, subjectHash, text }: Input<typeof addEndpoint>,
): Promise<Note> {
  const limit = MAX_NOTES[await requireOwnerOrProposer(ctx, chainId, safeAddress)]
  const author = ctx.viewer.address
  const now = ctx.clock()
  const subject = { chainId, safeAddress, subjectHash }
  return write(ctx, null, async (tx, log) => {
    await requireSubject(tx, subject)
    const own = await selectNotes(tx, and(isAbout(subject), eq(table.author, author)))
    const same = own.find((note) => note.text === text)
    if (same) return same
    if (own.length >= limit) throw tooMany('notes', limit)
    const [added] = await tx
      .insert(table)
      .values({ ...subject, author, text, createdAt: now })
      .returning()
    if (!added) throw fail('INTERNAL', { reason: 'note' })
    const about = { chainId, safeAddress, safeTxHash: subjectHash }
    log.add({ verb: 'noted', account: author, ...about, detail: { text } })
    return toNote(added)
  })
}

/** Removes one's own note; the activity log keeps what it said. */
export async function removeNote(
  ctx: SignedInCtx,
  { chainId, safeAddress, subjectHash, id }: Input<typeof removeEndpoint>,
): Promise<undefined> {
  await requireSharedSafe(ctx, chainId, safeAddress)
  const account = ctx.viewer.address
  await write(ctx, null, async (tx, log) => {
    const removed = await tx
      .delete(table)
      .where(and(isAbout({ chainId, safeAddress, subjectHash }), eq(table.id, BigInt(id)), eq(table.author, account)))
      .returning({ id: table.id })
    if (removed.length === 0) return
    const about = { chainId, safeAddress, safeTxHash: subjectHash }
    log.add({ verb: 'removed-note', account, ...about, detail: { id } })
  })
}

/** Holds its row, so that two notes at once are counted one after the other, and it is not deleted meanwhile. */
async function requireSubject(db: Executor, { chainId, safeAddress, subjectHash }: Subject): Promise<void> {
  const [hash, place] = [sql.param(toBytes(subjectHash)), sql.param(toBytes(safeAddress))]
  for (const [tableName, hashName] of [
    ['multisig_transaction', 'safe_tx_hash'],
    ['safe_message', 'message_hash'],
  ] as const) {
    const { rows } = await db.execute(sql`select 1 from ${sql.identifier(tableName)}
      where chain_id = ${chainId} and ${sql.identifier(hashName)} = ${hash} and safe_address = ${place} for no key update`)
    if (rows.length > 0) return
  }
  throw fail('TRANSACTION_NOT_FOUND', { reason: 'subject', chainId, safeAddress, subjectHash })
}

function isAbout({ chainId, safeAddress, subjectHash }: Subject) {
  return and(eq(table.chainId, chainId), eq(table.safeAddress, safeAddress), eq(table.subjectHash, subjectHash))
}

function toNote({
  id,
  author,
  text,
  createdAt,
}: Pick<typeof table.$inferSelect, 'id' | 'author' | 'text' | 'createdAt'>): Note {
  return { id: id.toString(), author, text, createdAt: createdAt.toISOString() }
}
