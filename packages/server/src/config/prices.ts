import { address } from '@countersign/contract'
import { z } from 'zod'
import { LEAST_MINUTES } from '../prices/pools.ts'
import { openPriceFile, type PriceSettings, type PriceSourceSettings } from '../prices/settings.ts'
import { HOUR_MS, YEAR_HOURS } from './durations.ts'
import { type Fault, readOrFault } from './fault.ts'
import { webUrl } from './urls.ts'

const pricePool = z
  .strictObject({
    token: z.union([z.literal('native'), address]),
    pool: address,
    /** The pool's other token: worth one unit of the currency, or the wrapped coin; otherwise it has a price of its own. */
    quote: address,
    quoteIs: z.enum(['currency', 'native']).optional(),
    minutes: z
      .number()
      .int()
      .min(LEAST_MINUTES, `must be ${LEAST_MINUTES} at least: the average of a shorter time is moved too cheaply`)
      .max(1_440)
      .default(30),
  })
  .refine(({ token, quote, quoteIs }) => token !== quote && token !== quoteIs, {
    path: ['quote'],
    error: 'must be another asset than `token`',
  })

/** Contracts of a chain from which prices are read. */
export const priceContracts = {
  /** Contracts that say what an asset costs, as Chainlink's do. */
  priceFeeds: z
    .array(z.strictObject({ token: z.union([z.literal('native'), address]), feed: address }))
    .max(100)
    .optional(),
  /** Pools of Uniswap v3, whose average over some minutes says what a token costs in another one. */
  pricePools: z.array(pricePool).max(100).optional(),
}

const MAX_PRICE_SOURCES = 10

export const prices = z.strictObject({
  currency: z.string().regex(/^[A-Z]{3}$/, 'must be a code of ISO 4217 such as `USD`'),
  maxAgeHours: z.number().min(0.05).max(YEAR_HOURS).default(26),
  sources: z
    .array(
      z
        .strictObject({
          url: webUrl.optional(),
          file: z.string().min(1).max(4_096).optional(),
          everyMinutes: z
            .number()
            .min(1)
            .max(60 * YEAR_HOURS)
            .default(15),
        })
        .refine(({ url, file }) => (url === undefined) !== (file === undefined), 'must name a `url` or a `file`'),
    )
    .max(MAX_PRICE_SOURCES)
    .default([]),
})

type PriceContracts = z.output<z.ZodObject<typeof priceContracts>>

/** Opens the files among the sources of prices; null when no value is shown. */
export function parsePrices(
  given: z.output<typeof prices> | undefined,
  contracts: readonly PriceContracts[],
  faults: Fault[],
): PriceSettings | null {
  if (given === undefined) {
    if (contracts.some(({ priceFeeds = [], pricePools = [] }) => priceFeeds.length + pricePools.length > 0))
      faults.push({ path: 'prices', message: 'must name the `currency` of the `priceFeeds` and `pricePools`' })
    return null
  }
  const { currency } = given
  const sources = given.sources.flatMap(({ url, file = '', everyMinutes }): PriceSourceSettings[] => {
    if (url !== undefined) return [{ kind: 'url', url: new URL(url), everyMinutes }]
    const prices = readOrFault(`prices \`${file}\``, faults, () => openPriceFile(file, currency))
    return prices === null ? [] : [{ kind: 'file', path: file, prices }]
  })
  return { currency, maxAgeMilliseconds: given.maxAgeHours * HOUR_MS, sources }
}
