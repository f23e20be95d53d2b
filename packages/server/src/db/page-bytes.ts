import { type SQL, sql } from 'drizzle-orm'

/** Bytes of calldata, contents, signatures and owners in one answer of a list. */
const PAGE_BYTES = 1024 * 1024

/**
 * Whether a row of a page still fits into one answer, as SQL: the first always does. The page ends before the first that
 * does not, and of that one nothing long should be read: whoever asks for the next page begins with it.
 *
 * @param weight bytes of the row, of lengths that are known without reading what is measured
 * @param order of the page
 */
export function fitsPage(weight: SQL, order: readonly SQL[]): SQL<boolean> {
  return sql<boolean>`coalesce(sum(${weight}) over (order by ${sql.join([...order], sql`, `)}
    rows between unbounded preceding and 1 preceding), 0) < ${sql.raw(String(PAGE_BYTES))}`
}

/** How many rows an answer shows: those that fit, and not more than were asked for. */
export function shownOf(rows: readonly { fits: boolean }[], limit: number): number {
  const cut = rows.findIndex(({ fits }) => !fits)
  return Math.min(cut < 0 ? rows.length : cut, limit)
}
