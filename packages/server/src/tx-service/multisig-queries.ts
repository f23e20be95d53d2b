import { and, eq, getTableColumns, or, type SQL, sql } from 'drizzle-orm'
import { type Address, getAddress, type Hex } from 'viem'
import { type confirmation, safe, multisigTransaction as table } from '../db/schema.ts'
import { compareMoments, compareNumbers, readFilters } from './fields.ts'
import { MOST_COUNTED, type Window } from './page.ts'
import type { Call } from './service.ts'
import { isOfTeam, isVisible } from './visibility.ts'

type StoredConfirmation = {
  owner: Hex
  signature: Hex
  type: (typeof confirmation.$inferSelect)['signatureType']
  at: string
  transaction: Hex | null
}

/** Times at which something was said here are the team's; of what was executed others see the block's. */
function seenAt(call: Call, column: SQL | typeof table.submissionDate): SQL<Date> {
  return sql<Date>`case when ${isOfTeam(call)} then ${column} else ${table.executionDate} end`
}

const modified = sql`coalesce(${table.modifiedDate}, ${table.executionDate}, ${table.submissionDate})`

/** Of a transaction as who asks may see it: what was only said here is null for others than the team. */
export function multisigFields(call: Call) {
  const toTeam = (column: typeof table.proposer | typeof table.proposedByDelegate): SQL<Address | null> =>
    sql`case when ${isOfTeam(call)} then ${column} end`.mapWith(table.proposer)
  return {
    ...getTableColumns(table),
    proposer: toTeam(table.proposer),
    proposedByDelegate: toTeam(table.proposedByDelegate),
    origin: sql<string | null>`case when ${isOfTeam(call)} then ${table.origin} end`,
    submissionDate: seenAt(call, table.submissionDate).mapWith(table.submissionDate),
    modifiedDate: seenAt(call, modified).mapWith(table.submissionDate),
    confirmations: sql<StoredConfirmation[]>`case when ${isOfTeam(call)} then (
      select coalesce(json_agg(json_build_object(
        'owner', '0x' || encode(c.owner, 'hex'), 'signature', '0x' || encode(c.signature, 'hex'),
        'type', c.signature_type, 'at', c.submission_date,
        'transaction', '0x' || encode(c.transaction_hash, 'hex')) order by c.submission_date, c.owner), '[]')
      from confirmation c where ${isConfirmationOf(sql`c`)}) else '[]' end`,
  }
}

/** Confirmations that count: of what is not executed, those of present owners. */
function isConfirmationOf(c: SQL): SQL {
  return sql`${c}.chain_id = ${table.chainId} and ${c}.safe_tx_hash = ${table.safeTxHash}
    and (${table.isExecuted} or ${c}.owner = any(${safe.owners}))`
}

const isOfSafe = and(eq(safe.chainId, table.chainId), eq(safe.address, table.safeAddress))

/** What is executed is on the chain; the rest is the team's. */
function isThere(call: Call): SQL | undefined {
  return and(isVisible(call), or(table.isExecuted, isOfTeam(call)))
}

function selectMultisig(call: Call) {
  return call.deps.db
    .select({ ...multisigFields(call), threshold: safe.threshold })
    .from(table)
    .innerJoin(safe, isOfSafe)
}

export type MultisigRow = Awaited<ReturnType<ReturnType<typeof selectMultisig>['execute']>>[number]

export async function findMultisig(call: Call, safeTxHash: Hex): Promise<MultisigRow | null> {
  const [row] = await selectMultisig(call).where(
    and(eq(table.chainId, call.chainId), eq(table.safeTxHash, safeTxHash), isThere(call)),
  )
  return row ?? null
}

/** As the index `multisig_transaction_list` has it, and backwards. */
const usualOrder = [
  sql`${table.nonce} desc nulls last`,
  sql`${table.submissionDate} desc nulls last`,
  sql`${table.safeTxHash}`,
]
const orders: Record<string, (call: Call) => SQL[]> = {
  '-nonce': () => usualOrder,
  nonce: () => [
    sql`${table.nonce} nulls first`,
    sql`${table.submissionDate} nulls first`,
    sql`${table.safeTxHash} desc`,
  ],
  created: (call) => [seenAt(call, table.submissionDate), sql`${table.safeTxHash}`],
  '-created': (call) => [sql`${seenAt(call, table.submissionDate)} desc`, sql`${table.safeTxHash}`],
  modified: (call) => [seenAt(call, modified), sql`${table.safeTxHash}`],
  '-modified': (call) => [sql`${seenAt(call, modified)} desc`, sql`${table.safeTxHash}`],
}

/** Transactions of a Safe by the filters of the query, with how many there are and how many nonces the Safe has used. */
export async function findMultisigPage(
  call: Call,
  safeAddress: Address,
  { limit, offset }: Window,
): Promise<{ rows: MultisigRow[]; count: number; uniqueNonces: number }> {
  const { db } = call.deps
  const withUntrusted = readFilters(call).boolean('trusted') === false
  const base = [
    eq(table.chainId, call.chainId),
    eq(table.safeAddress, safeAddress),
    isThere(call),
    withUntrusted ? undefined : eq(table.isTrusted, true),
  ]
  const where = and(...base, ...readConditions(call))
  const matching = db.select({ one: sql`1` }).from(table).innerJoin(safe, isOfSafe).where(where).limit(MOST_COUNTED)
  const nonces = db
    .select({ nonce: table.nonce })
    .from(table)
    .innerJoin(safe, isOfSafe)
    .where(and(...base))
    .orderBy(...usualOrder)
    .limit(MOST_COUNTED)
  const counts = {
    count: sql<number>`(select count(*)::int from (${matching}) matching)`,
    uniqueNonces: sql<number>`(select count(distinct nonce)::int from (${nonces}) nonces)`,
  }
  const order = orders[call.query.get('ordering') ?? '']?.(call) ?? usualOrder
  const rows = await db
    .select({ ...multisigFields(call), threshold: safe.threshold, ...counts })
    .from(table)
    .innerJoin(safe, isOfSafe)
    .where(where)
    .orderBy(...order)
    .limit(limit + 1)
    .offset(offset)
  const [first] = rows
  if (first) return { rows, count: first.count, uniqueNonces: first.uniqueNonces }
  const [alone] = await db.select(counts).from(sql`(values (1)) as nothing`)
  return { rows: [], count: alone?.count ?? 0, uniqueNonces: alone?.uniqueNonces ?? 0 }
}

function readConditions(call: Call): (SQL | undefined)[] {
  const filters = readFilters(call)
  const executed = filters.boolean('executed')
  const failed = filters.boolean('failed')
  const hasConfirmations = filters.boolean('has_confirmations')
  const safeTxHash = filters.hash('safe_tx_hash')
  const transactionHash = filters.hash('transaction_hash')
  const to = filters.address('to')
  const isConfirmed = sql`(${isOfTeam(call)} and exists (select from confirmation c where ${isConfirmationOf(sql`c`)}))`
  const conditions = [
    executed === undefined ? undefined : eq(table.isExecuted, executed),
    failed === undefined ? undefined : eq(table.isSuccessful, !failed),
    hasConfirmations === undefined ? undefined : hasConfirmations ? isConfirmed : sql`not ${isConfirmed}`,
    ...compareNumbers(filters, 'nonce', sql`${table.nonce}`),
    ...compareNumbers(filters, 'value', sql`${table.value}`),
    ...compareMoments(filters, 'modified', seenAt(call, modified)),
    ...compareMoments(filters, 'execution_date', sql`${table.executionDate}`),
    ...compareMoments(filters, 'submission_date', seenAt(call, table.submissionDate)),
    safeTxHash && eq(table.safeTxHash, safeTxHash),
    // What is executed is in the history, which is indexed by it.
    transactionHash &&
      sql`${table.safeTxHash} in (select h.safe_tx_hash from history_entry h where h.chain_id = ${table.chainId}
        and h.transaction_hash = ${sql.param(transactionHash, table.transactionHash)} and h.safe_address = ${table.safeAddress})`,
    to && eq(table.to, to),
  ]
  filters.done()
  return conditions
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
