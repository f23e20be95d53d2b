import { readItems, readTokens } from '@countersign/safe'
import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Address } from 'viem'
import { historyEntry as entry } from '../../db/schema.ts'
import { type Chain, unreachable } from '../../rpc/clients.ts'
import { refuse } from '../wire/answers.ts'
import { parseFilters, pathAddress } from '../wire/fields.ts'
import { MAX_COUNTED, pageSizes, parseWindow, toPage, type Window } from '../wire/page.ts'
import type { Call, TxService } from '../wire/service.ts'
import { findTokenInfos, tokenLogo } from '../wire/token-info.ts'
import { findVisibleSafe } from '../wire/visibility.ts'

/** In one list, oldest first: a flood of worthless tokens pushes nothing away. */
const MAX_IN_V1 = 500

/** Answers with the assets of a Safe: its history names the tokens, the chain gives the balances. */
export function assetRoutes({ ask }: TxService): void {
  ask('GET', '/v1/safes/{safe}/balances', async (call) => {
    const safeAddress = await requireSafe(call)
    const { tokens } = await findTokens(call, safeAddress, { limit: MAX_IN_V1, offset: 0 })
    return [await nativeBalance(call.chain, safeAddress), ...(await readBalances(call, safeAddress, tokens))]
  })
  ask('GET', '/v2/safes/{safe}/balances', async (call) => {
    const safeAddress = await requireSafe(call)
    const window = parseWindow(call)
    // The native coin stands before all tokens, as one of them.
    const { limit, offset } = window
    const isFirst = offset === 0
    const { tokens, count } = await findTokens(
      call,
      safeAddress,
      isFirst ? { limit, offset: 0 } : { limit: limit + 1, offset: offset - 1 },
    )
    const page = toPage(
      call,
      window,
      { rows: isFirst ? [null, ...tokens] : tokens, count: count + 1 },
      (token) => token,
    )
    const balances = await readBalances(
      call,
      safeAddress,
      page.results.filter((token) => token !== null),
    )
    return { ...page, results: [...(isFirst ? [await nativeBalance(call.chain, safeAddress)] : []), ...balances] }
  })
  ask('GET', '/v2/safes/{safe}/collectibles', async (call) => {
    const safeAddress = await requireSafe(call)
    const window = parseWindow(call, pageSizes.collectibles)
    const { items, count } = await findItems(call, safeAddress, window)
    const shown = items.slice(0, window.limit)
    const collections = await readItems(call.chain.request, safeAddress, shown).catch((error: unknown) => {
      throw unreachable(call.chain.settings, error)
    })
    const page = toPage(call, window, { rows: items, count }, (item) => item)
    const results = page.results.flatMap(({ address, tokenId }) => {
      const collection = collections.find((collection) => collection.address === address)
      const item = collection?.items.find((item) => item.tokenId === tokenId)
      if (!collection || item?.balance !== 1n) return []
      return {
        address,
        tokenName: collection.name ?? '',
        tokenSymbol: collection.symbol ?? '',
        logoUri: tokenLogo(call.deps),
        id: tokenId.toString(),
        uri: null,
        name: null,
        description: null,
        imageUri: null,
        metadata: {},
      }
    })
    return { ...page, results }
  })
}

async function requireSafe(call: Call): Promise<Address> {
  const safeAddress = pathAddress(call, 'safe')
  return (await findVisibleSafe(call, safeAddress)) ? safeAddress : refuse(404)
}

async function nativeBalance({ request, settings }: Chain, safeAddress: Address) {
  const balance = await request({ method: 'eth_getBalance', params: [safeAddress, 'latest'] }).catch(
    (error: unknown) => {
      throw unreachable(settings, error)
    },
  )
  return { tokenAddress: null, token: null, balance: BigInt(String(balance)).toString() }
}

/** Without those of which it has none, and those that do not say. */
async function readBalances(call: Call, safeAddress: Address, tokens: readonly Address[]) {
  const { chain, deps } = call
  const readings = await readTokens(chain.request, safeAddress, tokens).catch((error: unknown) => {
    throw unreachable(chain.settings, error)
  })
  if (readings.some(({ balance }) => balance === 'unread'))
    throw unreachable(chain.settings, new Error('It did not say all balances.'))
  const kept = readings.filter(({ balance }) => typeof balance === 'bigint' && balance > 0n)
  const infos = await findTokenInfos(
    call,
    kept.map(({ address }) => ({ address, kind: 'erc20' })),
  )
  return kept.map(({ address, balance }) => {
    const { name, symbol, decimals, logoUri } = infos.get(address) ?? {
      name: '',
      symbol: '',
      decimals: null,
      logoUri: tokenLogo(deps),
    }
    return {
      tokenAddress: address,
      token: { name, symbol, decimals: decimals ?? 0, logoUri },
      balance: balance.toString(),
    }
  })
}

/** Tokens that the operator lists, then every ERC-20 that the Safe ever moved, in the order in which they first came. */
async function findTokens(
  call: Call,
  safeAddress: Address,
  { limit, offset }: Window,
): Promise<{ tokens: Address[]; count: number }> {
  const listed = (call.chain.settings.tokens ?? []).map(({ address }) => address)
  const isTrusted = parseFilters(call).boolean('trusted') ?? false
  const own = listed.slice(offset, offset + limit)
  if (isTrusted) return { tokens: own, count: listed.length }
  const { rows, count } = await findMoved(
    call,
    safeAddress,
    sql`${entry.tokenKind} = 'erc20' and not (${entry.token} = any(${sql.param(listed.map((token) => Buffer.from(token.slice(2), 'hex')))}::bytea[]))`,
    sql`null::numeric`,
    { limit: limit - own.length, offset: Math.max(0, offset - listed.length) },
  )
  return { tokens: [...own, ...rows.map(({ address }) => address)], count: count + listed.length }
}

/** Items of ERC-721 that came in more than they went out. */
async function findItems(call: Call, safeAddress: Address, { limit, offset }: Window) {
  const { rows, count } = await findMoved(call, safeAddress, sql`${entry.tokenKind} = 'erc721'`, entry.tokenId, {
    limit: limit + 1,
    offset,
  })
  return {
    items: rows.flatMap(({ address, tokenId }) =>
      tokenId === null ? [] : [{ address, kind: 'erc721' as const, tokenId: BigInt(tokenId) }],
    ),
    count,
  }
}

async function findMoved(
  call: Call,
  safeAddress: Address,
  which: SQL,
  id: SQL | typeof entry.tokenId,
  { limit, offset }: Window,
): Promise<{ rows: { address: Address; tokenId: string | null }[]; count: number }> {
  const moved = sql`case ${entry.kind} when 'transfer-in' then 1 when 'transfer-out' then -1 end`
  const kept = sql`(${entry.tokenKind} = 'erc20' or sum(${moved}) > 0)`
  const where = and(eq(entry.chainId, call.chainId), eq(entry.safeAddress, safeAddress), which)
  const rows = await call.deps.db
    .select({
      address: entry.token,
      tokenId: sql<string | null>`${id}::text`,
      count: sql<number>`(count(*) over ())::int`,
    })
    .from(entry)
    .where(where)
    .groupBy(entry.token, entry.tokenKind, id)
    .having(kept)
    .orderBy(sql`min(array[${entry.blockNumber}, ${entry.logIndex}, ${entry.part}]::bigint[])`, entry.token)
    .limit(Math.max(1, limit))
    .offset(offset)
  const [first] = rows
  if (!first && offset > 0) {
    const { count } = await findMoved(call, safeAddress, which, id, { limit: 1, offset: 0 })
    return { rows: [], count }
  }
  return {
    rows: rows.slice(0, limit).flatMap(({ address, tokenId }) => (address ? [{ address, tokenId }] : [])),
    count: Math.min(first?.count ?? 0, MAX_COUNTED),
  }
}
