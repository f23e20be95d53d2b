import { and, type Column, eq, getTableColumns, isNotNull, or, type SQL, sql } from 'drizzle-orm'
import { type Address, getAddress, type Hex } from 'viem'
import { toBytes } from '../../db/columns.ts'
import { fitsPage, shownOf } from '../../db/page-bytes.ts'
import { type confirmation, safe, multisigTransaction as table } from '../../db/schema.ts'
import { confirmationBytes, confirmationsRequired, transactionWeight } from '../../features/transactions/queries.ts'
import { MAX_BYTES_IN_LISTS } from '../wire/decoded.ts'
import type { Window } from '../wire/page.ts'
import type { Call } from '../wire/service.ts'
import { isMember, isVisible } from '../wire/visibility.ts'

type StoredConfirmation = {
  owner: Hex
  signature: Hex
  type: (typeof confirmation.$inferSelect)['signatureType']
  at: string
  transaction: Hex | null
}

/** Whether who asks is of the team of a row's Safe. Joined, so that it is found out once and not for each field. */
export function seenBy(call: Call): SQL {
  return sql`lateral (select ${isMember(call)} as is_member offset 0) seen`
}

const isTeam = sql<boolean>`seen.is_member`

/** Times at which something was said here are the team's; of what was executed others see the block's. */
function seenAt(column: Column): SQL<Date> {
  return sql<Date>`case when ${isTeam} then ${column} else ${table.executionDate} end`
}

function toTeam(column: typeof table.proposer | typeof table.proposedByDelegate): SQL<Address | null> {
  return sql`case when ${isTeam} then ${column} end`.mapWith(table.proposer)
}

/** Confirmations that count: of what is not executed, those of present owners. */
function isConfirmationOf(c: SQL): SQL {
  return sql`${c}.chain_id = ${table.chainId} and ${c}.safe_tx_hash = ${table.safeTxHash}
    and (${table.isExecuted} or ${c}.owner = any(${safe.owners}))`
}

/**
 * Columns of a transaction as the caller may see it: data stored only here is null outside the team. Joined to
 * `seenBy`.
 */
const multisigFields = {
  ...getTableColumns(table),
  confirmationsRequired,
  proposer: toTeam(table.proposer),
  proposedByDelegate: toTeam(table.proposedByDelegate),
  origin: sql<string | null>`case when ${isTeam} then ${table.origin} end`,
  submissionDate: seenAt(table.submissionDate).mapWith(table.submissionDate),
  modifiedDate: seenAt(table.changedDate).mapWith(table.submissionDate),
  confirmations: sql<StoredConfirmation[]>`case when ${isTeam} then (
    select coalesce(json_agg(json_build_object(
      'owner', '0x' || encode(c.owner, 'hex'), 'signature', '0x' || encode(c.signature, 'hex'),
      'type', c.signature_type, 'at', c.submission_date,
      'transaction', '0x' || encode(c.transaction_hash, 'hex')) order by c.submission_date, c.owner), '[]')
    from confirmation c where ${isConfirmationOf(sql`c`)}) else '[]' end`,
}

/**
 * Bytes of the long parts of a transaction, and of short calldata when decoded. `confirmationBytes` is joined to it.
 */
export const multisigWeight = sql`(${transactionWeight} + case when octet_length(${table.data}) <= ${sql.raw(String(MAX_BYTES_IN_LISTS))}
  then 3 * octet_length(${table.data}) else 0 end)`

/** The fields of a page: what does not fit is not read. */
export function multisigFieldsWhere(fits: SQL<boolean>) {
  return {
    ...multisigFields,
    data: sql<Hex | null>`case when ${fits} then ${table.data} end`.mapWith(table.data),
    signatures: sql<Hex | null>`case when ${fits} then ${table.signatures} end`.mapWith(table.signatures),
    confirmations: sql<StoredConfirmation[]>`case when ${fits} then ${multisigFields.confirmations} else '[]' end`,
  }
}

const isOfSafe = and(eq(safe.chainId, table.chainId), eq(safe.address, table.safeAddress))

/** A transaction executed by an undecodable call has no fields: readers refuse it, and the page that it is on. */
export const hasFields = isNotNull(table.nonce)

/** Executed transactions are on the chain; the others belong to the team. */
function isVisibleRow(call: Call): SQL | undefined {
  return and(isVisible(call), or(table.isExecuted, isTeam), hasFields)
}

function selectMultisig(call: Call) {
  return call.deps.db.select(multisigFields).from(table).innerJoin(safe, isOfSafe).innerJoin(seenBy(call), sql`true`)
}

export type MultisigRow = Awaited<ReturnType<ReturnType<typeof selectMultisig>['execute']>>[number]

export async function findMultisig(call: Call, safeTxHash: Hex): Promise<MultisigRow | null> {
  const [row] = await selectMultisig(call).where(
    and(eq(table.chainId, call.chainId), eq(table.safeTxHash, safeTxHash), isVisibleRow(call)),
  )
  return row ?? null
}

/** In the order of the hashes, which are hex digits; of those that do not fit one page nothing long. */
export async function findAll(
  call: Call,
  digits: readonly string[],
  limit: number,
): Promise<{ rows: MultisigRow[]; shown: number }> {
  if (digits.length === 0) return { rows: [], shown: 0 }
  const hashes = sql`${sql.param(digits.map((each) => toBytes(`0x${each}`)))}::bytea[]`
  const place = sql`array_position(${hashes}, ${table.safeTxHash})`
  const fits = fitsPage(multisigWeight, [place])
  const rows = await call.deps.db
    .select({ ...multisigFieldsWhere(fits), fits })
    .from(table)
    .innerJoin(safe, isOfSafe)
    .innerJoin(seenBy(call), sql`true`)
    .innerJoin(confirmationBytes, sql`true`)
    // Not a join with the list: PostgreSQL then reads a table that it has no statistics of from end to end.
    .where(and(eq(table.chainId, call.chainId), sql`${table.safeTxHash} = any(${hashes})`, isVisibleRow(call)))
    .orderBy(place)
  return { rows, shown: shownOf(rows, limit) }
}

/** Confirmations of one transaction, in the order in which they came. */
export async function findConfirmations(
  call: Call,
  safeTxHash: Hex,
  { limit, offset }: Window,
): Promise<{ rows: StoredConfirmation[]; count: number }> {
  const found = await findMultisig(call, safeTxHash)
  const all = found?.confirmations ?? []
  return { rows: all.slice(offset, offset + limit + 1), count: all.length }
}

export function toConfirmation({ owner, signature, type, at, transaction }: StoredConfirmation) {
  return {
    owner: getAddress(owner),
    submissionDate: new Date(at),
    transactionHash: transaction,
    signature,
    signatureType: type,
  }
}
