import { type Chain, listTokens } from '@countersign/contract'
import {
  type CollectionReading,
  imitatedToken,
  readItems,
  readTokens,
  type TokenItem,
  type TokenReading,
} from '@countersign/safe-core'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { type Address, isAddress, zeroAddress } from 'viem'
import { chainRequest } from '../../api/chain-client.ts'
import { api } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'

/** Live events tell of transfers; a token can change balances without a word. */
const REFETCH_MS = 30_000

type Listed = Chain['tokens']

/** Reads the Safe's balances of the tokens that the operator lists. */
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
export function movedTokensQuery(chainId: number, safeAddress: Address, listed: Listed) {
  return infiniteQueryOptions({
    queryKey: [...queryKeys.safeState(chainId, safeAddress), 'moved-tokens', listed.map(({ address }) => address)],
    queryFn: async ({ pageParam, signal }): Promise<MovedTokens> => {
      const place = { chainId, safeAddress, ...(pageParam ? { cursor: pageParam } : {}) }
      const { tokens, nextCursor } = await api(listTokens, place, signal)
      const isKnown = new Set(listed.map(({ address }) => address.toLowerCase()))
      const unlisted = tokens.filter(({ address, kind }) => kind === 'erc20' && !isKnown.has(address.toLowerCase()))
      const items = tokens.flatMap(({ address, kind, tokenId }): TokenItem[] =>
        kind === 'erc20' || tokenId === null ? [] : [{ address, kind, tokenId }],
      )
      const request = chainRequest(chainId)
      const [readings, collections] = await Promise.all([
        readTokens(
          request,
          safeAddress,
          unlisted.map(({ address }) => address),
        ),
        readItems(request, safeAddress, items),
      ])
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

/** Listed symbols, and the chain's own, that an unlisted token's name or symbol looks like. */
export function imitatedSymbol(
  { name, symbol }: Pick<TokenReading, 'name' | 'symbol'>,
  chain: Pick<Chain, 'tokens' | 'nativeCurrency'>,
): string | null {
  const own = { address: zeroAddress, ...chain.nativeCurrency }
  const real = [
    ...chain.tokens.flatMap((token) => (isAddress(token.address) ? [{ ...token, address: token.address }] : [])),
    own,
  ]
  for (const claimed of [symbol, name]) {
    const found = claimed === null ? undefined : imitatedToken(real, claimed)
    if (found) return found.symbol
  }
  return null
}
