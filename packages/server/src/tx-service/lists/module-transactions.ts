import { and, eq, sql } from 'drizzle-orm'
import { size } from 'viem'
import { historyEntry as entry } from '../../db/schema.ts'
import { refuse, refuseCode } from '../wire/answers.ts'
import { decodeCall, MAX_BYTES_IN_LISTS } from '../wire/decoded.ts'
import { compareNumbers, parseFilters, parseOrdering, pathAddress } from '../wire/fields.ts'
import { toPage } from '../wire/page.ts'
import type { Call, TxService } from '../wire/service.ts'
import { parseTransferId } from '../wire/transfer-wire.ts'
import { toData, toDate } from '../wire/values.ts'
import { findEntries, readHistoryWindow } from './history-page.ts'

/** Some Safes do not log what a module had executed, and nothing else shows it: readers refuse a row without it. */
const isTold = and(
  eq(entry.kind, 'module-executed'),
  // As a `case`: of what is null in most entries of other kinds PostgreSQL expects few here, and would sort them all.
  sql`case when ${entry.counterparty} is null or ${entry.operation} is null then false else true end`,
)

/** Lists the calls that modules executed on a Safe. */
export function moduleTransactionRoutes({ read }: TxService): void {
  read('GET', '/v1/safes/{safe}/module-transactions', async (call) => {
    const safeAddress = pathAddress(call, 'safe')
    const window = await readHistoryWindow(call, safeAddress)
    const which = and(eq(entry.safeAddress, safeAddress), isTold, ...conditions(call))
    const { isDescending } = parseOrdering(call, ['created'], { name: 'created', isDescending: true })
    const found = await findEntries(call, which, window, !isDescending)
    return toPage(call, window, found, (row) => toModuleTransaction(row))
  })
  read('GET', '/v1/module-transaction/{moduleTransactionId}', async (call) => {
    const id = call.params('moduleTransactionId')
    const wanted = id.startsWith('i') ? parseTransferId(id) : null
    if (!wanted) return refuseCode(400, 1, 'module_transaction_id is not valid', [id])
    const { transactionHash, logIndex, part } = wanted
    const which = and(
      eq(entry.transactionHash, transactionHash),
      isTold,
      eq(entry.logIndex, logIndex),
      eq(entry.part, part ?? 0),
    )
    const { rows } = await findEntries(call, which, { limit: 1, offset: 0 })
    const [row] = rows
    return row ? toModuleTransaction(row, Number.POSITIVE_INFINITY) : refuse(404)
  })
}

function conditions(call: Call) {
  const filters = parseFilters(call)
  const safe = filters.address('safe')
  const module = filters.address('module')
  const to = filters.address('to')
  const operation = filters.choice('operation', ['0', '1', '2'])
  const failed = filters.boolean('failed')
  const transactionHash = filters.hash('transaction_hash')
  const blocks = compareNumbers(filters, 'block_number', sql`${entry.blockNumber}`)
  filters.done()
  return [
    ...blocks,
    safe && eq(entry.safeAddress, safe),
    module && eq(entry.subject, module),
    to && eq(entry.counterparty, to),
    operation === undefined ? undefined : eq(entry.operation, Number(operation) as 0 | 1),
    failed === undefined ? undefined : eq(entry.isSuccessful, !failed),
    transactionHash && eq(entry.transactionHash, transactionHash),
  ]
}

export function toModuleTransaction(row: typeof entry.$inferSelect, mostBytes = MAX_BYTES_IN_LISTS) {
  const { safeAddress, transactionHash, data, counterparty: to, amount: value, operation } = row
  const isShort = data !== null && size(data) <= mostBytes
  return {
    created: toDate(row.blockTime),
    executionDate: toDate(row.blockTime),
    blockNumber: row.blockNumber,
    isSuccessful: row.isSuccessful,
    transactionHash,
    safe: safeAddress,
    module: row.subject,
    to,
    value: value?.toString() ?? null,
    data: toData(data),
    operation,
    dataDecoded: isShort ? decodeCall({ to, value, data, operation, safeAddress }) : null,
    moduleTransactionId: `i${transactionHash?.slice(2) ?? ''}${row.logIndex},${row.part}`,
  }
}
