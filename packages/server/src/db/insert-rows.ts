import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Executor } from './client.ts'

/**
 * Inserts any number of rows by one statement with one parameter a column: PostgreSQL takes no more than 65,535
 * parameters, and plans a short statement once.
 *
 * @param tail what follows: `on conflict …`, `returning …`
 */
export async function insertRows<table extends PgTable>(
  db: Executor,
  table: table,
  rows: readonly NoInfer<table['$inferInsert']>[],
  tail: SQL,
): Promise<Record<string, unknown>[]> {
  if (rows.length === 0) return []
  const used = new Set(rows.flatMap((row) => Object.keys(row)))
  const columns = Object.entries(getTableColumns(table)).filter(([key]) => used.has(key))
  const names = columns.map(([, column]) => sql.identifier(column.name))
  const lists = columns.map(([key, column]) => {
    const values = rows.map((row: Record<string, unknown>) => {
      const value = row[key]
      return value === null || value === undefined ? null : column.mapToDriverValue(value)
    })
    return sql`${sql.param(values)}::${sql.raw(column.getSQLType())}[]`
  })
  const result = await db.execute(
    sql`insert into ${table} (${sql.join(names, sql`, `)}) select * from unnest(${sql.join(lists, sql`, `)}) ${tail}`,
  )
  return result.rows
}
