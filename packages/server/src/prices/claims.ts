import type { Price, PriceFault } from '@countersign/contract'
import { parsePrice } from '@countersign/safe'
import { formatUnits } from 'viem'
import { type Answer, addressOf, quotedIn } from './ask-contracts.ts'
import { assetKey, type Point, type Prices, pointAt } from './parse-prices.ts'
import { nameOfSource, type PriceSourceSettings } from './settings.ts'

/** Two sources that are further apart contradict each other. */
const MAX_APART_PERCENT = 10n
const PRICE_DECIMALS = 18

/** Clocks of sources, and of chains, may go before ours by so much. */
export const SKEW_MS = 120_000

/** Word of one source on what an asset costs. */
export type Claim = Point & { source: Price['source'] }

/** All that sources say of one chain at one time. */
export type Sayings = {
  answers: readonly Answer[]
  /** Claims of URLs and files about an asset. */
  named: (token: Price['token']) => readonly Claim[]
  time: number
  /** In milliseconds. */
  maxAge: number
}

/** Claims about an asset: of contracts first. */
export function claimsAbout(token: Price['token'], sayings: Sayings): Claim[] {
  return [...claimsOfContracts(token, sayings, () => true), ...sayings.named(token)]
}

/** Claims of URLs and files about an asset of a chain. */
export function claimsOfNamed(
  sources: readonly { settings: PriceSourceSettings; prices: Prices | null }[],
  { chainId, token, time, maxAge }: { chainId: number; token: Price['token'] } & Pick<Sayings, 'time' | 'maxAge'>,
): Claim[] {
  return sources.flatMap(({ settings, prices }) => {
    const point = pointAt(prices?.points.get(assetKey(chainId, token)), time, maxAge)
    return point ? [{ ...point, source: { kind: settings.kind, name: nameOfSource(settings) } }] : []
  })
}

function claimsOfContracts(token: Price['token'], sayings: Sayings, isUsed: (answer: Answer) => boolean): Claim[] {
  return sayings.answers.flatMap((answer) => {
    if (answer.contract.token !== token || !isUsed(answer)) return []
    const claim = claimBy(answer, sayings)
    return 'fault' in claim ? [] : [claim]
  })
}

/** Makes a claim in the currency of what a contract says; a fault where that is no price. */
export function claimBy({ contract, answer }: Answer, sayings: Sayings): Claim | { fault: PriceFault } {
  if ('fault' in answer) return answer
  const source = { kind: contract.kind, name: addressOf(contract) }
  if ('price' in answer) return isFresh(answer.at, sayings) ? { ...answer, source } : { fault: 'stale' }
  const asset = quotedIn(contract)
  const quote = asset === null ? { price: '1', at: answer.at } : quoteOf(asset, sayings)
  if (quote === null) return { fault: 'no-quote' }
  // A price is as old as the older of the two that it is made of.
  const at = Math.min(answer.at, quote.at)
  if (!isFresh(at, sayings)) return { fault: 'stale' }
  const { numerator, denominator } = answer.cost
  const price = formatUnits((numerator * (parsePrice(quote.price) ?? 0n)) / denominator, PRICE_DECIMALS)
  return parsePrice(price) === null ? { fault: 'absurd' } : { price, at, source }
}

/** Price of what pools are quoted in: by sources that need no other price themselves, so that no pool rests on itself. */
function quoteOf(asset: Price['token'], sayings: Sayings): Claim | null {
  const ofContracts = claimsOfContracts(asset, sayings, ({ contract }) => quotedIn(contract) === null)
  return agreed([...ofContracts, ...sayings.named(asset)])
}

function isFresh(at: number, { time, maxAge }: Sayings): boolean {
  return at <= time && time - at <= maxAge
}

/** The first of several claims, unless another one is far from it: then nobody knows. */
export function agreed(claims: readonly Claim[]): Claim | null {
  const [first] = claims
  if (!first) return null
  const values = claims.map(({ price }) => parsePrice(price) ?? 0n).sort((one, other) => (one < other ? -1 : 1))
  const [least = 0n] = values
  const most = values.at(-1) ?? least
  return least <= 0n || (most - least) * 100n > least * MAX_APART_PERCENT ? null : first
}
