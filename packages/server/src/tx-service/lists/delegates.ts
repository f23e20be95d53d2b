import { and, asc, eq, or, type SQL, sql } from 'drizzle-orm'
import type { Address } from 'viem'
import { safe } from '../../db/schema.ts'
import { delegate as table } from '../../db/team-schema.ts'
import { isUnexpired } from '../../safes/roles.ts'
import { refuse } from '../wire/answers.ts'
import { parseFilters } from '../wire/fields.ts'
import { MAX_COUNTED, parseWindow, toPage } from '../wire/page.ts'
import type { Call, TxService } from '../wire/service.ts'
import { toDate } from '../wire/values.ts'
import { isMember } from '../wire/visibility.ts'

type Version = 'v1' | 'v2'

/** Lists the accounts that may propose for an owner, in the order in which they came. */
export function delegateRoutes({ read }: TxService): void {
  for (const version of ['v1', 'v2'] as const)
    read('GET', `/${version}/delegates`, (call) => listDelegates(call, version))
}

async function listDelegates(call: Call, version: Version) {
  const { db } = call.deps
  const window = parseWindow(call)
  const where = and(
    eq(table.chainId, call.chainId),
    isUnexpired(call.deps.clock()),
    isVisibleRow(call),
    ...parseConditions(call),
  )
  const matching = db.select({ one: sql`1` }).from(table).where(where).limit(MAX_COUNTED)
  const count = sql<number>`(select count(*)::int from (${matching}) matching)`
  const rows = await db
    .select({ delegate: table, count })
    .from(table)
    .where(where)
    .orderBy(asc(table.createdAt), asc(table.delegate), asc(table.delegator), asc(table.safeAddress))
    .limit(window.limit + 1)
    .offset(window.offset)
  const [alone] = rows.length > 0 ? rows : await db.select({ count }).from(sql`(values (1)) as nothing`)
  return toPage(call, window, { rows, count: alone?.count ?? 0 }, (row) => toDelegate(row.delegate, version))
}

/** Finds the delegators of a delegate for one Safe, as far as the caller may see them. */
export async function findDelegators(call: Call, safeAddress: Address, delegate: Address): Promise<Address[]> {
  const rows = await call.deps.db
    .select({ delegator: table.delegator })
    .from(table)
    .where(
      and(
        eq(table.chainId, call.chainId),
        eq(table.safeAddress, safeAddress),
        eq(table.delegate, delegate),
        isVisibleRow(call),
      ),
    )
    .orderBy(asc(table.createdAt), asc(table.delegator))
  return rows.map(({ delegator }) => delegator)
}

/** v1 knows no end. */
function toDelegate(
  { safeAddress: safe, delegate, delegator, label, expiryDate }: typeof table.$inferSelect,
  version: Version,
) {
  const request = { safe, delegate, delegator, label }
  return version === 'v1' ? request : { ...request, expiryDate: toDate(expiryDate) }
}

function parseConditions(call: Call): (SQL | undefined)[] {
  const names = ['safe', 'delegate', 'delegator', 'label'] as const
  if (names.every((name) => !call.query.get(name))) refuse(400, ['At least one query param must be provided'])
  const filters = parseFilters(call)
  const safeAddress = filters.address('safe')
  const delegate = filters.address('delegate')
  const delegator = filters.address('delegator')
  const label = filters.text('label')
  filters.done()
  return [
    safeAddress && eq(table.safeAddress, safeAddress),
    delegate && eq(table.delegate, delegate),
    delegator && eq(table.delegator, delegator),
    label === undefined ? undefined : eq(table.label, label),
  ]
}

/** Those of a Safe's owner are its team's; one's own are one's own. */
function isVisibleRow(call: Call): SQL | undefined {
  const { viewer } = call
  if (!viewer) return sql`false`
  const ofTeam = sql`exists (select from ${safe} where ${safe.chainId} = ${table.chainId}
    and ${safe.owners} @> array[${table.delegator}] and (${table.safeAddress} is null or ${table.safeAddress} = ${safe.address})
    and ${isMember(call)})`
  return or(eq(table.delegate, viewer.address), eq(table.delegator, viewer.address), ofTeam)
}
