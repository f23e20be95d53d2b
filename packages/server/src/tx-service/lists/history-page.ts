import { and, eq, getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm'
import type { Address, Hex } from 'viem'
import { decodeKeyset, encodeKeyset } from '../../db/keyset.ts'
import { fitsPage, shownOf } from '../../db/page-bytes.ts'
import { historyEntry as entry, safe } from '../../db/schema.ts'
import { refuseCode, refuseDetail } from '../wire/answers.ts'
import { MAX_COUNTED, type PageSize, parseWindow, type Window } from '../wire/page.ts'
import type { Call } from '../wire/service.ts'
import { isVisible, isVisibleAt } from '../wire/visibility.ts'

type Row = typeof entry.$inferSelect

export const isOfSafe = and(eq(safe.chainId, entry.chainId), eq(safe.address, entry.safeAddress))

/** Reads a page of a Safe's history, newest first by default: its entries, their total, and how many of them fit. */
export async function findEntries(
  call: Call,
  which: SQL | undefined,
  { limit, offset, after }: Window,
  isAscending = false,
): Promise<{ rows: Row[]; count: number; shown: number; after?: string | undefined }> {
  const { db } = call.deps
  const where = and(eq(entry.chainId, call.chainId), isVisible(call), which)
  const order = positionOrder(isAscending)
  // Ordered like an index, so that PostgreSQL counts along it and does not scan the entries of all other Safes.
  const matching = db
    .select({ one: sql`1` })
    .from(entry)
    .innerJoin(safe, isOfSafe)
    .where(where)
    .orderBy(...order)
    .limit(MAX_COUNTED)
  const count = sql<number>`(select count(*)::int from (${matching}) matching)`
  const page = db
    .select(getTableColumns(entry))
    .from(entry)
    .innerJoin(safe, isOfSafe)
    .where(and(where, isAfter(after, isAscending)))
    .orderBy(...order)
    .limit(limit + 1)
    .offset(after === undefined ? offset : 0)
    .as(getTableName(entry))
  // Weight of a module's calldata: its length, and that of short calldata when decoded.
  const fits = fitsPage(sql`4 * coalesce(octet_length(${entry.data}), 0)`, order)
  const data = sql<Hex | null>`case when ${fits} then ${entry.data} end`.mapWith(entry.data)
  const rows = await db
    .select({ entry: { ...getTableColumns(entry), data }, count, fits })
    .from(page)
    .orderBy(...order)
  const [first] = rows
  const shown = shownOf(rows, limit)
  const found = { rows: rows.map((row) => row.entry), shown, after: positionOf(rows[shown - 1]?.entry) }
  if (first || offset === 0) return { ...found, count: first?.count ?? 0 }
  const [alone] = await db.select({ count }).from(sql`(values (1)) as nothing`)
  return { ...found, count: alone?.count ?? 0 }
}

/** Largest offset: PostgreSQL walks over every skipped entry. Beyond it, clients follow `next`, which costs nothing. */
const MAX_OFFSET = 100_000

/**
 * Parses `limit`, `offset` and `after` of a list in the order of the history.
 *
 * @throws a refusal with status 400 if the offset is too large for this Safe's history
 */
export async function readHistoryWindow(call: Call, safeAddress: Address, size?: PageSize): Promise<Window> {
  const window = parseWindow(call, size)
  const after = call.query.get('after') ?? undefined
  if (after !== undefined || window.offset <= MAX_OFFSET) return { ...window, after }
  const [further] = await call.deps.db
    .select({ one: sql`1` })
    .from(entry)
    .where(and(eq(entry.chainId, call.chainId), eq(entry.safeAddress, safeAddress), isVisibleAt(call, safeAddress)))
    .limit(1)
    .offset(MAX_OFFSET)
  // In a shorter history the page is empty.
  return further ? refuseDetail(400, `The offset must not exceed ${MAX_OFFSET}. Follow next instead.`) : window
}

const positionForms = [/^\d{1,15}$/, /^\d{1,9}$/, /^\d{1,9}$/]

/** Encodes the position of an entry, from which the next page continues. */
export function positionOf(row: Pick<Row, 'blockNumber' | 'logIndex' | 'part'> | undefined): string | undefined {
  return row && encodeKeyset([row.blockNumber, row.logIndex, row.part])
}

/** Selects the entries after a position. */
export function isAfter(position: string | undefined, isAscending: boolean): SQL | undefined {
  if (position === undefined) return undefined
  const [block, log, part] = parsePosition(position)
  return sql`(${entry.blockNumber}, ${entry.logIndex}, ${entry.part}) ${isAscending ? sql`>` : sql`<`}
    (${block}::bigint, ${log}::int, ${part}::int)`
}

function parsePosition(position: string): string[] {
  try {
    return decodeKeyset(position, positionForms)
  } catch {
    return refuseCode(400, 1, 'after is not valid', [position])
  }
}

/** Orders entries by their position on the chain. */
export function positionOrder(isAscending: boolean): SQL[] {
  return [entry.blockNumber, entry.logIndex, entry.part].map((column) =>
    isAscending ? sql`${column}` : sql`${column} desc`,
  )
}
