import { and, desc, eq, getTableColumns, getTableName, sql } from 'drizzle-orm'
import type { Address } from 'viem'
import { historyEntry as entry, safe, multisigTransaction as transaction } from '../../db/schema.ts'
import { refuse } from '../wire/answers.ts'
import { compareMoments, parseFilters, pathAddress } from '../wire/fields.ts'
import { MAX_COUNTED, pageSizes, toPage, type Window } from '../wire/page.ts'
import type { Call, TxService } from '../wire/service.ts'
import { findTokenInfos, type TokenInfo } from '../wire/token-info.ts'
import { isTransfer } from '../wire/transfer-wire.ts'
import { toDate, toOrigin } from '../wire/values.ts'
import { findVisibleSafe, isMember, isVisible, isVisibleAt } from '../wire/visibility.ts'
import { isAfter, isOfSafe, positionOf, positionOrder, readHistoryWindow } from './history-page.ts'

/** A row for each transfer, with what is known of the transaction that made it. */
export function exportRoutes({ read }: TxService): void {
  read('GET', '/v1/safes/{safe}/export', async (call) => {
    const safeAddress = pathAddress(call, 'safe')
    if (!(await findVisibleSafe(call, safeAddress))) return refuse(404)
    const window = await readHistoryWindow(call, safeAddress, pageSizes.export)
    const rows = await findRows(call, safeAddress, window)
    const tokens = await findTokenInfos(
      call,
      rows.flatMap(({ entry: { token, tokenKind }, gasToken }) => [
        ...(token && (tokenKind === 'erc20' || tokenKind === 'erc721') ? [{ address: token, kind: tokenKind }] : []),
        ...(gasToken ? [{ address: gasToken }] : []),
      ]),
    )
    const [first] = rows.length > 0 ? rows : await findRows(call, safeAddress, { limit: 1, offset: 0 })
    const after = positionOf(rows[window.limit - 1]?.entry)
    return toPage(call, window, { rows, count: first?.count ?? 0, after }, (row) => toRow(call, row, tokens))
  })
}

type Row = Awaited<ReturnType<typeof findRows>>[number]

async function findRows(call: Call, safeAddress: Address, { limit, offset, after }: Window) {
  const { db } = call.deps
  const filters = parseFilters(call)
  const dates = compareMoments(filters, 'execution_date', sql`${entry.blockTime}`)
  filters.done()
  const where = and(
    eq(entry.chainId, call.chainId),
    eq(entry.safeAddress, safeAddress),
    isVisibleAt(call, safeAddress),
    isTransfer,
    ...dates,
  )
  // Counted in the order of an index, as in `findEntries`.
  const matching = db
    .select({ one: sql`1` })
    .from(entry)
    .where(where)
    .orderBy(...positionOrder(false))
    .limit(MAX_COUNTED)
  const page = db
    .select(getTableColumns(entry))
    .from(entry)
    .where(and(where, isAfter(after, false)))
    .orderBy(...positionOrder(false))
    .limit(limit + 1)
    .offset(after === undefined ? offset : 0)
    .as(getTableName(entry))
  // The execution that ended next in the same Ethereum transaction.
  const execution = db
    .select(getTableColumns(transaction))
    .from(transaction)
    .where(
      and(
        eq(transaction.chainId, entry.chainId),
        eq(transaction.safeAddress, entry.safeAddress),
        eq(transaction.isExecuted, true),
        eq(transaction.executionDate, entry.blockTime),
        eq(transaction.blockNumber, entry.blockNumber),
        eq(transaction.transactionHash, entry.transactionHash),
      ),
    )
    .orderBy(sql`${transaction.logIndex} < ${entry.logIndex}`, transaction.logIndex, desc(transaction.safeTxHash))
    .limit(1)
    .as('execution')
  const toTeam = <column>(value: column) => sql`case when ${isMember(call)} then ${value} end`
  return db
    .select({
      entry: getTableColumns(entry),
      proposer: toTeam(execution.proposer).mapWith(transaction.proposer),
      proposedAt: toTeam(execution.submissionDate).mapWith(transaction.submissionDate),
      origin: sql<string | null>`${toTeam(execution.origin)}`,
      executor: execution.executor,
      payment: execution.payment,
      to: execution.to,
      hasData: sql<boolean>`octet_length(${execution.data}) > 0`,
      nonce: execution.nonce,
      gasToken: execution.gasToken,
      safeTxHash: execution.safeTxHash,
      count: sql<number>`(select count(*)::int from (${matching}) matching)`,
    })
    .from(page)
    .innerJoin(safe, isOfSafe)
    .leftJoinLateral(execution, sql`true`)
    .where(isVisible(call))
    .orderBy(...positionOrder(false))
}

function toRow({ chain }: Call, row: Row, tokens: ReadonlyMap<string, TokenInfo>) {
  const { entry: transfer } = row
  const isIncoming = transfer.kind === 'transfer-in'
  const native = chain.settings.nativeCurrency ?? { symbol: 'ETH', decimals: 18 }
  const findToken = (token: Address | null) => (token === null ? undefined : tokens.get(token))
  const asset = transfer.tokenKind === 'native' ? native : findToken(transfer.token)
  const gasToken = findToken(row.gasToken)
  return {
    safe: transfer.safeAddress,
    from: isIncoming ? transfer.counterparty : transfer.safeAddress,
    to: isIncoming ? transfer.safeAddress : transfer.counterparty,
    amount: transfer.amount?.toString() ?? '1',
    assetType: transfer.tokenKind,
    assetAddress: transfer.token,
    assetSymbol: asset?.symbol ?? null,
    assetDecimals: asset?.decimals ?? null,
    proposerAddress: row.proposer,
    proposedAt: row.proposedAt && toDate(row.proposedAt),
    executorAddress: row.executor,
    executedAt: toDate(transfer.blockTime),
    note: parseNote(row.origin),
    transactionHash: transfer.transactionHash,
    contractAddress: row.hasData ? row.to : null,
    nonce: row.nonce?.toString() ?? null,
    gasToken: row.gasToken,
    payment: row.payment?.toString() ?? null,
    gasTokenSymbol: gasToken?.symbol ?? null,
    gasTokenDecimals: gasToken?.decimals ?? null,
  }
}

/** Parses the note that a client puts into the origin. */
function parseNote(origin: string | null): string | null {
  try {
    const parsed: unknown = JSON.parse(toOrigin(origin))
    if (typeof parsed === 'object' && parsed !== null && 'note' in parsed && typeof parsed.note === 'string')
      return parsed.note
  } catch {
    // Plain text has no note.
  }
  return null
}
