import {
  type addNote as addEndpoint,
  fail,
  type Input,
  type listNotes as listEndpoint,
  type Note,
  type Reply,
  type removeNote as removeEndpoint,
} from '@countersign/contract'
import { and, eq, gt, type SQL, sql } from 'drizzle-orm'
import type { Address, Hex } from 'viem'
import type { SignedInCtx } from '../../context.ts'
import type { Executor } from '../../db/client.ts'
import { toBytes } from '../../db/columns.ts'
import { decodeKeyset, encodeKeyset } from '../../db/keyset.ts'
import { lockUntilCommit } from '../../db/lock-until-commit.ts'
import { fitsPage, shownOf } from '../../db/page-bytes.ts'
import { note as table } from '../../db/team-schema.ts'
import { write } from '../../outbox/write.ts'
import { requireOwnerOrProposer, requireSharedSafe } from '../../safes/access.ts'
import { isMemberOf } from '../../safes/roles.ts'
import { type Bounds, tooMany } from './bounds.ts'

/** On one transaction or message. */
const MAX_NOTES: Bounds = { owner: 200, proposer: 20 }
/** On all those of one Safe. */
const MAX_NOTE_BYTES: Bounds = { owner: 1_048_576, proposer: 131_072 }
/** Notes of a page, even of the shortest. */
const MAX_PAGE = 1_000
/** Bytes of a note, apart from its text. */
const NOTE_BYTES = 150

type Subject = { chainId: number; safeAddress: Address; subjectHash: Hex }

/** Finds the notes about a transaction or a message, oldest first, for the team. */
export async function findNotes(
  ctx: SignedInCtx,
  { cursor, ...subject }: Subject & { cursor?: string | undefined },
): Promise<Reply<typeof listEndpoint>> {
  const [after] = decodeKeyset(cursor, [/^\d{1,18}$/])
  const order = [sql`${table.id}`]
  const fits = fitsPage(sql`octet_length(${table.text}) + ${sql.raw(String(NOTE_BYTES))}`, order)
  const rows = await ctx.db
    .select({ ...noteFields, fits })
    .from(table)
    .where(and(isAbout(subject), isMemberOf(ctx, table), cursor ? gt(table.id, BigInt(after ?? 0)) : undefined))
    .orderBy(...order)
    .limit(MAX_PAGE + 1)
  const shown = shownOf(rows, MAX_PAGE)
  const last = rows.length > shown ? rows[shown - 1] : undefined
  return { notes: rows.slice(0, shown).map(toNote), nextCursor: last ? encodeKeyset([last.id]) : null }
}

const noteFields = { id: table.id, author: table.author, text: table.text, createdAt: table.createdAt }

async function selectNotes(db: Pick<Executor, 'select'>, which: SQL | undefined): Promise<Note[]> {
  const rows = await db.select(noteFields).from(table).where(which).orderBy(table.id)
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
  const role = await requireOwnerOrProposer(ctx, chainId, safeAddress)
  const author = ctx.viewer.address
  const now = ctx.clock()
  const subject = { chainId, safeAddress, subjectHash }
  return write(ctx, null, async (tx, log) => {
    await requireSubject(tx, subject)
    const own = await selectNotes(tx, and(isAbout(subject), eq(table.author, author)))
    const same = own.find((note) => note.text === text)
    if (same) return same
    if (own.length >= MAX_NOTES[role]) throw tooMany('notes', MAX_NOTES[role])
    await lockUntilCommit(tx, `notes ${chainId} ${safeAddress} ${author}`)
    const [others] = await tx
      .select({ bytes: sql`coalesce(sum(octet_length(${table.text})), 0)`.mapWith(Number) })
      .from(table)
      .where(and(eq(table.chainId, chainId), eq(table.safeAddress, safeAddress), eq(table.author, author)))
    const bytes = MAX_NOTE_BYTES[role]
    if ((others?.bytes ?? 0) + Buffer.byteLength(text) > bytes)
      throw fail('TOO_MANY', { reason: 'note-bytes', limit: bytes })
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
