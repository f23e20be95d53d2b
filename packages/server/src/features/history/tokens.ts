import type { Input, ListedToken, listTokens, MovedToken, Reply } from '@countersign/contract'
import { and, eq, isNotNull, sql } from 'drizzle-orm'
import type { Address } from 'viem'
import type { Database } from '../../db/client.ts'
import { decodeKeyset, encodeKeyset } from '../../db/keyset.ts'
import { historyEntry as entry } from '../../db/schema.ts'
import type { TokenLists } from '../../token-lists/keep-token-lists.ts'

const DEFAULT_LIMIT = 50
const keyset = [/^\d{1,15}$/, /^\d{1,9}$/, /^\d{1,9}$/]

/**
 * Finds the tokens that a Safe may hold, oldest first: a thousand worthless tokens sent today cannot push away old
 * holdings. Items are left out unless more came in than went out.
 */
export async function findTokens(
  db: Database,
  { chainId, safeAddress, cursor, limit = DEFAULT_LIMIT }: Input<typeof listTokens>,
): Promise<Reply<typeof listTokens>> {
  const id = sql`case when ${entry.tokenKind} = 'erc20' then null else ${entry.tokenId} end`
  const first = sql<
    [string, string, string]
  >`min(array[${entry.blockNumber}, ${entry.logIndex}, ${entry.part}]::bigint[])`
  const moved = sql`coalesce(${entry.amount}, 1)`
  const kept = sql`sum(case ${entry.kind} when 'transfer-in' then ${moved} when 'transfer-out' then -${moved} end) > 0`
  const [block, log, part] = decodeKeyset(cursor, keyset)
  const rows = await db
    .select({ address: entry.token, kind: entry.tokenKind, tokenId: sql<string | null>`${id}::text`, first })
    .from(entry)
    .where(and(eq(entry.chainId, chainId), eq(entry.safeAddress, safeAddress), isNotNull(entry.token)))
    .groupBy(entry.token, entry.tokenKind, id)
    .having(
      and(
        sql`(${entry.tokenKind} = 'erc20' or ${kept})`,
        cursor ? sql`${first} > array[${block}, ${log}, ${part}]::bigint[]` : undefined,
      ),
    )
    .orderBy(first, entry.token, entry.tokenKind)
    .limit(limit + 1)
  const last = rows.length > limit ? rows[limit - 1] : undefined
  return {
    tokens: rows
      .slice(0, limit)
      .flatMap(({ address, kind, tokenId }): MovedToken[] =>
        address === null || kind === null || kind === 'native'
          ? []
          : [{ address, kind, tokenId: tokenId === null ? null : BigInt(tokenId) }],
      ),
    nextCursor: last ? encodeKeyset(last.first) : null,
  }
}

/** Finds the tokens that a Safe ever moved and that a list names; those of the configuration alone are known to everybody. */
export async function findMovedListed(
  { db, tokenLists }: { db: Database; tokenLists: TokenLists },
  { chainId, safeAddress }: { chainId: number; safeAddress: Address },
): Promise<ListedToken[]> {
  const moved = await db
    .selectDistinct({ address: entry.token })
    .from(entry)
    .where(and(eq(entry.chainId, chainId), eq(entry.safeAddress, safeAddress), eq(entry.tokenKind, 'erc20')))
  return moved.flatMap(({ address }) => {
    const token = address && tokenLists.at(chainId, address)
    return token && token.lists.length > 0 ? [token] : []
  })
}
