import { and, eq, getTableColumns, getTableName, inArray, type SQL, sql } from 'drizzle-orm'
import type { Address, Hex } from 'viem'
import { fitsPage, shownOf } from '../db/page-bytes.ts'
import { historyEntry as entry, safe, multisigTransaction as transaction } from '../db/schema.ts'
import { refuseCode } from './answers.ts'
import { readEthereumTransactions } from './ethereum-transactions.ts'
import { pathAddress } from './fields.ts'
import { toModuleTransaction } from './module-transactions.ts'
import { multisigFieldsWhere, multisigWeight } from './multisig-queries.ts'
import { toMultisig } from './multisig-transactions.ts'
import { MOST_COUNTED, pageSizes, readWindow, toPage, type Window } from './page.ts'
import type { Call, TxService } from './service.ts'
import { isTransfer, type Transfer, toTransfers } from './transfer-wire.ts'
import { isOfSafe, placeOrder } from './transfers.ts'
import { isVisible, isVisibleAt } from './visibility.ts'
import { toData, toDate } from './wire.ts'

const orderings = ['timestamp', '-timestamp']
/** Of all transactions of a page together. */
const MOST_TRANSFERS = 2_000

/** Everything that was executed on a Safe or moved something of it: each execution once, each Ethereum transaction else. */
export function allTransactionsRoutes({ read }: TxService): void {
  for (const version of ['v1', 'v2'] as const)
    read(
      'GET',
      `/${version}/safes/{safe}/all-transactions`,
      async (call) => {
        const safeAddress = pathAddress(call, 'safe')
        const ordering = call.query.get('ordering') ?? '-timestamp'
        if (!orderings.includes(ordering))
          refuseCode(400, 1, `Ordering field is not valid, only f['timestamp', '-timestamp'] are allowed`, [ordering])
        const window = readWindow(call, pageSizes.small)
        const { rows, count } = await findItems(call, safeAddress, window, ordering === 'timestamp')
        const shown = rows.slice(0, shownOf(rows, window.limit))
        const transfers = await findTransfers(call, safeAddress, shown)
        const plain = await readEthereumTransactions(
          call.chain,
          shown.flatMap(({ entry: { kind, transactionHash } }) =>
            /executed$/.test(kind) ? [] : (transactionHash ?? []),
          ),
        )
        const items = shown.map((row) => {
          const own = transfers.get(placeOf(row.entry)) ?? []
          const { kind, transactionHash } = row.entry
          if (kind === 'executed' && row.transaction?.safeTxHash)
            return {
              ...toMultisig({ ...row.transaction, threshold: row.threshold }, version),
              transfers: own,
              txType: 'MULTISIG_TRANSACTION',
            }
          if (kind === 'module-executed')
            return { ...toModuleTransaction(row.entry), transfers: own, txType: 'MODULE_TRANSACTION' }
          const { from = null, to = null, input = null } = (transactionHash && plain.get(transactionHash)) || {}
          return {
            executionDate: toDate(row.entry.blockTime),
            to,
            data: toData(input),
            txHash: transactionHash,
            blockNumber: row.entry.blockNumber,
            transfers: own,
            from,
            txType: 'ETHEREUM_TRANSACTION',
          }
        })
        const firstUnread = shown.findIndex(
          ({ entry: { kind, transactionHash } }) =>
            !/executed$/.test(kind) && transactionHash !== null && !plain.has(transactionHash),
        )
        const fitting = firstUnread < 0 ? shown.length : firstUnread
        const found = { rows: rows.map((_, at) => items[at]), count, shown: fitting }
        return toPage(call, window, found, (item) => item)
      },
      'weak',
    )
}

/** Another entry of the same Ethereum transaction and Safe. */
function hasOther(which: SQL): SQL {
  return sql`exists (select from history_entry o where o.chain_id = ${entry.chainId}
    and o.transaction_hash = ${entry.transactionHash} and o.safe_address = ${entry.safeAddress} and ${which})`
}

/** Executions of owners; of modules where no owner's is in the same Ethereum transaction; the first transfer of others. */
const isItem = sql`(${entry.kind} = 'executed'
  or (${entry.kind} = 'module-executed' and not ${hasOther(sql`o.kind = 'executed'`)})
  or (${entry.kind} in ('transfer-in', 'transfer-out') and ${entry.transactionHash} is not null
    and not ${hasOther(sql`(o.log_index, o.part) < (${entry.logIndex}, ${entry.part})
      and o.kind in ('transfer-in', 'transfer-out')`)}
    and not ${hasOther(sql`o.kind in ('executed', 'module-executed')`)}))`

async function findItems(call: Call, safeAddress: Address, { limit, offset }: Window, isAscending: boolean) {
  const { db } = call.deps
  const where = and(
    eq(entry.chainId, call.chainId),
    eq(entry.safeAddress, safeAddress),
    isVisibleAt(call, safeAddress),
    isItem,
  )
  const matching = db.select({ one: sql`1` }).from(entry).where(where).limit(MOST_COUNTED)
  const count = sql<number>`(select count(*)::int from (${matching}) matching)`
  // Of what stands before the page nothing is put together.
  const page = db
    .select(getTableColumns(entry))
    .from(entry)
    .where(where)
    .orderBy(...placeOrder(isAscending))
    .limit(limit + 1)
    .offset(offset)
    .as(getTableName(entry))
  const order = placeOrder(isAscending)
  const fits = fitsPage(sql`${multisigWeight} + coalesce(octet_length(${entry.data}), 0)`, order)
  const rows = await db
    .select({
      entry: {
        ...getTableColumns(entry),
        data: sql<Hex | null>`case when ${fits} then ${entry.data} end`.mapWith(entry.data),
      },
      ...{ transaction: multisigFieldsWhere(call, fits), threshold: safe.threshold, count, fits },
    })
    .from(page)
    .innerJoin(safe, isOfSafe)
    .leftJoin(
      transaction,
      and(
        eq(entry.kind, 'executed'),
        eq(transaction.chainId, entry.chainId),
        eq(transaction.safeTxHash, entry.safeTxHash),
        eq(transaction.safeAddress, entry.safeAddress),
      ),
    )
    .where(isVisible(call))
    .orderBy(...order)
  const [first] = rows
  if (first || offset === 0) return { rows, count: first?.count ?? 0 }
  const [alone] = await db.select({ count }).from(sql`(values (1)) as nothing`)
  return { rows, count: alone?.count ?? 0 }
}

type Item = { entry: typeof entry.$inferSelect }

function placeOf({ blockNumber, logIndex, part }: Item['entry']): string {
  return `${blockNumber}/${logIndex}/${part}`
}

/**
 * The transfers of each item. Where one Ethereum transaction has several executions, a transfer is of the one whose log
 * comes next: it is told when it has ended.
 */
async function findTransfers(
  { deps, chain, chainId }: Call,
  safeAddress: Address,
  items: readonly Item[],
): Promise<Map<string, Transfer[]>> {
  const hashes = [...new Set(items.flatMap((item) => item.entry.transactionHash ?? []))]
  const found = new Map<string, Transfer[]>()
  if (hashes.length === 0) return found
  const rows = await deps.db
    .select()
    .from(entry)
    .where(
      and(
        eq(entry.chainId, chainId),
        eq(entry.safeAddress, safeAddress),
        inArray(entry.transactionHash, hashes),
        sql`(${entry.kind} in ('executed', 'module-executed') or (${isTransfer}))`,
      ),
    )
    .orderBy(...placeOrder(true))
    .limit(MOST_TRANSFERS + items.length)
  const byHash = new Map<Hex | null, typeof rows>()
  for (const row of rows) {
    const others = byHash.get(row.transactionHash)
    if (others) others.push(row)
    else byHash.set(row.transactionHash, [row])
  }
  const moves = rows.filter(({ kind }) => kind === 'transfer-in' || kind === 'transfer-out')
  const transfers = await toTransfers(chain, moves)
  for (const [at, move] of moves.entries()) {
    const ofHash = byHash.get(move.transactionHash) ?? []
    const byOwners = ofHash.filter(({ kind }) => kind === 'executed')
    const executions = byOwners.length > 0 ? byOwners : ofHash.filter(({ kind }) => kind === 'module-executed')
    const owner = executions.find(({ logIndex }) => logIndex >= move.logIndex) ?? executions.at(-1) ?? ofHash[0] ?? move
    const list = found.get(placeOf(owner)) ?? []
    const transfer = transfers[at]
    if (transfer) list.push(transfer)
    found.set(placeOf(owner), list)
  }
  return found
}
