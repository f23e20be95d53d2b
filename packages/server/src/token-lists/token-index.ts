import type { ListedToken, RefusalReason } from '@countersign/contract'
import { questionKeys, skeletonOf, type TokenQuestion, tokenKeys } from '@countersign/review'
import type { Address } from 'viem'
import { pause, type Refused, refuse, type TokenEntry } from './parse-token-list.ts'

/** One that has more tokens under one key than this was made to: the first ones are told. */
const MAX_OF_KEY = 20
const TOKENS_AT_ONCE = 200

/** A chain whose tokens lists may tell of, with what the operator says of them in the configuration itself. */
export type IndexedChain = {
  chainId: number
  /** Symbol of the chain's own coin. */
  coin: string
  own: readonly { address: Address; symbol: string; name: string; decimals: number }[]
}

/** `isTrusted`: the list of the release, which was looked through before. */
export type IndexedList = { name: string; isTrusted: boolean; tokens: readonly TokenEntry[] }

type OfChain = { byAddress: Map<Address, ListedToken>; byKey: Map<string, ListedToken[]> }

/** Tokens of an installation's lists, by chain. */
export type TokenIndex = ReadonlyMap<number, OfChain>

/**
 * Puts lists together. What comes first counts: the operator's own tokens, then the lists in their order. A later token whose
 * symbol or name looks like the symbol of an earlier one, or of the coin, is refused; so is one that gives a token other decimals.
 *
 * @returns the index, and for each list what of it is not used
 */
export async function buildTokenIndex(
  chains: readonly IndexedChain[],
  lists: readonly IndexedList[],
): Promise<{ index: TokenIndex; refused: Refused[][]; kept: Map<number, number>[] }> {
  const building = new Map(chains.map((chain) => [chain.chainId, startChain(chain)]))
  const refused: Refused[][] = []
  const kept: Map<number, number>[] = []
  for (const list of lists) {
    const refusals = new Map<RefusalReason, Refused>()
    const counts = new Map<number, number>()
    // Plain letters come first: the other one of two that look alike is the imitation.
    const tokens = [...list.tokens].sort((one, other) => Number(isPlain(other)) - Number(isPlain(one)))
    for (const [at, token] of tokens.entries()) {
      if (at % TOKENS_AT_ONCE === 0) await pause()
      const chain = building.get(token.chainId)
      if (!chain) continue
      const reason = addToken(chain, token, list)
      if (reason === null) counts.set(token.chainId, (counts.get(token.chainId) ?? 0) + 1)
      else refuse(refusals, reason, `${token.symbol} ${token.address}`)
    }
    refused.push([...refusals.values()])
    kept.push(counts)
  }
  return { index: building, refused, kept }
}

/** Answers with the listed tokens that share a key with the question. */
export function findInIndex(index: TokenIndex, chainId: number, question: TokenQuestion): ListedToken[] {
  const chain = index.get(chainId)
  if (!chain) return []
  const found = new Set(question.addresses.flatMap((address) => chain.byAddress.get(address) ?? []))
  for (const key of questionKeys(question))
    for (const token of (chain.byKey.get(key) ?? []).slice(0, MAX_OF_KEY)) found.add(token)
  return [...found].filter(({ lists }) => lists.length > 0)
}

type Building = OfChain & { own: ReadonlySet<Address>; holders: Map<string, { symbol: string; list: string | null }> }

function startChain({ own, coin }: IndexedChain): Building {
  const holders: Building['holders'] = new Map([[skeletonOf(coin), { symbol: coin, list: null }]])
  for (const { symbol } of own) holders.set(skeletonOf(symbol), { symbol, list: null })
  const byAddress = new Map(own.map((token) => [token.address, { ...token, lists: [], isReleased: false }]))
  return { byAddress, byKey: new Map(), own: new Set(byAddress.keys()), holders }
}

function addToken(chain: Building, token: TokenEntry, { name: list, isTrusted }: IndexedList): RefusalReason | null {
  const { chainId: _, ...facts } = token
  const known = chain.byAddress.get(token.address)
  if (known !== undefined) {
    if (known.decimals !== token.decimals) return 'differs'
    // The operator's own word needs no other.
    if (!chain.own.has(token.address) && !known.lists.includes(list)) known.lists.push(list)
    known.isReleased ||= isTrusted
    return null
  }
  const keys = tokenKeys(token)
  const skeleton = skeletonOf(token.symbol)
  if (
    !isTrusted &&
    (imitates(chain, skeleton, token.symbol, list) || imitates(chain, skeletonOf(token.name), null, list))
  )
    return 'imitates'
  const listed: ListedToken = { ...facts, lists: [list], isReleased: isTrusted }
  chain.byAddress.set(token.address, listed)
  if (!chain.holders.has(skeleton)) chain.holders.set(skeleton, { symbol: token.symbol, list })
  for (const key of keys) {
    const same = chain.byKey.get(key)
    if (same === undefined) chain.byKey.set(key, [listed])
    else same.push(listed)
  }
  return null
}

/** Whether a symbol that comes before looks the same. Within one list two tokens may have the very same symbol. */
function imitates({ holders }: Building, skeleton: string, symbol: string | null, list: string): boolean {
  const holder = holders.get(skeleton)
  if (holder === undefined || skeleton === '') return false
  return symbol === null ? holder.list !== list : holder.list !== list || holder.symbol !== symbol
}

function isPlain({ symbol }: TokenEntry): boolean {
  return /^[\x21-\x7e]+$/.test(symbol)
}
