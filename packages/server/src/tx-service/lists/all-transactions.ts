import { and, eq, getTableColumns, getTableName, inArray, type SQL, sql } from 'drizzle-orm'
import type { Address, Hex } from 'viem'
import { fitsPage, shownOf } from '../../db/page-bytes.ts'
import { historyEntry as entry, safe, multisigTransaction as transaction } from '../../db/schema.ts'
import { confirmationBytes } from '../../features/transactions/queries.ts'
import { refuseCode } from '../wire/answers.ts'
import { pathAddress } from '../wire/fields.ts'
import { MAX_COUNTED, pageSizes, toPage, type Window } from '../wire/page.ts'
import type { Call, TxService } from '../wire/service.ts'
import { isTransfer, type Transfer, toTransfers } from '../wire/transfer-wire.ts'
import { toData, toDate } from '../wire/values.ts'
import { isVisible, isVisibleAt } from '../wire/visibility.ts'
import { type EthereumTransaction, readEthereumTransactions } from './ethereum-transactions.ts'
import { isAfter, isOfSafe, positionOf, positionOrder, readHistoryWindow } from './history-page.ts'
import { toModuleTransaction } from './module-transactions.ts'
import { multisigFieldsWhere, multisigWeight, seenBy } from './multisig-queries.ts'
import { toMultisig } from './multisig-transactions.ts'

const orderings = ['timestamp', '-timestamp']
/** Transfers of all transactions of a page together. */
const MAX_TRANSFERS = 2_000

/** Everything that was executed on a Safe or moved something of it: each execution once, each Ethereum transaction else. */
export function allTransactionsRoutes({ read }: TxService): void {
  for (const version of ['v1', 'v2'] as const)
    read(
      'GET',
      `/${version}/safes/{safe}/all-transactions`,
      async (call) => {
        const safeAddress = pathAddress(call, 'safe')
        const ordering = call.query.get('ordering') || '-timestamp'
        if (!orderings.includes(ordering))
          refuseCode(400, 1, `Ordering field is not valid, only f['timestamp', '-timestamp'] are allowed`, [ordering])
        const window = await readHistoryWindow(call, safeAddress, pageSizes.small)
        const { rows, count } = await findItems(call, safeAddress, window, ordering === 'timestamp')
        const shown = rows.slice(0, shownOf(rows, window.limit))
        const transfers = await findTransfers(call, safeAddress, shown)
        const plain = await readEthereumTransactions(
          call.chain,
          shown.flatMap((row) => (isTold(row) ? [] : (row.entry.transactionHash ?? []))),
        )
        const items = shown.map((row) => toItem(row, transfers.get(keyOf(row.entry)) ?? [], plain, version))
        const firstUnread = shown.findIndex(
          (row) => !isTold(row) && row.entry.transactionHash !== null && !plain.has(row.entry.transactionHash),
        )
        const fitting = firstUnread < 0 ? shown.length : firstUnread
        const after = positionOf(shown[fitting - 1]?.entry)
        const found = { rows: rows.map((_, at) => items[at] ?? null), count, shown: fitting, after }
        const page = toPage(call, window, found, (item) => item)
        return { ...page, results: page.results.filter((item) => item !== null) }
      },
      'weak',
    )
}

type FoundItem = Awaited<ReturnType<typeof findItems>>['rows'][number]

/** Whether it is known what the Safe executed; of others it is shown that there was an Ethereum transaction. */
function isTold({ entry: { kind, counterparty, operation }, transaction: found }: FoundItem): boolean {
  if (kind === 'executed') return found !== null && found.nonce !== null
  return kind === 'module-executed' && counterparty !== null && operation !== null
}

/** Null for an Ethereum transaction that the node does not have any more: nobody knows whose it was. */
function toItem(
  row: FoundItem,
  transfers: Transfer[],
  plain: ReadonlyMap<Hex, EthereumTransaction | null>,
  version: 'v1' | 'v2',
) {
  const { kind, transactionHash, blockTime, blockNumber } = row.entry
  if (isTold(row)) {
    if (kind === 'executed' && row.transaction) {
      const wired = toMultisig(row.transaction, version)
      return { ...wired, transfers, txType: 'MULTISIG_TRANSACTION' }
    }
    return { ...toModuleTransaction(row.entry), transfers, txType: 'MODULE_TRANSACTION' }
  }
  const found = transactionHash && plain.get(transactionHash)
  if (!found) return null
  const { from, to, input } = found
  const rest = { executionDate: toDate(blockTime), blockNumber, transfers, txType: 'ETHEREUM_TRANSACTION' }
  return { ...rest, to, data: toData(input), txHash: transactionHash, from }
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
    and ${entry.tokenKind} <> 'erc1155'
    and not ${hasOther(sql`(o.kind in ('executed', 'module-executed') or ((o.log_index, o.part) < (${entry.logIndex}, ${entry.part})
      and o.kind in ('transfer-in', 'transfer-out') and o.token_kind <> 'erc1155'))`)}))`

async function findItems(call: Call, safeAddress: Address, { limit, offset, after }: Window, isAscending: boolean) {
  const { db } = call.deps
  const where = and(
    eq(entry.chainId, call.chainId),
    eq(entry.safeAddress, safeAddress),
    isVisibleAt(call, safeAddress),
    isItem,
  )
  const count = countItems(call, safeAddress)
  // Entries before the page are not put together.
  const page = db
    .select(getTableColumns(entry))
    .from(entry)
    .where(and(where, isAfter(after, isAscending)))
    .orderBy(...positionOrder(isAscending))
    .limit(limit + 1)
    .offset(after === undefined ? offset : 0)
    .as(getTableName(entry))
  const order = positionOrder(isAscending)
  const fits = fitsPage(sql`${multisigWeight} + coalesce(octet_length(${entry.data}), 0)`, order)
  const rows = await db
    .select({
      entry: {
        ...getTableColumns(entry),
        data: sql<Hex | null>`case when ${fits} then ${entry.data} end`.mapWith(entry.data),
      },
      transaction: multisigFieldsWhere(fits),
      count,
      fits,
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
    .innerJoin(seenBy(call), sql`true`)
    .innerJoin(confirmationBytes, sql`true`)
    .where(isVisible(call))
    .orderBy(...order)
  const [first] = rows
  if (first || offset === 0) return { rows, count: first?.count ?? 0 }
  const [alone] = await db.select({ count }).from(sql`(values (1)) as nothing`)
  return { rows, count: alone?.count ?? 0 }
}

/** How many items the newest entries of the history are: by Ethereum transaction, which asks nothing of each entry. */
function countItems(call: Call, safeAddress: Address): SQL<number> {
  const newest = call.deps.db
    .select({ kind: entry.kind, transactionHash: entry.transactionHash })
    .from(entry)
    .where(
      and(
        eq(entry.chainId, call.chainId),
        eq(entry.safeAddress, safeAddress),
        isVisibleAt(call, safeAddress),
        sql`(${entry.kind} in ('executed', 'module-executed') or (${entry.kind} in ('transfer-in', 'transfer-out')
          and ${entry.transactionHash} is not null and ${entry.tokenKind} <> 'erc1155'))`,
      ),
    )
    .orderBy(...positionOrder(false))
    .limit(MAX_COUNTED)
  return sql<number>`(select coalesce(sum(items), 0)::int from (
    select greatest(1, coalesce(nullif(count(*) filter (where kind = 'executed'), 0),
      count(*) filter (where kind = 'module-executed'))) as items from (${newest}) newest group by transaction_hash) counted)`
}

type Item = { entry: typeof entry.$inferSelect }

function keyOf({ blockNumber, logIndex, part }: Item['entry']): string {
  return `${blockNumber}/${logIndex}/${part}`
}

/**
 * The transfers of each item. Where one Ethereum transaction has several executions, a transfer is of the one whose log
 * comes next: it is written when it has ended.
 */
async function findTransfers(
  call: Call,
  safeAddress: Address,
  items: readonly Item[],
): Promise<Map<string, Transfer[]>> {
  const { deps, chainId } = call
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
    .orderBy(...positionOrder(true))
    .limit(MAX_TRANSFERS + items.length)
  const byHash = new Map<Hex | null, typeof rows>()
  for (const row of rows) {
    const others = byHash.get(row.transactionHash)
    if (others) others.push(row)
    else byHash.set(row.transactionHash, [row])
  }
  const moves = rows.filter(({ kind }) => kind === 'transfer-in' || kind === 'transfer-out')
  const transfers = await toTransfers(call, moves)
  for (const [at, move] of moves.entries()) {
    const ofHash = byHash.get(move.transactionHash) ?? []
    const byOwners = ofHash.filter(({ kind }) => kind === 'executed')
    const executions = byOwners.length > 0 ? byOwners : ofHash.filter(({ kind }) => kind === 'module-executed')
    const owner = executions.find(({ logIndex }) => logIndex >= move.logIndex) ?? executions.at(-1) ?? ofHash[0] ?? move
    const list = found.get(keyOf(owner)) ?? []
    const transfer = transfers[at]
    if (transfer) list.push(transfer)
    found.set(keyOf(owner), list)
  }
  return found
}
