import { fillPlaceholders, type SQL } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import type { Executor } from './client.ts'

/**
 * A statement whose SQL is written once, and planned once by each connection. `values` come where its placeholders stand,
 * as the driver takes them.
 */
export function plannedStatement<row extends Record<string, unknown>>(
  name: string,
  statement: SQL,
): (db: Executor, values: Record<string, unknown>) => Promise<row[]> {
  const { sql: text, params } = new PgDialect().sqlToQuery(statement)
  return async ({ $client }, values) => {
    const { rows } = await $client.query<row>({ name, text, values: fillPlaceholders(params, values) })
    return rows
  }
}
