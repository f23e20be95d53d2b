import { and, eq, getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm'
import type { Address, Hex } from 'viem'
import { decodeKeyset, encodeKeyset } from '../../db/keyset.ts'
import { fitsPage, shownOf } from '../../db/page-bytes.ts'
import { historyEntry as entry, safe } from '../../db/schema.ts'
import { refuse, refuseCode, refuseDetail } from '../wire/answers.ts'
import { compareMoments, compareNumbers, parseFilters, pathAddress } from '../wire/fields.ts'
import { MAX_COUNTED, type PageSize, parseWindow, toPage, type Window } from '../wire/page.ts'
import type { Call, TxService } from '../wire/service.ts'
import { isIncoming, isTransfer, parseTransferId, toTransfers } from '../wire/transfer-wire.ts'
import { isVisible, isVisibleAt } from '../wire/visibility.ts'

type Row = typeof entry.$inferSelect

/** Lists the transfers of coin and tokens to and from a Safe. */
export function transferRoutes({ read }: TxService): void {
  read('GET', '/v1/safes/{safe}/transfers', (call) => listTransfers(call, isTransfer))
  read('GET', '/v1/safes/{safe}/incoming-transfers', (call) => listTransfers(call, isIncoming))
  read('GET', '/v1/transfer/{transferId}', async (call) => {
    const id = call.params('transferId')
    const wanted = parseTransferId(id) ?? refuseCode(400, 1, 'transfer_id is not valid', [id])
    const { transactionHash, logIndex, part } = wanted
    const [row] = await call.deps.db
      .select({ entry })
      .from(entry)
      .innerJoin(safe, isOfSafe)
      .where(
        and(
          eq(entry.chainId, call.chainId),
          eq(entry.transactionHash, transactionHash),
          eq(entry.logIndex, logIndex),
          part === null
            ? sql`${entry.tokenKind} in ('erc20', 'erc721')`
            : sql`${entry.part} = ${part} and ${entry.tokenKind} = 'native'`,
          isTransfer,
          isVisible(call),
        ),
      )
      .limit(1)
    const [transfer] = await toTransfers(call, row ? [row.entry] : [])
    return transfer ?? refuse(404)
  })
}

export const isOfSafe = and(eq(safe.chainId, entry.chainId), eq(safe.address, entry.safeAddress))

async function listTransfers(call: Call, which: SQL) {
  const safeAddress = pathAddress(call, 'safe')
  const window = await readHistoryWindow(call, safeAddress)
  const found = await findEntries(
    call,
    and(eq(entry.safeAddress, safeAddress), which, ...transferConditions(call, safeAddress)),
    window,
  )
  const transfers = await toTransfers(call, found.rows)
  return toPage(call, window, { ...found, rows: transfers }, (transfer) => transfer)
}

/** Entries of a Safe's history, newest first if not said otherwise, with how many there are and how many fit a page. */
export async function findEntries(
  call: Call,
  which: SQL | undefined,
  { limit, offset, after }: Window,
  isAscending = false,
): Promise<{ rows: Row[]; count: number; shown: number; after?: string | undefined }> {
  const { db } = call.deps
  const where = and(eq(entry.chainId, call.chainId), isVisible(call), which)
  const order = placeOrder(isAscending)
  // Counted in the order of an index: else the table may be read, with all other Safes in it.
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
    .where(and(where, isBehind(after, isAscending)))
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
  const found = { rows: rows.map((row) => row.entry), shown, after: placeOf(rows[shown - 1]?.entry) }
  if (first || offset === 0) return { ...found, count: first?.count ?? 0 }
  const [alone] = await db.select({ count }).from(sql`(values (1)) as nothing`)
  return { ...found, count: alone?.count ?? 0 }
}

/** Each entry that is skipped is looked at: further on `next` alone leads, which skips nothing. */
const FARTHEST = 100_000

/** Reads a window of a list in the order of the history, which may have millions of entries. */
export async function readHistoryWindow(call: Call, safeAddress: Address, size?: PageSize): Promise<Window> {
  const window = parseWindow(call, size)
  const after = call.query.get('after') ?? undefined
  if (after !== undefined || window.offset <= FARTHEST) return { ...window, after }
  const [further] = await call.deps.db
    .select({ one: sql`1` })
    .from(entry)
    .where(and(eq(entry.chainId, call.chainId), eq(entry.safeAddress, safeAddress), isVisibleAt(call, safeAddress)))
    .limit(1)
    .offset(FARTHEST)
  // In a shorter history the page is empty.
  return further ? refuseDetail(400, `No offset is larger than ${FARTHEST}: read on by next.`) : window
}

const placeForms = [/^\d{1,15}$/, /^\d{1,9}$/, /^\d{1,9}$/]

/** Where a list in the order of the chain ended, for its next page. */
export function placeOf(row: Pick<Row, 'blockNumber' | 'logIndex' | 'part'> | undefined): string | undefined {
  return row && encodeKeyset([row.blockNumber, row.logIndex, row.part])
}

/** Selects the entries after such a place. */
export function isBehind(place: string | undefined, isAscending: boolean): SQL | undefined {
  if (place === undefined) return undefined
  const [block, log, part] = parsePlace(place)
  return sql`(${entry.blockNumber}, ${entry.logIndex}, ${entry.part}) ${isAscending ? sql`>` : sql`<`}
    (${block}::bigint, ${log}::int, ${part}::int)`
}

function parsePlace(place: string): string[] {
  try {
    return decodeKeyset(place, placeForms)
  } catch {
    return refuseCode(400, 1, 'after is not valid', [place])
  }
}

/** The order of the chain. */
export function placeOrder(isAscending: boolean): SQL[] {
  return [entry.blockNumber, entry.logIndex, entry.part].map((column) =>
    isAscending ? sql`${column}` : sql`${column} desc`,
  )
}

function transferConditions(call: Call, safeAddress: Address): (SQL | undefined)[] {
  const filters = parseFilters(call)
  const kind = (name: string, tokenKind: string) => {
    const given = filters.boolean(name)
    if (given === undefined) return undefined
    return given ? sql`${entry.tokenKind} = ${tokenKind}` : sql`${entry.tokenKind} <> ${tokenKind}`
  }
  const from = filters.address('_from')
  const to = filters.address('to')
  const token = filters.address('token_address')
  const transactionHash = filters.hash('transaction_hash')
  const side = (isFrom: boolean, address: typeof from) => {
    if (address === undefined) return undefined
    const isOwn = sql`${entry.kind} = ${isFrom ? sql`'transfer-out'` : sql`'transfer-in'`}`
    if (address === safeAddress) return isOwn
    return and(sql`not (${isOwn})`, eq(entry.counterparty, address))
  }
  const conditions = [
    side(true, from),
    side(false, to),
    token && eq(entry.token, token),
    transactionHash && eq(entry.transactionHash, transactionHash),
    ...compareNumbers(filters, 'value', sql`case when ${entry.tokenKind} <> 'erc721' then ${entry.amount} end`),
    ...compareNumbers(filters, 'block_number', sql`${entry.blockNumber}`),
    ...compareMoments(filters, 'execution_date', sql`${entry.blockTime}`),
    kind('erc20', 'erc20'),
    kind('erc721', 'erc721'),
    kind('ether', 'native'),
  ]
  filters.done()
  return conditions
}
