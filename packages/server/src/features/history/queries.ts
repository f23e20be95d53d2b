import type { HistoryEntry, Input, listHistory, Reply } from '@countersign/contract'
import { and, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { Hex } from 'viem'
import type { SignedInCtx } from '../../context.ts'
import { decodeKeyset, encodeKeyset } from '../../db/keyset.ts'
import { fitsPage, shownOf } from '../../db/page-bytes.ts'
import { historyEntry as entry, safe, multisigTransaction as transaction } from '../../db/schema.ts'
import { isListedFor, isMember } from '../../safes/roles.ts'
import { toTransaction, transactionFieldsWhere, transactionWeight } from '../transactions/queries.ts'

const DEFAULT_LIMIT = 50
const keyset = [/^\d{1,15}$/, /^\d{1,9}$/, /^\d{1,9}$/]

export type HistoryFilter = Omit<Input<typeof listHistory>, 'cursor' | 'limit'>

/** What happened to a Safe of the account's list, newest first. What else is known of an execution comes along. */
export async function findHistory(
  { db, viewer, clock }: SignedInCtx,
  { cursor, limit = DEFAULT_LIMIT, ...filter }: Input<typeof listHistory>,
): Promise<Reply<typeof listHistory>> {
  const order = [sql`${entry.blockNumber} desc`, sql`${entry.logIndex} desc`, sql`${entry.part} desc`]
  const fits = fitsPage(sql`${transactionWeight} + coalesce(octet_length(${entry.data}), 0)`, order)
  const rows = await db
    .select({
      entry: {
        ...getTableColumns(entry),
        data: sql<Hex | null>`case when ${fits} then ${entry.data} end`.mapWith(entry.data),
      },
      transaction: transactionFieldsWhere(fits),
      fits,
      isMember: isMember(viewer, clock()),
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
    .where(and(...conditions(filter), isListedFor(db, viewer, clock()), cursor ? isBefore(cursor) : undefined))
    .orderBy(...order)
    .limit(limit + 1)
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

function isBefore(cursor: string): SQL {
  const [block, log, part] = decodeKeyset(cursor, keyset)
  return sql`(${entry.blockNumber}, ${entry.logIndex}, ${entry.part}) < (${block}::bigint, ${log}::int, ${part}::int)`
}

function conditions({
  chainId,
  safeAddress,
  kinds,
  token,
  counterparty,
  since,
  until,
  minAmount,
  maxAmount,
  nonce,
}: HistoryFilter) {
  return [
    eq(entry.chainId, chainId),
    eq(entry.safeAddress, safeAddress),
    kinds && sql`${entry.kind} = any(${sql.param(kinds)}::text[])`,
    token === 'native' && eq(entry.tokenKind, 'native'),
    token && token !== 'native' && eq(entry.token, token),
    counterparty && eq(entry.counterparty, counterparty),
    since && sql`${entry.blockTime} >= ${since}::timestamptz`,
    until && sql`${entry.blockTime} < ${until}::timestamptz`,
    minAmount !== undefined && sql`${entry.amount} >= ${minAmount.toString()}::numeric`,
    maxAmount !== undefined && sql`${entry.amount} <= ${maxAmount.toString()}::numeric`,
    nonce !== undefined && eq(transaction.nonce, nonce),
  ].filter((condition): condition is SQL => typeof condition === 'object')
}

function toEntry(row: typeof entry.$inferSelect, executed: HistoryEntry['transaction']): HistoryEntry {
  const { chainId, safeAddress, logIndex, part, blockTime, ...rest } = row
  return {
    ...rest,
    // A Safe whose own code was exchanged may count backwards.
    amount: row.amount !== null && row.amount < 0n ? null : row.amount,
    id: `${row.blockNumber}-${logIndex}-${part}`,
    blockTime: blockTime.toISOString(),
    transaction: executed,
  }
}
