import { and, eq, getTableColumns, inArray, or, type SQL, sql } from 'drizzle-orm'
import { type Address, getAddress, type Hex } from 'viem'
import { type confirmation, safe, multisigTransaction as table } from '../db/schema.ts'
import { compareMoments, compareNumbers, readFilters } from './fields.ts'
import { MOST_COUNTED, type Window } from './page.ts'
import type { Call } from './service.ts'
import { findVisibleSafe, isOfTeam, isOfTeamAt, isVisible, isVisibleAt, type VisibleSafe } from './visibility.ts'

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

/** A nonce is executed once, so that those of the executed need not be told apart. */
const isUsedUp = sql`exists (select from multisig_transaction e where e.chain_id = ${table.chainId}
  and e.safe_address = ${table.safeAddress} and e.nonce = ${table.nonce} and e.is_executed and e.is_trusted)`

function orderOf(call: Call, times: Times): SQL[] {
  const { submitted, changed } = times
  switch (call.query.get('ordering')) {
    case 'nonce':
      return [sql`${table.nonce} nulls first`, sql`${table.submissionDate} nulls first`, sql`${table.safeTxHash} desc`]
    case 'created':
      return [submitted, sql`${table.safeTxHash}`]
    case '-created':
      return [sql`${submitted} desc`, sql`${table.safeTxHash}`]
    case 'modified':
      return [changed, sql`${table.safeTxHash}`]
    case '-modified':
      return [sql`${changed} desc`, sql`${table.safeTxHash}`]
    default:
      return usualOrder
  }
}

/** When a transaction came and when it last changed, as who asks may know it. */
type Times = { submitted: SQL; changed: SQL }

/**
 * Transactions of a Safe by the filters of the query, with how many there are and how many nonces the Safe has used.
 * First which they are, then what is told of them: what a page leaves out is not put together.
 */
export async function findMultisigPage(
  call: Call,
  safeAddress: Address,
  window: Window,
): Promise<{ rows: MultisigRow[]; count: number; uniqueNonces: number }> {
  const seen = await findVisibleSafe(call, safeAddress)
  const isTeams = seen?.isOfTeam ?? false
  const executed = sql`${table.executionDate}`
  const times = isTeams
    ? { submitted: sql`${table.submissionDate}`, changed: modified }
    : { submitted: executed, changed: executed }
  const withUntrusted = readFilters(call).boolean('trusted') === false
  const base = and(
    eq(table.chainId, call.chainId),
    eq(table.safeAddress, safeAddress),
    // How it is looked for was chosen by who asks; that they may is still said by the same statement that reads.
    isTeams ? isOfTeamAt(call, safeAddress) : and(isVisibleAt(call, safeAddress), eq(table.isExecuted, true)),
    withUntrusted ? undefined : eq(table.isTrusted, true),
  )
  const which = and(base, ...readConditions(call, times, seen))
  const { rows: found } = await call.deps.db.execute<{ hashes: string[]; count: number; unique_nonces: number }>(sql`
    select
      array(select encode(${table.safeTxHash}, 'hex') from ${table} where ${which}
        order by ${sql.join(orderOf(call, times), sql`, `)} limit ${window.limit + 1} offset ${window.offset}) as hashes,
      (select count(*)::int from (select from ${table} where ${which} limit ${MOST_COUNTED}) matching) as count,
      (select count(*)::int from (
        select from ${table} where ${base} and ${table.isExecuted} and ${table.nonce} is not null limit ${MOST_COUNTED}
      ) executed) + (select count(distinct ${table.nonce})::int from ${table} where ${base} and not ${table.isExecuted}
        and not ${isUsedUp}) as unique_nonces`)
  const { hashes = [], count = 0, unique_nonces: uniqueNonces = 0 } = found[0] ?? {}
  const rows = await findAll(
    call,
    hashes.map((digits): Hex => `0x${digits}`),
  )
  return { rows, count, uniqueNonces }
}

/** In the order of the hashes. */
async function findAll(call: Call, hashes: readonly Hex[]): Promise<MultisigRow[]> {
  if (hashes.length === 0) return []
  const rows = await selectMultisig(call).where(
    and(eq(table.chainId, call.chainId), inArray(table.safeTxHash, [...hashes]), isThere(call)),
  )
  const byHash = new Map(rows.map((row) => [row.safeTxHash, row]))
  return hashes.flatMap((hash) => byHash.get(hash) ?? [])
}

function readConditions(call: Call, { submitted, changed }: Times, seen: VisibleSafe | null): (SQL | undefined)[] {
  const filters = readFilters(call)
  const executed = filters.boolean('executed')
  const failed = filters.boolean('failed')
  const hasConfirmations = filters.boolean('has_confirmations')
  const safeTxHash = filters.hash('safe_tx_hash')
  const transactionHash = filters.hash('transaction_hash')
  const to = filters.address('to')
  const conditions = [
    executed === undefined ? undefined : eq(table.isExecuted, executed),
    failed === undefined ? undefined : eq(table.isSuccessful, !failed),
    hasConfirmations === undefined ? undefined : isConfirmed(seen, hasConfirmations),
    ...compareNumbers(filters, 'nonce', sql`${table.nonce}`),
    ...compareNumbers(filters, 'value', sql`${table.value}`),
    ...compareMoments(filters, 'modified', changed),
    ...compareMoments(filters, 'execution_date', sql`${table.executionDate}`),
    ...compareMoments(filters, 'submission_date', submitted),
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

/** Whether it has confirmations that count, as who asks may know it: others than the team see none. */
function isConfirmed(seen: VisibleSafe | null, wanted: boolean): SQL {
  if (!seen?.isOfTeam) return wanted ? sql`false` : sql`true`
  const ofOwner = sql`exists (select from confirmation c where c.chain_id = ${table.chainId}
    and c.safe_tx_hash = ${table.safeTxHash} and c.owner = any(${sql.param(seen.owners, safe.owners)}::bytea[]))`
  return wanted
    ? sql`((${table.isExecuted} and ${table.isConfirmed}) or (not ${table.isExecuted} and ${ofOwner}))`
    : sql`((${table.isExecuted} and not ${table.isConfirmed}) or (not ${table.isExecuted} and not ${ofOwner}))`
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
