import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Address } from 'viem'
import { historyEntry as entry, safe } from '../../db/schema.ts'
import { refuse, refuseCode } from '../wire/answers.ts'
import { compareMoments, compareNumbers, parseFilters, pathAddress } from '../wire/fields.ts'
import { toPage } from '../wire/page.ts'
import type { Call, TxService } from '../wire/service.ts'
import { isIncoming, isTransfer, parseTransferId, toTransfers } from '../wire/transfer-wire.ts'
import { isVisible } from '../wire/visibility.ts'
import { findEntries, isOfSafe, readHistoryWindow } from './history-page.ts'

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
