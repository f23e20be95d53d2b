import type { Price, PriceFault, PriceSource } from '@countersign/contract'
import { parsePrice } from '@countersign/safe-core'
import type { Logger } from 'pino'
import { type Address, getAddress, isAddress } from 'viem'
import { type Chain, type Chains, chainOf } from '../rpc/clients.ts'
import type { TokenLists } from '../token-lists/keep-token-lists.ts'
import { type FeedFacts, type PriceFeed, readFeed, readFeedFacts } from './feeds.ts'
import { fetchPrices } from './fetch-prices.ts'
import { assetKey, type Point, pointAt, type Prices as Read } from './parse-prices.ts'
import { nameOfSource, type PriceSettings, type PriceSourceSettings } from './settings.ts'

const LOOK_MS = 5_000
const MINUTE_MS = 60_000
/** Feeds are not asked more often: people who look at a page do not make the node work. */
const FEEDS_MS = 30_000
/** Until a node that does not know old state is asked for it again. */
const NO_PAST_MS = 10 * MINUTE_MS
/** Clocks of sources, and of chains, may go before ours by so much. */
const SKEW_MS = 2 * MINUTE_MS
/** Two sources that are further apart contradict each other. */
const MAX_APART_PERCENT = 10n
const MAX_PRICES = 1_000
const MAX_REMEMBERED = 20_000
const AT_ONCE = 50

type Asset = Price['token']
type Claim = Point & { source: Price['source'] }
/** An asset at the end of a block. */
export type Moment = { token: Asset; blockNumber: number; time: Date }

/** Prices, as sources that the operator names say them. */
export type KeptPrices = {
  /** Null where the operator names no source. */
  currency: string | null
  /** Prices of a chain's coin and listed tokens now. */
  list: (chainId: number) => Promise<Price[]>
  /** Prices at moments, in their order; null where none is known. Reads at most `reads` answers of contracts. */
  past: (chain: Chain, moments: readonly Moment[], reads?: number) => Promise<(Price | null)[]>
  describe: () => Promise<PriceSource[]>
  urls: readonly URL[]
}

type Held = { settings: PriceSourceSettings; prices: Read | null; fault: PriceFault | null; askedAt: number }

/**
 * Keeps prices: those of files are read at the start, those of URLs asked for every so many minutes, those of contracts when
 * somebody looks. What is old, not above zero or contradicted is no price.
 */
export function keepPrices(
  {
    settings,
    chains,
    tokenLists,
    clock,
    log,
  }: { settings: PriceSettings | null; chains: Chains; tokenLists: TokenLists; clock: () => Date; log: Logger },
  milliseconds = LOOK_MS,
): KeptPrices & { stop: () => void } {
  if (settings === null) {
    const nothing = { currency: null, list: async () => [], describe: async () => [], urls: [], stop: () => {} }
    return { ...nothing, past: async (_, moments) => moments.map(() => null) }
  }
  const { currency, maxAgeMilliseconds: maxAge, sources } = settings
  const held = sources.map(
    (source): Held => ({
      ...{ settings: source, fault: null, askedAt: Number.NEGATIVE_INFINITY },
      prices: source.kind === 'file' ? source.prices : null,
    }),
  )
  const feeds = createFeeds(currency, clock)

  async function look(): Promise<void> {
    await Promise.all(
      held.map(async (of) => {
        if (of.settings.kind !== 'url') return
        const now = clock().getTime()
        // After a failure sooner than usual: prices of a host that is back are not awaited for an hour.
        const wait = of.fault === null ? of.settings.everyMinutes * MINUTE_MS : MINUTE_MS
        if (now - of.askedAt < Math.min(wait, of.settings.everyMinutes * MINUTE_MS)) return
        of.askedAt = now
        // One that is silent is given up before it is asked again.
        const read = await fetchPrices(of.settings.url, currency)
        of.fault = 'fault' in read ? read.fault : null
        if (!('fault' in read)) of.prices = read
        else log.warn({ host: of.settings.url.host, fault: read.fault }, 'prices could not be fetched')
      }),
    )
  }

  function claimsOf(chainId: number, token: Asset, time: number): Claim[] {
    return held.flatMap(({ settings: source, prices }) => {
      const point = pointAt(prices?.points.get(assetKey(chainId, token)), time, maxAge)
      return point ? [{ ...point, source: { kind: source.kind, name: nameOfSource(source) } }] : []
    })
  }

  const isFresh = (point: Point, time: number) => point.at <= time && time - point.at <= maxAge
  const claimOf = (feed: Address, point: Point): Claim => ({ ...point, source: { kind: 'feed', name: feed } })

  async function list(chainId: number): Promise<Price[]> {
    const chain = chainOf(chains, chainId)
    const answers = await feeds.now(chain)
    const until = clock().getTime() + SKEW_MS
    const fed = feedsOf(chain).map(({ token }) => token)
    // A source can name millions of tokens of which nobody heard: those that are listed are looked up in it.
    const listed = tokenLists.all(chainId).map(({ address }) => address)
    const prices = [...new Set<Asset>(['native', ...fed, ...listed])].flatMap((token) => {
      const ofFeeds = answers.flatMap(({ feed, answer }) =>
        feed.token === token && !('fault' in answer) && isFresh(answer, until) ? [claimOf(feed.feed, answer)] : [],
      )
      const price = agreed(token, [...ofFeeds, ...claimsOf(chainId, token, until)])
      return price ? [price] : []
    })
    return prices.slice(0, MAX_PRICES)
  }

  async function past(chain: Chain, moments: readonly Moment[], reads = Number.POSITIVE_INFINITY) {
    const { chainId } = chain.settings
    const answers = await feeds.at(chain, moments, reads)
    return moments.map(({ token, blockNumber, time }) => {
      const until = time.getTime()
      const ofFeeds = feedsOf(chain).flatMap(({ feed, token: of }) => {
        const point = of === token ? answers.get(`${feed} ${blockNumber}`) : undefined
        return point && isFresh(point, until) ? [claimOf(feed, point)] : []
      })
      const isListed = ofFeeds.length > 0 || listedAsset(tokenLists, chainId, token) !== null
      return isListed ? agreed(token, [...ofFeeds, ...claimsOf(chainId, token, until)]) : null
    })
  }

  async function describe(): Promise<PriceSource[]> {
    const now = clock().getTime()
    const ofChains = await Promise.all(
      [...chains.values()].map(async (chain) =>
        (await feeds.now(chain)).map(({ feed, answer }): PriceSource => {
          const point = 'fault' in answer ? null : answer
          const fault = 'fault' in answer ? answer.fault : isFresh(answer, now + SKEW_MS) ? null : 'stale'
          return {
            ...{ kind: 'feed', name: feed.feed, chainId: chain.settings.chainId, token: feed.token },
            ...{ prices: point ? 1 : 0, refused: 0, newestAt: point && new Date(point.at).toISOString(), fault },
          }
        }),
      ),
    )
    const named = held.map(({ settings: source, prices, fault }): PriceSource => {
      const newest = prices && prices.count > 0 ? prices.newestAt : null
      const isOld = newest !== null && now - newest > maxAge
      return {
        ...{ kind: source.kind, name: nameOfSource(source), chainId: null, token: null },
        ...{ prices: prices?.count ?? 0, refused: prices?.refused ?? 0, fault: fault ?? (isOld ? 'stale' : null) },
        newestAt: newest === null ? null : new Date(newest).toISOString(),
      }
    })
    return [...ofChains.flat(), ...named]
  }

  void look()
  const timer = setInterval(() => void look(), milliseconds)
  return {
    ...{ currency, list, past, describe },
    urls: sources.flatMap((source) => (source.kind === 'url' ? [source.url] : [])),
    // A source that is silent is not waited for: what it would say is kept nowhere.
    stop: () => clearInterval(timer),
  }
}

/** Contracts of the chains, asked when somebody looks, and what they said at blocks. */
function createFeeds(currency: string, clock: () => Date) {
  const facts = new Map<string, FeedFacts>()
  type Answers = { feed: PriceFeed; answer: Point | { fault: PriceFault } }[]
  const asked = new Map<number, { at: number; answers: Promise<Answers> }>()
  const remembered = new Map<string, Point | null>()
  const noPastUntil = new Map<number, number>()

  async function factsOf(chain: Chain, feed: Address): Promise<FeedFacts> {
    const key = `${chain.settings.chainId} ${feed}`
    const known = facts.get(key)
    if (known && !('fault' in known)) return known
    const read = await readFeedFacts(chain.request, feed, currency)
    facts.set(key, read)
    return read
  }

  function now(chain: Chain): Promise<Answers> {
    const { chainId } = chain.settings
    const at = clock().getTime()
    const last = asked.get(chainId)
    if (last && at - last.at < FEEDS_MS && at >= last.at) return last.answers
    const answers = Promise.all(
      feedsOf(chain).map(async (feed) => {
        const known = await factsOf(chain, feed.feed)
        const answer = 'fault' in known ? known : await readFeed(chain.request, { feed: feed.feed, ...known })
        return { feed, answer }
      }),
    )
    asked.set(chainId, { at, answers })
    return answers
  }

  /** Answers by feed and block. */
  async function at(chain: Chain, moments: readonly Moment[], reads: number): Promise<Map<string, Point>> {
    const { chainId } = chain.settings
    const found = new Map<string, Point>()
    const missing = new Map<string, { feed: Address; blockNumber: number }>()
    for (const { token, blockNumber } of moments)
      for (const { feed } of feedsOf(chain).filter((one) => one.token === token)) {
        const key = `${feed} ${blockNumber}`
        const known = remembered.get(`${chainId} ${key}`)
        if (known) found.set(key, known)
        else if (known === undefined && missing.size < reads) missing.set(key, { feed, blockNumber })
      }
    if (clock().getTime() < (noPastUntil.get(chainId) ?? 0)) return found
    const wanted = [...missing]
    for (let from = 0; from < wanted.length; from += AT_ONCE) {
      const answers = await Promise.all(
        wanted.slice(from, from + AT_ONCE).map(async ([key, { feed, blockNumber }]) => {
          const known = await factsOf(chain, feed)
          // A feed that is not used says nothing of what the node knows.
          if ('fault' in known) return null
          const answer = await readFeed(chain.request, { feed, ...known }, blockNumber)
          if ('fault' in answer && answer.fault === 'unread') return answer
          const point = 'fault' in answer ? null : answer
          if (remembered.size >= MAX_REMEMBERED) remembered.clear()
          remembered.set(`${chainId} ${key}`, point)
          if (point) found.set(key, point)
          return answer
        }),
      )
      const read = answers.filter((answer) => answer !== null)
      // A node without old state refuses each: it is left in peace for a while.
      if (read.length === 0 || !read.every((answer) => 'fault' in answer && answer.fault === 'unread')) continue
      noPastUntil.set(chainId, clock().getTime() + NO_PAST_MS)
      break
    }
    return found
  }

  return { now, at }
}

function feedsOf({ settings }: Chain): readonly PriceFeed[] {
  return settings.priceFeeds ?? []
}

/** The coin, or a token that the operator or a list names: a source alone makes nothing worth anything. */
function listedAsset(tokenLists: TokenLists, chainId: number, token: string): Asset | null {
  if (token === 'native') return token
  if (!isAddress(token, { strict: false })) return null
  return tokenLists.at(chainId, getAddress(token))?.address ?? null
}

/** The first of several claims, unless another one is far from it: then nobody knows. */
function agreed(token: Asset, claims: readonly Claim[]): Price | null {
  const [first] = claims
  if (!first) return null
  const values = claims.map(({ price }) => parsePrice(price) ?? 0n).sort((one, other) => (one < other ? -1 : 1))
  const [least = 0n] = values
  const most = values.at(-1) ?? least
  if (least <= 0n || (most - least) * 100n > least * MAX_APART_PERCENT) return null
  return { token, price: first.price, at: new Date(first.at).toISOString(), source: first.source }
}
