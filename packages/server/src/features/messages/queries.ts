import type { Role, SafeMessage } from '@countersign/contract'
import type { SignatureType } from '@countersign/safe'
import { and, eq, getTableColumns, sql } from 'drizzle-orm'
import { type Address, getAddress, type Hex } from 'viem'
import type { SignedInCtx } from '../../context.ts'
import type { Database } from '../../db/client.ts'
import { decodeKeyset, encodeKeyset, momentForm } from '../../db/keyset.ts'
import { fitsPage, shownOf } from '../../db/page-bytes.ts'
import { safe } from '../../db/schema.ts'
import { safeMessage as table } from '../../db/team-schema.ts'
import { isMember, roleOf } from '../../safes/roles.ts'
import type { Who } from '../../safes/viewer.ts'

/** Result of a proposal: the wire of the Transaction Service has to say whether it existed already. */
export type StoredMessage = { message: SafeMessage; isNew: boolean; isNewConfirmation: boolean }

type StoredConfirmation = { owner: Hex; signature: Hex; type: SignatureType; at: string }

const DEFAULT_LIMIT = 50
const keyset = [momentForm, /^[0-9a-f]{64}$/]

const isOfSafe = and(eq(safe.chainId, table.chainId), eq(safe.address, table.safeAddress))

/** A message with the confirmations that count: those of owners who are owners still. One query. */
const messageFields = {
  ...getTableColumns(table),
  threshold: safe.threshold,
  confirmations: sql<StoredConfirmation[]>`(
    select coalesce(json_agg(json_build_object(
      'owner', '0x' || encode(c.owner, 'hex'), 'signature', '0x' || encode(c.signature, 'hex'),
      'type', c.signature_type, 'at', c.submission_date) order by c.submission_date, c.owner), '[]')
    from message_confirmation c where c.chain_id = ${table.chainId} and c.message_hash = ${table.safeMessageHash}
      and c.owner = any(${safe.owners}))`,
}

/** Bytes of the long parts of a message. */
export const messageWeight = sql`(octet_length(${table.content})
  + coalesce((select sum(octet_length(c.signature)) from message_confirmation c
    where c.chain_id = ${table.chainId} and c.message_hash = ${table.safeMessageHash}), 0))`

function selectMessages(db: Pick<Database, 'select'>) {
  return db.select(messageFields).from(table).innerJoin(safe, isOfSafe)
}

type MessageRow = Awaited<ReturnType<ReturnType<typeof selectMessages>['execute']>>[number]

/** Finds the messages of one Safe, newest first, for its team. */
export async function findMessages(
  { db, viewer, clock }: SignedInCtx,
  {
    chainId,
    safeAddress,
    cursor,
    limit = DEFAULT_LIMIT,
  }: { chainId: number; safeAddress: Address; cursor?: string | undefined; limit?: number | undefined },
): Promise<{ messages: SafeMessage[]; nextCursor: string | null }> {
  const [date, hash] = decodeKeyset(cursor, keyset)
  const after = sql`(${table.submissionDate}, ${table.safeMessageHash}) < (${date}::timestamptz, decode(${hash}, 'hex'))`
  const order = [sql`${table.submissionDate} desc`, sql`${table.safeMessageHash} desc`]
  const fits = fitsPage(messageWeight, order)
  const rows = await db
    .select({
      ...messageFields,
      content: sql<string>`case when ${fits} then ${table.content} end`,
      confirmations: sql<StoredConfirmation[]>`case when ${fits} then ${messageFields.confirmations} else '[]' end`,
      fits,
    })
    .from(table)
    .innerJoin(safe, isOfSafe)
    .where(
      and(
        eq(table.chainId, chainId),
        eq(table.safeAddress, safeAddress),
        isMember(viewer, clock()),
        cursor ? after : undefined,
      ),
    )
    .orderBy(...order)
    .limit(limit + 1)
  const shown = shownOf(rows, limit)
  const last = rows.length > shown ? rows[shown - 1] : undefined
  return {
    messages: rows.slice(0, shown).map(({ fits: _, ...row }) => toMessage(row)),
    nextCursor: last ? encodeKeyset([last.submissionDate.toISOString(), last.safeMessageHash.slice(2)]) : null,
  }
}

/** One message, whoever asks. */
export async function findMessage(
  db: Pick<Database, 'select'>,
  chainId: number,
  safeMessageHash: Hex,
): Promise<SafeMessage | null> {
  const [row] = await selectMessages(db).where(
    and(eq(table.chainId, chainId), eq(table.safeMessageHash, safeMessageHash)),
  )
  return row ? toMessage(row) : null
}

/** One message, whoever asks, with the role that who asks has in its team; null: nobody is signed in. */
export async function findMessageAndRole(
  db: Pick<Database, 'select'>,
  { chainId, safeMessageHash, who, now }: { chainId: number; safeMessageHash: Hex; who: Who | null; now: Date },
): Promise<{ message: SafeMessage; role: Role | null; saved: typeof safe.$inferSelect } | null> {
  const [row] = await db
    .select({ ...messageFields, role: who === null ? sql<null>`null` : roleOf(who, now), saved: safe })
    .from(table)
    .innerJoin(safe, isOfSafe)
    .where(and(eq(table.chainId, chainId), eq(table.safeMessageHash, safeMessageHash)))
  if (!row) return null
  const { role, saved, ...message } = row
  return { message: toMessage(message), role, saved }
}

/** One message, when who asks is of the Safe's team. */
export async function findVisibleMessage(
  db: Pick<Database, 'select'>,
  chainId: number,
  safeMessageHash: Hex,
  who: Who,
  now: Date,
): Promise<SafeMessage | null> {
  const [row] = await selectMessages(db).where(
    and(eq(table.chainId, chainId), eq(table.safeMessageHash, safeMessageHash), isMember(who, now)),
  )
  return row ? toMessage(row) : null
}

/** How many messages of the Safe this proposer has, how many of them have too few confirmations, and their bytes. */
export async function countMessages(
  db: Pick<Database, 'select'>,
  chainId: number,
  safeAddress: Address,
  proposer: Address,
): Promise<{ all: number; open: number; bytes: number }> {
  const confirmed = sql`(select count(*) from message_confirmation c
    where c.chain_id = ${table.chainId} and c.message_hash = ${table.safeMessageHash} and c.owner = any(${safe.owners}))`
  const [counted] = await db
    .select({
      all: sql<number>`count(*)::int`,
      open: sql<number>`(count(*) filter (where ${confirmed} < ${safe.threshold}))::int`,
      bytes: sql<number>`coalesce(sum(octet_length(${table.content})), 0)::float8`,
    })
    .from(table)
    .innerJoin(safe, isOfSafe)
    .where(and(eq(table.chainId, chainId), eq(table.safeAddress, safeAddress), eq(table.proposer, proposer)))
  return counted ?? { all: 0, open: 0, bytes: 0 }
}

function toMessage({ threshold, confirmations, submissionDate, modifiedDate, ...row }: MessageRow): SafeMessage {
  return {
    ...row,
    submissionDate: submissionDate.toISOString(),
    modifiedDate: modifiedDate.toISOString(),
    confirmations: confirmations.map(({ owner, signature, type, at }) => ({
      owner: getAddress(owner),
      signature,
      signatureType: type,
      submissionDate: new Date(at).toISOString(),
    })),
    confirmationsRequired: threshold,
  }
}
