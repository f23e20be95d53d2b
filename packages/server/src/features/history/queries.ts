import type { HistoryEntry, Input, listHistory, Reply } from '@countersign/contract'
import { and, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { Hex } from 'viem'
import type { SignedInCtx } from '../../context.ts'
import { builtOnce } from '../../db/built-once.ts'
import type { Executor } from '../../db/client.ts'
import { decodeKeyset, encodeKeyset } from '../../db/keyset.ts'
import { fitsPage, shownOf } from '../../db/page-bytes.ts'
import { historyEntry as entry, safe, multisigTransaction as transaction } from '../../db/schema.ts'
import { askedBy, isListedFor, isMember, LATER } from '../../safes/roles.ts'
import { confirmationBytes, toTransaction, transactionFieldsWhere, transactionWeight } from '../transactions/queries.ts'

const DEFAULT_LIMIT = 50
const keyset = [/^\d{1,15}$/, /^\d{1,9}$/, /^\d{1,9}$/]

export type HistoryFilter = Omit<Input<typeof listHistory>, 'cursor' | 'limit'>

const order = [sql`${entry.blockNumber} desc`, sql`${entry.logIndex} desc`, sql`${entry.part} desc`]
// Whose entry it is, who asks knows.
const { chainId: entryChainId, safeAddress: entrySafe, ...entryFields } = getTableColumns(entry)

function selectEntries(db: Executor, form: 'first' | 'next', filter: readonly SQL[]) {
  const fits = fitsPage(sql`${transactionWeight} + coalesce(octet_length(${entry.data}), 0)`, order)
  const before = sql`(${entry.blockNumber}, ${entry.logIndex}, ${entry.part}) <
    (${sql.placeholder('block')}::bigint, ${sql.placeholder('log')}::int, ${sql.placeholder('part')}::int)`
  return db
    .select({
      entry: { ...entryFields, data: sql<Hex | null>`case when ${fits} then ${entry.data} end`.mapWith(entry.data) },
      transaction: transactionFieldsWhere(fits),
      fits,
      isMember: isMember(LATER, LATER),
    })
    .from(entry)
    .innerJoin(safe, and(eq(safe.chainId, entry.chainId), eq(safe.address, entry.safeAddress)))
    .leftJoin(
      transaction,
      and(
        eq(entry.kind, 'executed'),
        eq(transaction.chainId, entry.chainId),
        eq(transaction.safeTxHash, entry.safeTxHash),
        eq(transaction.safeAddress, entry.safeAddress),
      ),
    )
    .innerJoin(confirmationBytes, sql`true`)
    .where(
      and(
        eq(entryChainId, sql.placeholder('chainId')),
        eq(entrySafe, sql.param(sql.placeholder('safeAddress'), entrySafe)),
        ...filter,
        isListedFor(db, LATER, LATER),
        form === 'next' ? before : undefined,
      ),
    )
    .orderBy(...order)
    .limit(sql.placeholder('limit'))
    .prepare('')
}

const selectUnfiltered = builtOnce((db, form: 'first' | 'next') => selectEntries(db, form, []))

/** Finds the history of a Safe on the account's list, newest first, with all that is known of each execution. */
export async function findHistory(
  { db, viewer, clock }: SignedInCtx,
  { cursor, limit = DEFAULT_LIMIT, chainId, safeAddress, ...filter }: Input<typeof listHistory>,
): Promise<Reply<typeof listHistory>> {
  const [block, log, part] = decodeKeyset(cursor, keyset)
  const form = cursor ? 'next' : 'first'
  const filters = conditions({ ...filter, chainId, safeAddress })
  const statement = filters.length > 0 ? selectEntries(db, form, filters) : selectUnfiltered(db, form)
  const rows = await statement.execute({
    ...askedBy(viewer, clock()),
    chainId,
    safeAddress,
    block,
    log,
    part,
    limit: limit + 1,
  })
  const shown = shownOf(rows, limit)
  const last = rows.length > shown ? rows[shown - 1]?.entry : undefined
  return {
    entries: rows
      .slice(0, shown)
      .map((row) =>
        toEntry(row.entry, row.transaction?.safeTxHash ? toTransaction(row.transaction, row.isMember) : null),
      ),
    nextCursor: last ? encodeKeyset([last.blockNumber, last.logIndex, last.part]) : null,
  }
}

type Place = Pick<HistoryFilter, 'chainId' | 'safeAddress'>

/** The first block of a Safe's history by time. Blocks follow each other in time, and the list in blocks. */
function blockBy({ chainId, safeAddress }: Place, isWithin: SQL, direction: SQL): SQL {
  return sql`(select h.block_number from history_entry h where h.chain_id = ${chainId}
    and h.safe_address = ${sql.param(safeAddress, entry.safeAddress)} and ${isWithin}
    order by h.block_time ${direction}, h.block_number ${direction} limit 1)`
}

function conditions({
  kinds,
  token,
  counterparty,
  since,
  until,
  minAmount,
  maxAmount,
  nonce,
  ...place
}: HistoryFilter): SQL[] {
  return [
    kinds && sql`${entry.kind} = any(${sql.param(kinds)}::text[])`,
    token === 'native' && eq(entry.tokenKind, 'native'),
    token && token !== 'native' && eq(entry.token, token),
    counterparty && eq(entry.counterparty, counterparty),
    since && sql`${entry.blockNumber} >= ${blockBy(place, sql`h.block_time >= ${since}::timestamptz`, sql`asc`)}`,
    until && sql`${entry.blockNumber} <= ${blockBy(place, sql`h.block_time < ${until}::timestamptz`, sql`desc`)}`,
    minAmount !== undefined && sql`${entry.amount} >= ${minAmount.toString()}::numeric`,
    maxAmount !== undefined && sql`${entry.amount} <= ${maxAmount.toString()}::numeric`,
    nonce !== undefined && eq(transaction.nonce, nonce),
  ].filter((condition): condition is SQL => typeof condition === 'object')
}

type EntryRow = Omit<typeof entry.$inferSelect, 'chainId' | 'safeAddress'>

function toEntry({ logIndex, part, ...row }: EntryRow, executed: HistoryEntry['transaction']): HistoryEntry {
  return Object.assign(row, {
    // A Safe whose own code was exchanged may count backwards.
    amount: row.amount !== null && row.amount < 0n ? null : row.amount,
    id: `${row.blockNumber}-${logIndex}-${part}`,
    blockTime: row.blockTime.toISOString(),
    transaction: executed,
  })
}
