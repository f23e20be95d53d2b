import type { Price, PriceFault, PriceSource } from '@countersign/contract'
import type { Logger } from 'pino'
import { getAddress, isAddress } from 'viem'
import { type Chain, type Chains, chainOf } from '../rpc/clients.ts'
import type { TokenLists } from '../token-lists/keep-token-lists.ts'
import { type Answer, addressOf, contractsOf, createContracts, type Moment } from './ask-contracts.ts'
import { agreed, claimBy, claimsAbout, claimsOfNamed, type Sayings, SKEW_MS } from './claims.ts'
import { fetchPrices } from './fetch-prices.ts'
import type { Prices as Read } from './parse-prices.ts'
import { nameOfSource, type PriceSettings, type PriceSourceSettings } from './settings.ts'

const LOOK_MS = 5_000
const MINUTE_MS = 60_000

type Asset = Price['token']
/** Prices, as sources that the operator names say them. */
export type KeptPrices = {
  /** Null where the operator names no source. */
  currency: string | null
  /** Prices of assets of a chain now, in their order; those of which nobody says anything are left out. */
  find: (chainId: number, tokens: readonly Price['token'][]) => Promise<Price[]>
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
    const nothing = { currency: null, find: async () => [], describe: async () => [], urls: [], stop: () => {} }
    return { ...nothing, past: async (_, moments) => moments.map(() => null) }
  }
  const { currency, maxAgeMilliseconds: maxAge, sources } = settings
  const held = sources.map(
    (source): Held => ({
      settings: source,
      fault: null,
      askedAt: Number.NEGATIVE_INFINITY,
      prices: source.kind === 'file' ? source.prices : null,
    }),
  )
  const contracts = createContracts(currency, clock)

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

  const sayingsOf = (chainId: number, answers: readonly Answer[], time: number): Sayings => ({
    answers,
    time,
    maxAge,
    named: (token) => claimsOfNamed(held, { chainId, token, time, maxAge }),
  })

  async function find(chainId: number, tokens: readonly Asset[]): Promise<Price[]> {
    const chain = chainOf(chains, chainId)
    const withContract = new Set(contractsOf(chain).map(({ token }) => token))
    const known = [...new Set(tokens)].filter(
      (token) => withContract.has(token) || listedAsset(tokenLists, chainId, token) !== null,
    )
    const answers = await contracts.now(chain, known)
    const sayings = sayingsOf(chainId, answers, clock().getTime() + SKEW_MS)
    return known.flatMap((token) => priceOf(token, sayings) ?? [])
  }

  async function past(chain: Chain, moments: readonly Moment[], reads = Number.POSITIVE_INFINITY) {
    const { chainId } = chain.settings
    const answersAt = await contracts.at(chain, moments, reads)
    const withContract = new Set(contractsOf(chain).map(({ token }) => token))
    return moments.map(({ token, blockNumber, time }) => {
      const isListed = withContract.has(token) || listedAsset(tokenLists, chainId, token) !== null
      return isListed ? priceOf(token, sayingsOf(chainId, answersAt(blockNumber), time.getTime())) : null
    })
  }

  async function describe(): Promise<PriceSource[]> {
    const now = clock().getTime()
    const ofChains = await Promise.all(
      [...chains.values()].map(async (chain) => {
        const { chainId } = chain.settings
        const answers = await contracts.now(chain)
        const sayings = sayingsOf(chainId, answers, now + SKEW_MS)
        return answers.map(({ contract, answer }): PriceSource => {
          const claim = claimBy({ contract, answer }, sayings)
          const at = 'fault' in claim ? ('at' in answer ? answer.at : null) : claim.at
          return {
            kind: contract.kind,
            name: addressOf(contract),
            chainId,
            token: contract.token,
            minutes: contract.kind === 'pool' ? contract.minutes : null,
            prices: at === null ? 0 : 1,
            refused: 0,
            newestAt: at === null ? null : new Date(at).toISOString(),
            fault: 'fault' in claim ? claim.fault : null,
          }
        })
      }),
    )
    const named = held.map(({ settings: source, prices, fault }): PriceSource => {
      const newest = prices && prices.count > 0 ? prices.newestAt : null
      const isOld = newest !== null && now - newest > maxAge
      return {
        kind: source.kind,
        name: nameOfSource(source),
        chainId: null,
        token: null,
        minutes: null,
        prices: prices?.count ?? 0,
        refused: prices?.refused ?? 0,
        fault: fault ?? (isOld ? 'stale' : null),
        newestAt: newest === null ? null : new Date(newest).toISOString(),
      }
    })
    return [...ofChains.flat(), ...named]
  }

  void look()
  const timer = setInterval(() => void look(), milliseconds)
  return {
    currency,
    find,
    past,
    describe,
    urls: sources.flatMap((source) => (source.kind === 'url' ? [source.url] : [])),
    // A source that is silent is not waited for: what it would say is kept nowhere.
    stop: () => clearInterval(timer),
  }
}

/** The coin, or a token that the operator or a list names: a source alone makes nothing worth anything. */
function listedAsset(tokenLists: TokenLists, chainId: number, token: string): Asset | null {
  if (token === 'native') return token
  if (!isAddress(token, { strict: false })) return null
  return tokenLists.at(chainId, getAddress(token))?.address ?? null
}

function priceOf(token: Asset, sayings: Sayings): Price | null {
  const claim = agreed(claimsAbout(token, sayings))
  return claim && { token, price: claim.price, at: new Date(claim.at).toISOString(), source: claim.source }
}
