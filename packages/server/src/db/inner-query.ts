import { type SQL, sql } from 'drizzle-orm'

/**
 * A selected field that is a query of its own about the row. In what is selected from one table, Drizzle writes columns of that
 * table without its name, and the tables of the inner query have columns of the same names. One level further in it leaves them.
 */
export function innerQuery<Of>(query: SQL<Of>): SQL<Of> {
  return sql<Of>`${query}`
}
