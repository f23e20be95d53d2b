import type { PriceFault } from '@countersign/contract'
import type { Environment } from '../config/environment.ts'
import { addressOf, createContracts, type PriceContract } from '../prices/ask-contracts.ts'
import { agreed, claimBy, claimsAbout, claimsOfNamed, type Sayings, SKEW_MS } from '../prices/claims.ts'
import { fetchPrices } from '../prices/fetch-prices.ts'
import type { Prices } from '../prices/parse-prices.ts'
import { nameOfSource, type PriceSettings } from '../prices/settings.ts'
import { type Chain, createChains } from '../rpc/clients.ts'
import { counted, durationOf, type Finding, good, notice } from './finding.ts'

const FORM = 'Have it answer in the form that the README shows under Values.'

/** Why nothing of a source is used, and what to do. */
const reasons: Record<PriceFault, { says: string; remedy: string }> = {
  unreachable: { says: 'does not answer', remedy: 'Start its host, or correct its URL in `prices`.' },
  status: { says: 'answers with an error or a redirect', remedy: 'Name the URL itself in `prices`, with its key.' },
  'too-large': { says: 'answers with more than 4 MB', remedy: 'Have it answer with fewer prices.' },
  'not-json': { says: 'answers with something else than JSON', remedy: FORM },
  'no-prices': { says: 'has no list `prices`', remedy: FORM },
  'too-many': { says: 'has more than 20,000 prices', remedy: 'Have it answer with fewer prices.' },
  currency: { says: 'is in another currency', remedy: 'Name another source, or correct `currency` in `prices`.' },
  unread: {
    says: 'was not read',
    remedy: 'Correct its address in `priceFeeds` or `pricePools`; where it is right, look at the node of the chain.',
  },
  absurd: { says: 'says what is no price', remedy: 'Name another source: this one is broken, or of another kind.' },
  stale: {
    says: 'has no price that is new enough',
    remedy: 'Wait until it has, name another source, or raise `maxAgeHours` in `prices`.',
  },
  pair: { says: 'holds other tokens than are named', remedy: 'Correct `token`, `quote` or `pool` in `pricePools`.' },
  'too-young': {
    says: 'keeps too few observations for its minutes',
    remedy: 'Send it increaseObservationCardinalityNext, or name fewer `minutes`; 10 is the least.',
  },
  empty: { says: 'was without liquidity for a part of its minutes', remedy: 'Name a pool with more liquidity.' },
  moved: {
    says: 'jumped for a part of its minutes',
    remedy: 'Look again once they are over; if it happens often, name a pool with more liquidity.',
  },
  'no-quote': {
    says: 'says its price in a token that has none',
    remedy: 'Name a source for that token, or `quoteIs` in `pricePools`.',
  },
}

/** Looks at each source of prices that the configuration names: whether it is reached, how old its word is, and who contradicts. */
export async function lookAtPrices({ prices, chains }: Pick<Environment, 'prices' | 'chains'>, now: Date) {
  if (prices === null) return []
  const named = await Promise.all(
    prices.sources.map(async (settings) => {
      const read = settings.kind === 'file' ? settings.prices : await fetchPrices(settings.url, prices.currency)
      return { settings, read, prices: 'fault' in read ? null : read }
    }),
  )
  const contracts = createContracts(prices.currency, () => now)
  const ofChains = await Promise.all(
    [...createChains(chains).values()].map(async (chain): Promise<Finding[]> => {
      const { chainId } = chain.settings
      const time = now.getTime() + SKEW_MS
      const sayings: Sayings = {
        answers: await contracts.now(chain),
        time,
        maxAge: prices.maxAgeMilliseconds,
        named: (token) => claimsOfNamed(named, { chainId, token, time, maxAge: prices.maxAgeMilliseconds }),
      }
      const ofThem = [...ofContracts(chain, sayings, prices.currency, now), ...contradicted(chain, sayings)]
      return sayings.answers.length > 1 ? [...ofThem, ...(await lookAtMulticall(chain))] : ofThem
    }),
  )
  const findings = [
    ...named.map(({ settings, read }) => ofNamed(nameOfSource(settings), read, prices, now)),
    ...ofChains.flat(),
  ]
  return findings.length > 0
    ? findings
    : [notice('Prices', 'no source is named, so no value is shown', 'Name `sources`, `priceFeeds` or `pricePools`.')]
}

function ofNamed(name: string, read: Prices | { fault: PriceFault }, settings: PriceSettings, now: Date): Finding {
  const about = `Prices of ${name}`
  if ('fault' in read) return refused(about, read.fault)
  const none = read.refused > 0 ? `; ${counted(read.refused, 'line')} not used` : ''
  if (read.count === 0) return notice(about, `has no price${none}`, FORM)
  const age = now.getTime() - read.newestAt
  const says = `${counted(read.count, 'price')}, the newest ${ageText(age)}${none}`
  if (age > settings.maxAgeMilliseconds) return notice(about, says, reasons.stale.remedy)
  return read.refused > 0 ? notice(about, says, FORM) : good(about, says)
}

function ofContracts(chain: Chain, sayings: Sayings, currency: string, now: Date): Finding[] {
  return sayings.answers.map((answer) => {
    const { contract } = answer
    const kind = contract.kind === 'pool' ? `pool of ${contract.minutes} minutes` : 'feed'
    const about = `Price of ${assetName(chain, contract.token)}, ${kind} ${addressOf(contract)}`
    const claim = claimBy(answer, sayings)
    if ('fault' in claim) return refused(about, claim.fault)
    return good(about, `${claim.price} ${currency}, ${ageText(now.getTime() - claim.at)}`)
  })
}

/** Assets of which several sources say what cannot be true together: none of them is shown. */
function contradicted(chain: Chain, sayings: Sayings): Finding[] {
  const tokens = new Set(sayings.answers.map(({ contract }) => contract.token))
  return [...tokens].flatMap((token) => {
    const claims = claimsAbout(token, sayings)
    if (claims.length === 0 || agreed(claims)) return []
    const says = `sources contradict each other: ${claims.map(({ price, source }) => `${price} by ${source.name}`).join(', ')}`
    return [notice(`Price of ${assetName(chain, token)}`, says, 'Take out the source that is wrong.')]
  })
}

/** Whether the contract is there by which several are asked at once. */
async function lookAtMulticall({ request, settings: { name, multicall } }: Chain): Promise<Finding[]> {
  if (!multicall) return []
  const code = await request({ method: 'eth_getCode', params: [multicall, 'latest'] }).catch(() => null)
  if (code !== '0x') return []
  const says = `are asked one by one: no contract is at ${multicall}, by which all would be asked at once`
  return [notice(`Prices on ${name}`, says, 'Correct `multicall` of this chain, or set it to null.')]
}

function refused(about: string, fault: PriceFault): Finding {
  const { says, remedy } = reasons[fault]
  return notice(about, says, remedy)
}

function assetName({ settings }: Chain, token: PriceContract['token']): string {
  const symbol =
    token === 'native'
      ? (settings.nativeCurrency?.symbol ?? 'the coin')
      : (settings.tokens?.find(({ address }) => address === token)?.symbol ?? token)
  return `${symbol} on ${settings.name}`
}

function ageText(milliseconds: number): string {
  return milliseconds < 0 ? 'of the next minutes' : `${durationOf(milliseconds / 1000)} old`
}
