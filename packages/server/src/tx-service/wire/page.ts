import type { Call } from './service.ts'

/** Counting goes no further: it would cost more than the page. From there on `count` says what is sure to be there. */
export const MAX_COUNTED = 10_000

export type PageSize = { usual: number; most: number }
export const pageSizes = {
  default: { usual: 100, most: 200 },
  small: { usual: 20, most: 100 },
  tokens: { usual: 10, most: 1_000 },
  collectibles: { usual: 10, most: 10 },
  export: { usual: 10, most: 1_000 },
} as const satisfies Record<string, PageSize>

/** `after`: where a list goes on whose `next` names it; then `offset` counts and skips nothing. */
export type Window = { limit: number; offset: number; after?: string | undefined }
export type Page<item> = { count: number; next: string | null; previous: string | null; results: item[] }

/** Nothing is so far. */
const FARTHEST = 1_000_000_000

/** Parses limit and offset. A value that is no number counts as not given. */
export function parseWindow({ query }: Pick<Call, 'query'>, { usual, most }: PageSize = pageSizes.default): Window {
  const read = (name: string) => (/^\s*\d+\s*$/.test(query.get(name) ?? '') ? Number(query.get(name)) : 0)
  const limit = read('limit')
  return { limit: limit > 0 ? Math.min(limit, most) : usual, offset: Math.min(read('offset'), FARTHEST) }
}

/**
 * A page with its links, absolute and with the other parameters kept.
 *
 * @param found - one more than the page holds, where there is more; `shown`: how many of them it holds, where that is less
 * than was asked for; `after`: where the next page begins, in lists that need not skip to it
 */
export function toPage<row, item>(
  { deps, c, query }: Pick<Call, 'deps' | 'c' | 'query'>,
  { limit, offset }: Window,
  {
    rows,
    count,
    shown = limit,
    after,
  }: { rows: readonly row[]; count: number; shown?: number; after?: string | undefined },
  toItem: (row: row) => item,
): Page<item> {
  const link = (at: number, place?: string) => {
    const url = new URL(c.req.path, deps.publicUrl)
    for (const [name, value] of query) url.searchParams.append(name, value)
    url.searchParams.set('limit', String(limit))
    if (at > 0) url.searchParams.set('offset', String(at))
    else url.searchParams.delete('offset')
    if (place) url.searchParams.set('after', place)
    else url.searchParams.delete('after')
    return url.href
  }
  return {
    // A client that reads on while `count` promises more comes to the end.
    count: rows.length === 0 ? count : Math.max(count, offset + rows.length),
    next: rows.length > shown ? link(offset + shown, after) : null,
    previous: offset > 0 ? link(Math.max(0, offset - limit)) : null,
    results: rows.slice(0, shown).map(toItem),
  }
}
