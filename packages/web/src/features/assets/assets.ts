import { type Chain, listTokens } from '@countersign/contract'
import { imitatedToken } from '@countersign/review'
import { type CollectionReading, readItems, readTokens, type TokenItem, type TokenReading } from '@countersign/safe'
import { infiniteQueryOptions, queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type Address, isAddress, zeroAddress } from 'viem'
import { chainRequest } from '../../api/chain-client.ts'
import { api } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { joinTokens } from '../../safe/worth/join-tokens.ts'
import { findTokens, movedListedTokensQuery, type NamedToken } from '../../safe/worth/listed-tokens.ts'

/** Live events tell of transfers; a token can change balances without a word. */
const REFETCH_MS = 30_000

type Listed = Chain['tokens']

/**
 * Tokens whose balances are shown by name: those of the configuration, and those of lists that the Safe ever moved. `query`: of
 * the latter, which the others do not wait for.
 */
export function useShownTokens(chain: Chain | undefined, safeAddress: Address) {
  const query = useQuery(movedListedTokensQuery(chain ?? { chainId: 0, listRevision: null }, safeAddress))
  const found = query.data
  const tokens = useMemo((): NamedToken[] => joinTokens(chain?.tokens ?? [], found ?? []), [chain, found])
  return { tokens, query }
}

/** Leaves out tokens of lists of which the Safe has nothing; those of the configuration are always shown. */
export function shownTokens(tokens: readonly NamedToken[], readings: ReadonlyMap<string, TokenReading>): NamedToken[] {
  return tokens.filter(
    ({ address, lists }) => lists === undefined || readings.get(address.toLowerCase())?.balance !== 0n,
  )
}

/** Reads the Safe's balances of tokens that are shown by name. */
export function listedTokensQuery(chainId: number, safeAddress: Address, listed: Listed) {
  const addresses = listed.map(({ address }) => address).filter((address): address is Address => isAddress(address))
  return queryOptions({
    // Below the key of the state: what outdates one outdates the other.
    queryKey: [...queryKeys.safeState(chainId, safeAddress), 'listed-tokens', addresses],
    queryFn: () => readTokens(chainRequest(chainId), safeAddress, addresses),
    enabled: addresses.length > 0,
    refetchInterval: REFETCH_MS,
  })
}

type MovedTokens = { tokens: TokenReading[]; collections: CollectionReading[]; nextCursor: string | null }

/** Everything else that ever came: which, the server knows; what is there of it, the chain says. */
export function movedTokensQuery(chain: Pick<Chain, 'chainId' | 'tokens' | 'listRevision'>, safeAddress: Address) {
  const { chainId, tokens: own, listRevision } = chain
  const owned = own.map(({ address }) => address)
  return infiniteQueryOptions({
    queryKey: [...queryKeys.safeState(chainId, safeAddress), 'moved-tokens', owned, listRevision],
    queryFn: async ({ pageParam, signal }): Promise<MovedTokens> => {
      const place = { chainId, safeAddress, ...(pageParam ? { cursor: pageParam } : {}) }
      const { tokens, nextCursor } = await api(listTokens, place, signal)
      const listed = { chainId, listRevision }
      const addresses = tokens.flatMap(({ address, kind }) => (kind === 'erc20' ? [address] : []))
      const found = await findTokens(listed, { addresses, names: [] })
      const isKnown = new Set([...owned, ...found.map(({ address }) => address)].map((one) => one.toLowerCase()))
      const unlisted = addresses.filter((address) => !isKnown.has(address.toLowerCase()))
      const items = tokens.flatMap(({ address, kind, tokenId }): TokenItem[] =>
        kind === 'erc20' || tokenId === null ? [] : [{ address, kind, tokenId }],
      )
      const request = chainRequest(chainId)
      const [readings, collections] = await Promise.all([
        readTokens(request, safeAddress, unlisted),
        readItems(request, safeAddress, items),
      ])
      // Which listed tokens they imitate can be asked once they have said how they call themselves.
      const names = readings.flatMap(({ name, symbol }) => [symbol, name]).filter((name) => name !== null)
      await findTokens(listed, { addresses: [], names })
      return { tokens: readings, collections, nextCursor }
    },
    initialPageParam: undefined as string | undefined,
    // Asked again when a transfer is told: what the server goes through for it may be long.
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })
}

/** Pages in one: a collection whose items came at different times stands once. */
export function joinPages(pages: readonly MovedTokens[]): Omit<MovedTokens, 'nextCursor'> {
  const collections = new Map<Address, CollectionReading>()
  for (const collection of pages.flatMap((page) => page.collections)) {
    const known = collections.get(collection.address)
    collections.set(collection.address, {
      ...collection,
      items: [...(known?.items ?? []), ...collection.items],
    })
  }
  return { tokens: pages.flatMap((page) => page.tokens), collections: [...collections.values()] }
}

/** Leaves out zero balances, and keeps those that could not be read. */
export function isHeldOrUnread({ balance }: { balance: TokenReading['balance'] }): boolean {
  return balance !== 0n
}

type Listing = Pick<Chain, 'tokens' | 'nativeCurrency'>
type Real = Parameters<typeof imitatedToken>[0]

/** Tokens that can be imitated, kept by the chain that lists them: what they look like is worked out once for each list. */
const realByChain = new WeakMap<Listing, Real>()

function realTokens(chain: Listing): Real {
  const known = realByChain.get(chain)
  if (known) return known
  const listed = chain.tokens.flatMap((token) =>
    isAddress(token.address) ? [{ ...token, address: token.address }] : [],
  )
  const real = [...listed, { address: zeroAddress, ...chain.nativeCurrency }]
  realByChain.set(chain, real)
  return real
}

/** Listed symbols, and the chain's own, that an unlisted token's name or symbol looks like. */
export function imitatedSymbol({ name, symbol }: Pick<TokenReading, 'name' | 'symbol'>, chain: Listing): string | null {
  for (const claimed of [symbol, name]) {
    const found = claimed === null ? undefined : imitatedToken(realTokens(chain), claimed)
    if (found) return found.symbol
  }
  return null
}
