import type { PriceFault } from '@countersign/contract'
import type { RpcRequest } from '@countersign/safe'
import type { Chain } from '../rpc/clients.ts'
import { readBlock } from '../rpc/logs.ts'
import { gatherCalls } from '../rpc/multicall.ts'
import { type FeedFacts, type PriceFeed, readFeed, readFeedFacts } from './feeds.ts'
import { type PoolFacts, type PricePool, readPool, readPoolFacts } from './pools.ts'
import type { Fraction } from './tick-price.ts'

/** Contracts are not asked more often: people who look at a page do not make the node work. */
const ASKED_MS = 30_000
/** Until a node that does not know old state is asked for it again. */
const NO_PAST_MS = 600_000
const MAX_REMEMBERED = 20_000
const AT_ONCE = 50
const COIN_DECIMALS = 18

/** A contract of a chain that the operator names as a source of prices. */
export type PriceContract = ({ kind: 'feed' } & PriceFeed) | ({ kind: 'pool' } & PricePool)

/** Answer of a contract: a price in the currency, or a cost in another asset; and as of when, in milliseconds. */
export type Said = { at: number } & ({ price: string } | { cost: Fraction })

type Refused = { fault: PriceFault }
type Ask = (place: Place) => Promise<Said | Refused>
export type Answer = { contract: PriceContract; answer: Said | Refused }

/** An asset at the end of a block. */
export type Moment = { token: PriceContract['token']; blockNumber: number; time: Date }

/** A block, and its time in milliseconds. */
type Place = { number: number | 'latest'; time: number }
const LATEST: Place = { number: 'latest', time: 0 }

/** Contracts of a chain that say what its assets cost, feeds first. */
export function contractsOf({ settings: { priceFeeds = [], pricePools = [] } }: Chain): readonly PriceContract[] {
  return [
    ...priceFeeds.map((feed) => ({ kind: 'feed' as const, ...feed })),
    ...pricePools.map((pool) => ({ kind: 'pool' as const, ...pool })),
  ]
}

/** Address of a contract, which is its name. */
export function addressOf(contract: PriceContract) {
  return contract.kind === 'feed' ? contract.feed : contract.pool
}

/** Asset by whose price a pool's becomes one in the currency; null where none is needed. */
export function quotedIn(contract: PriceContract): PriceContract['token'] | null {
  if (contract.kind === 'feed' || contract.quoteIs === 'currency') return null
  return contract.quoteIs ?? contract.quote
}

/** Asks contracts of the chains: now when somebody looks, and at blocks of the past, which is remembered. */
export function createContracts(currency: string, clock: () => Date) {
  const facts = new Map<string, FeedFacts | PoolFacts>()
  const asked = new Map<string, { at: number; answer: Promise<Said | Refused> }>()
  const newest = createNewestPlace()
  const gathering = new Map<number, RpcRequest>()
  const remembered = new Map<string, Said | null>()
  const noPastUntil = new Map<number, number>()

  /** Contracts of one chain that are asked at once are asked in one request, where the chain has a contract for that. */
  function requestOf({ request, settings: { chainId, multicall } }: Chain): RpcRequest {
    const known = gathering.get(chainId)
    if (known) return known
    const gathered = gatherCalls(request, multicall, () => clock().getTime())
    gathering.set(chainId, gathered)
    return gathered
  }

  async function factsOf<Facts extends FeedFacts | PoolFacts>(key: string, read: () => Promise<Facts>): Promise<Facts> {
    const known = facts.get(key)
    if (known && !('fault' in known)) return known as Facts
    const found = await read()
    facts.set(key, found)
    return found
  }

  /** Finds how a contract is asked; a fault where it is not fit to be. */
  async function openContract(chain: Chain, contract: PriceContract): Promise<Ask | Refused> {
    const { chainId, nativeCurrency } = chain.settings
    const request = requestOf(chain)
    const key = `${chainId} ${keyOf(contract)}`
    if (contract.kind === 'feed') {
      const { feed } = contract
      const known = await factsOf(key, () => readFeedFacts(request, feed, currency))
      return 'fault' in known ? known : ({ number }) => readFeed(request, { feed, ...known }, number)
    }
    const coinDecimals = nativeCurrency?.decimals ?? COIN_DECIMALS
    const known = await factsOf(key, () => readPoolFacts(request, contract, coinDecimals))
    if ('fault' in known) return known
    return async ({ number, time }) => {
      if (number === 'latest') return { fault: 'unread' }
      const average = await readPool(request, { ...contract, ...known }, number)
      return 'fault' in average ? average : { ...average, at: time }
    }
  }

  async function askNow(chain: Chain, contract: PriceContract, at: number): Promise<Said | Refused> {
    const place = contract.kind === 'pool' ? newest(chain, at) : LATEST
    const ask = await openContract(chain, contract)
    return typeof ask === 'function' ? ask(await place) : ask
  }

  /** Asks contracts of a chain what they say now: all of them, or those that say what some assets cost. */
  function now(chain: Chain, tokens?: readonly PriceContract['token'][]): Promise<Answer[]> {
    const at = clock().getTime()
    const contracts = contractsOf(chain)
    const needed = tokens ? new Set(tokens.flatMap((token) => neededFor(token, contracts))) : contracts
    return Promise.all(
      [...needed].map(async (contract) => {
        const key = `${chain.settings.chainId} ${keyOf(contract)}`
        const last = asked.get(key)
        if (last && isNew(last, at)) return { contract, answer: await last.answer }
        const answer = askNow(chain, contract, at)
        asked.set(key, { at, answer })
        return { contract, answer: await answer }
      }),
    )
  }

  /** Asks what contracts said at blocks of assets, and of those in which they say it. Reads at most `reads` of them. */
  async function at(
    chain: Chain,
    moments: readonly Moment[],
    reads: number,
  ): Promise<(blockNumber: number) => Answer[]> {
    const { chainId } = chain.settings
    const contracts = contractsOf(chain)
    const found = new Map<string, Said>()
    const missing = new Map<string, { contract: PriceContract; place: Place }>()
    const placeKey = (contract: PriceContract, blockNumber: number) => `${chainId} ${keyOf(contract)} ${blockNumber}`
    const answersAt = (blockNumber: number) =>
      contracts.flatMap((contract) => {
        const answer = found.get(placeKey(contract, blockNumber))
        return answer ? [{ contract, answer }] : []
      })
    for (const { token, blockNumber, time } of moments)
      for (const contract of neededFor(token, contracts)) {
        const key = placeKey(contract, blockNumber)
        const known = remembered.get(key)
        if (known) found.set(key, known)
        else if (known === undefined && missing.size < reads)
          missing.set(key, { contract, place: { number: blockNumber, time: time.getTime() } })
      }
    if (clock().getTime() < (noPastUntil.get(chainId) ?? 0)) return answersAt
    const wanted = [...missing]
    for (let from = 0; from < wanted.length; from += AT_ONCE) {
      const answers = await Promise.all(
        wanted.slice(from, from + AT_ONCE).map(async ([key, { contract, place }]) => {
          const ask = await openContract(chain, contract)
          // A contract that is not used says nothing of what the node knows.
          if (typeof ask !== 'function') return null
          const answer = await ask(place)
          if ('fault' in answer && answer.fault === 'unread') return answer
          const said = 'fault' in answer ? null : answer
          if (remembered.size >= MAX_REMEMBERED) remembered.clear()
          remembered.set(key, said)
          if (said) found.set(key, said)
          return answer
        }),
      )
      const read = answers.filter((answer) => answer !== null)
      // A node without old state refuses each: it is left in peace for a while.
      if (read.length === 0 || !read.every((answer) => 'fault' in answer && answer.fault === 'unread')) continue
      noPastUntil.set(chainId, clock().getTime() + NO_PAST_MS)
      break
    }
    return answersAt
  }

  return { now, at }
}

/** Reads the block that pools of a chain are asked at, whose time is that of their averages. */
function createNewestPlace(): (chain: Chain, at: number) => Promise<Place> {
  const places = new Map<number, { at: number; place: Promise<Place> }>()
  return (chain, at) => {
    const { chainId } = chain.settings
    const known = places.get(chainId)
    if (known && isNew(known, at)) return known.place
    const place = readBlock(chain.request, 'latest').then(
      (block) => (block ? { number: block.number, time: block.timestamp * 1000 } : LATEST),
      () => LATEST,
    )
    places.set(chainId, { at, place })
    return place
  }
}

function isNew(asked: { at: number }, now: number): boolean {
  return now >= asked.at && now - asked.at < ASKED_MS
}

/** Contracts that say what an asset costs, and those that say what they say it in. */
function neededFor(token: PriceContract['token'], contracts: readonly PriceContract[]): PriceContract[] {
  const own = contracts.filter((contract) => contract.token === token)
  const quotes = new Set(own.map(quotedIn))
  const others = contracts.filter((contract) => quotes.has(contract.token) && quotedIn(contract) === null)
  return [...own, ...others]
}

function keyOf(contract: PriceContract): string {
  return contract.kind === 'feed'
    ? contract.feed
    : `${contract.pool} ${contract.token} ${contract.quote} ${contract.minutes}`
}
