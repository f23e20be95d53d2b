import { and, type Column, eq, type SQL, sql } from 'drizzle-orm'
import type { Address } from 'viem'
import { safe, multisigTransaction as table } from '../../db/schema.ts'
import { compareMoments, compareNumbers, parseFilters, parseOrdering } from '../wire/fields.ts'
import { MAX_COUNTED, type Window } from '../wire/page.ts'
import type { Call } from '../wire/service.ts'
import { findVisibleSafe, isMemberAt, isVisibleAt, type VisibleSafe } from '../wire/visibility.ts'
import { findAll, hasFields, type MultisigRow } from './multisig-queries.ts'

/*
 * A list can be filtered by much and holds up to millions of rows. Statistics of the whole table say little of one Safe,
 * so the way to the rows is chosen here and not by the planner: each filter names the index that finds its rows, and is
 * read in that index's order, which no other way has. What one index finds is counted and sorted up to a bound. Of more
 * than that the page is read in the order of the list itself: a filter that lets much through is soon satisfied.
 */

/** Order of a list, and the columns that it needs. */
type Order = { by: SQL[]; on: Column; columns: Column[]; isBackwards?: true }
/** Rows that lie together in one index, in the order of that index. */
type Part = { which?: SQL; by: SQL[] }
/** A filter, and the parts that hold all its rows when an index has them. */
type Condition = {
  which: SQL
  parts?: Part[]
  /** They are few in any Safe. */
  isFew?: true
  /** The column that it is a range of, or one value of: with that value the index has the usual order. */
  range?: Column
  equal?: Column
}

/** As the index `multisig_transaction_list` has it. */
const listed: Order = {
  by: [sql`${table.nonce} desc nulls last`, sql`${table.submissionDate} desc nulls last`, sql`${table.safeTxHash}`],
  on: table.nonce,
  columns: [table.nonce, table.submissionDate, table.safeTxHash],
}
const listedBackwards: SQL[] = [
  sql`${table.nonce} nulls first`,
  sql`${table.submissionDate} nulls first`,
  sql`${table.safeTxHash} desc`,
]
/** As the index `multisig_transaction_queue` has it. */
const queued: SQL[] = [sql`${table.nonce}`, sql`${table.submissionDate}`, sql`${table.safeTxHash}`]

/**
 * Transactions of a Safe by the filters of the query, with how many there are and how many nonces the Safe has used.
 * First which they are, then what is told of them: what a page leaves out is not put together.
 */
export async function findMultisigPage(
  call: Call,
  safeAddress: Address,
  window: Window,
): Promise<{ rows: MultisigRow[]; shown: number; count: number; uniqueNonces: number }> {
  const seen = await findVisibleSafe(call, safeAddress)
  const conditions = parseConditions(call, seen)
  if (!seen) return { rows: [], shown: 0, count: 0, uniqueNonces: 0 }
  const order = orderOf(call, seen, conditions)
  const base = and(
    eq(table.chainId, call.chainId),
    eq(table.safeAddress, safeAddress),
    seen.isMember ? undefined : sql`${table.isExecuted}`,
    parseFilters(call).boolean('trusted') === false ? undefined : sql`${table.isTrusted}`,
    (await hasBareRows(call, safeAddress)) ? sql`(${hasFields}) is true` : undefined,
  )
  const which = and(base, ...conditions.map((condition) => condition.which))
  // How it is looked for was chosen by who asks; that they may is still said by the statement that reads.
  const may = seen.isMember ? isMemberAt(call, safeAddress) : isVisibleAt(call, safeAddress)
  const way = await narrowest(call, base, conditions)
  const parts: Part[] = way?.parts ?? [{ by: listed.by }]
  const limits = sql`limit ${window.limit + 1} offset ${window.offset}`
  const by = sql.join(order.by, sql`, `)
  const { rows: found } = await call.deps.db.execute<{ count: number; hashes: string[]; unique_nonces: number }>(sql`
    with matching as materialized (${sql.join(
      parts.map((part) => selectPart(order.columns, and(which, part.which), part.by)),
      sql` union all `,
    )}), counted as materialized (select count(*)::int as count from matching)
    select (select count from counted) as count,
      -- Of more than that nothing is sorted: the page is read otherwise.
      array(select encode(${table.safeTxHash}, 'hex') from matching as ${table}
        where (select count from counted) <= ${MAX_COUNTED} order by ${by} ${limits}) as hashes,
      ${countNonces(base, seen)} as unique_nonces
    where ${may}`)
  const { count = 0, hashes = [], unique_nonces: uniqueNonces = 0 } = found[0] ?? {}
  if (count <= MAX_COUNTED) return { ...(await findAll(call, hashes, window.limit)), count, uniqueNonces }
  const { rows: read } = await call.deps.db.execute<{ hash: string }>(sql`
    select encode(${table.safeTxHash}, 'hex') as hash from ${table}
    where ${and(base, ...conditions.map((condition) => inOrder(condition, condition === way, order)))} and ${may}
    order by ${way?.equal && isListed(order) ? sql`${way.equal} ${order.isBackwards ? sql`desc` : sql``},` : sql``} ${by} ${limits}`)
  const page = await findAll(
    call,
    read.map(({ hash }) => hash),
    window.limit,
  )
  return { ...page, count: MAX_COUNTED, uniqueNonces }
}

/** Few Safes have rows without fields. Looking for these in lists of others would take more than their indexes hold. */
async function hasBareRows({ chainId, deps }: Call, safeAddress: Address): Promise<boolean> {
  const [last] = await deps.db
    .select({ nonce: table.nonce })
    .from(table)
    .where(and(eq(table.chainId, chainId), eq(table.safeAddress, safeAddress)))
    // The end of the index of the list: they would be there.
    .orderBy(...listedBackwards)
    .limit(1)
  return last?.nonce === null
}

function isListed(order: Order): boolean {
  return order.on === table.nonce
}

/** Where the rows are read in another order than that of its index, a filter must not lead there: all would be sorted. */
function inOrder({ which, range, equal }: Condition, isWay: boolean, order: Order): SQL {
  const isItsOrder = (range && range === order.on) || (equal && isWay && isListed(order))
  return (range || equal) && !isItsOrder ? sql`(${which}) is true` : which
}

/** Reads an index entry by entry, as far as it is counted and a little further. */
function selectPart(columns: readonly Column[], which: SQL | undefined, by: readonly SQL[]): SQL {
  const names = columns.length > 0 ? sql.join([...columns], sql`, `) : sql`1`
  const order = by.length > 0 ? sql`order by ${sql.join([...by], sql`, `)}` : undefined
  return sql`(select ${names} from ${table} where ${which} ${order} limit ${MAX_COUNTED + 1})`
}

/** The filter whose index finds the least; undefined where none has an index. */
async function narrowest(
  call: Call,
  base: SQL | undefined,
  conditions: readonly Condition[],
): Promise<Condition | undefined> {
  const ways = conditions.filter(({ parts }) => parts)
  const few = ways.find(({ isFew }) => isFew)
  if (few || ways.length < 2) return few ?? ways[0]
  const counts = ways.map(({ which, parts = [] }) => {
    const read = parts.map((part) => selectPart([], and(base, which, part.which), part.by))
    return sql`(select count(*) from (${sql.join(read, sql` union all `)}) found)::int`
  })
  const { rows } = await call.deps.db.execute<{ counts: number[] }>(
    sql`select array[${sql.join(counts, sql`, `)}] as counts`,
  )
  const found = rows[0]?.counts ?? []
  return ways[found.indexOf(Math.min(...found))]
}

/** A nonce is executed once, so that those of the executed need not be told apart. */
function countNonces(base: SQL | undefined, { nonce }: VisibleSafe): SQL {
  const isUsedUp = sql`exists (select from multisig_transaction e where e.chain_id = ${table.chainId}
    and e.safe_address = ${table.safeAddress} and e.nonce = ${table.nonce} and e.is_executed and e.is_trusted)`
  const isExecuted = sql`${table.isExecuted} and ${table.nonce} is not null`
  const isOpen = sql`not ${table.isExecuted}`
  const open = selectPart([table.chainId, table.safeAddress, table.nonce], and(base, isOpen), queued)
  return sql`(select least(count(*), ${MAX_COUNTED})::int from ${selectPart([], and(base, isExecuted), listed.by)} executed)
    + (select count(distinct ${table.nonce})::int from ${open} as ${table}
      where ${table.nonce} >= ${nonce.toString()}::numeric or not ${isUsedUp})`
}

/** When a transaction came and when it last changed, as who asks may know it: others than the team know the block's time. */
function timesOf(seen: VisibleSafe | null) {
  return seen?.isMember
    ? { created: table.submissionDate, modified: table.changedDate }
    : { created: table.executionDate, modified: table.executionDate }
}

function orderOf(call: Call, seen: VisibleSafe, conditions: readonly Condition[]): Order {
  const usual = { name: 'nonce', isDescending: true } as const
  const { name, isDescending } = parseOrdering(call, ['nonce', 'created', 'modified'], usual)
  if (name === 'created' || name === 'modified') {
    const on = timesOf(seen)[name]
    const columns = on === table.executionDate ? executedColumns : [on, table.safeTxHash]
    return { by: columns.map((column) => (isDescending ? sql`${column} desc` : sql`${column}`)), on, columns }
  }
  const isBackwards = !isDescending
  // Transactions are executed in the order of their nonces: that of the index that finds times of execution.
  if (conditions.some(({ range }) => range === table.executionDate))
    return {
      by: executedColumns.map((column) => (isBackwards ? sql`${column}` : sql`${column} desc`)),
      on: table.executionDate,
      columns: executedColumns,
    }
  return isBackwards ? { ...listed, by: listedBackwards, isBackwards } : listed
}

/** As the index `multisig_transaction_history` has it. */
const executedColumns: Column[] = [table.executionDate, table.blockNumber, table.logIndex, table.safeTxHash]

function parseConditions(call: Call, seen: VisibleSafe | null): Condition[] {
  const filters = parseFilters(call)
  const { created, modified } = timesOf(seen)
  const executed = filters.boolean('executed')
  const failed = filters.boolean('failed')
  const hasConfirmations = filters.boolean('has_confirmations')
  const safeTxHash = filters.hash('safe_tx_hash')
  const transactionHash = filters.hash('transaction_hash')
  const to = filters.address('to')
  const value = filters.number('value')
  const found: (Condition | undefined)[] = [
    executed === undefined ? undefined : isExecuted(executed),
    failed === undefined ? undefined : isFailed(failed),
    hasConfirmations === undefined ? undefined : isConfirmed(seen, hasConfirmations),
    within(table.nonce, compareNumbers(filters, 'nonce', sql`${table.nonce}`), listed.by),
    value === undefined
      ? within(table.value, compareNumbers(filters, 'value', sql`${table.value}`))
      : one(table.value, sql`${value}::numeric`),
    within(modified, compareMoments(filters, 'modified', sql`${modified}`)),
    within(table.executionDate, compareMoments(filters, 'execution_date', sql`${table.executionDate}`)),
    within(created, compareMoments(filters, 'submission_date', sql`${created}`)),
    safeTxHash && few(eq(table.safeTxHash, safeTxHash)),
    // Executed transactions are in the history, which has an index on the hash.
    transactionHash &&
      few(sql`${table.safeTxHash} in (select h.safe_tx_hash from history_entry h where h.chain_id = ${table.chainId}
        and h.transaction_hash = ${sql.param(transactionHash, table.transactionHash)} and h.safe_address = ${table.safeAddress})`),
    to && one(table.to, sql`${sql.param(to, table.to)}`),
  ]
  filters.done()
  return found.filter((condition) => condition !== undefined)
}

/** A range of a column that an index begins with. */
function within(column: Column, comparisons: readonly SQL[], by: SQL[] = [sql`${column}`]): Condition | undefined {
  if (comparisons.length === 0) return undefined
  // As the index says of itself.
  const which = and(column === table.executionDate ? sql`${table.isExecuted}` : undefined, ...comparisons)
  return which && { which, parts: [{ by }], range: column }
}

/**
 * One value of a column that an index begins with, and goes on in the usual order. Written as a range, so that no other
 * index has the order of this one.
 */
function one(column: Column, value: SQL): Condition {
  const which = sql`${column} >= ${value} and ${column} <= ${value}`
  return { which, parts: [{ by: [sql`${column}`, ...listed.by] }], equal: column }
}

function few(which: SQL): Condition {
  return { which, parts: [{ by: [] }], isFew: true }
}

function isExecuted(wanted: boolean): Condition {
  if (wanted) return { which: sql`${table.isExecuted}` }
  return { which: sql`not ${table.isExecuted}`, parts: [{ by: queued }], isFew: true }
}

function isFailed(wanted: boolean): Condition {
  if (wanted) return { which: sql`not ${table.isSuccessful}`, parts: [{ by: listed.by }] }
  return { which: sql`${table.isSuccessful}` }
}

/** Whether it has confirmations that count, as who asks may know it: others than the team see none. */
function isConfirmed(seen: VisibleSafe | null, wanted: boolean): Condition {
  if (!seen?.isMember) return { which: wanted ? sql`false` : sql`true` }
  // Not `exists`: for that all confirmations of the owners may be read into a table first.
  const ofOwner = sql`coalesce((select true from confirmation c where c.chain_id = ${table.chainId}
    and c.safe_tx_hash = ${table.safeTxHash} and c.owner = any(${sql.param(seen.owners, safe.owners)}::bytea[]) limit 1), false)`
  const executed = sql`${table.isExecuted} and ${wanted ? sql`` : sql`not`} ${table.isConfirmed}`
  const open = sql`not ${table.isExecuted} and ${wanted ? sql`` : sql`not`} ${ofOwner}`
  const which = sql`((${executed}) or (${open}))`
  // Nearly all are confirmed.
  if (wanted) return { which }
  return {
    which,
    parts: [
      { which: executed, by: listed.by },
      { which: open, by: queued },
    ],
  }
}
