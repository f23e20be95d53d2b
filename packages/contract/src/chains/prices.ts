import * as z from 'zod/mini'
import { safeParams } from '../signing/transactions.ts'
import { endpoint } from '../wire/endpoint.ts'
import { address, chainId, chainIdParam, time } from '../wire/primitives.ts'
import { MAX_TOKENS_ASKED } from './token-lists.ts'

/** Most moments of one question. */
export const MAX_MOMENTS_ASKED = 100

/** The chain's coin, or an ERC-20 by its address. */
const asset = z.union([z.literal('native'), address])

const priceSourceKinds = ['feed', 'pool', 'url', 'file'] as const

const price = z.object({
  token: asset,
  /** Price of one whole unit, in the currency of the configuration: a decimal above zero. */
  price: z.string().check(z.regex(/^\d{1,13}(?:\.\d{1,18})?$/)),
  /** When the source says that it was so. */
  at: time,
  /** Its source: a contract of the chain by its address, a host, or a file by its name. */
  source: z.object({ kind: z.enum(priceSourceKinds), name: z.string() }),
})
/** Word of a source that the operator named on what something costs. Nobody checks it: it may add a warning to a swap, and lowers none. */
export type Price = z.infer<typeof price>

export const findPrices = endpoint({
  name: 'findPrices',
  method: 'POST',
  path: '/api/chains/{chainId}/prices',
  summary:
    'What sources that the operator names say that assets of a chain cost now. Tokens that no list has, what is old, and what two of them contradict are left out',
  params: z.object({ chainId: chainIdParam }),
  body: z.object({ tokens: z.array(asset).check(z.maxLength(MAX_TOKENS_ASKED)) }),
  reply: z.object({ prices: z.array(price) }),
  session: 'required',
  scope: 'read',
  anyChain: true,
  errors: ['CHAIN_NOT_CONFIGURED'],
})

export const findPastPrices = endpoint({
  name: 'findPastPrices',
  method: 'POST',
  path: '/api/chains/{chainId}/safes/{safeAddress}/past-prices',
  summary: 'What the sources say that assets cost at blocks of the history of a Safe. Other blocks are left out',
  params: safeParams,
  body: z.object({
    moments: z
      .array(z.object({ token: asset, blockNumber: z.int().check(z.minimum(0)) }))
      .check(z.maxLength(MAX_MOMENTS_ASKED)),
  }),
  reply: z.object({ prices: z.array(z.extend(price, { blockNumber: z.int() })) }),
  session: 'required',
  scope: 'read',
  errors: ['CHAIN_NOT_CONFIGURED', 'SAFE_NOT_FOUND'],
})

/** Why nothing of a source is used. */
export const priceFaults = [
  'unreachable',
  'status',
  'too-large',
  'not-json',
  'no-prices',
  'too-many',
  'currency',
  'unread',
  'absurd',
  'stale',
  'pair',
  'too-young',
  'empty',
  'moved',
  'no-quote',
] as const
export type PriceFault = (typeof priceFaults)[number]

const priceSource = z.object({
  kind: z.enum(priceSourceKinds),
  /** Address of a contract; host and path without what may be a key; or the name of a file. */
  name: z.string(),
  /** Chain and asset of a contract, which has one price. */
  chainId: z.nullable(chainId),
  token: z.nullable(asset),
  /** Minutes over which a pool is averaged. */
  minutes: z.nullable(z.int()),
  /** How many prices it has, and how many entries are none. */
  prices: z.int(),
  refused: z.int(),
  /** Its newest price. */
  newestAt: z.nullable(time),
  fault: z.nullable(z.enum(priceFaults)),
})
export type PriceSource = z.infer<typeof priceSource>

export const listPriceSources = endpoint({
  name: 'listPriceSources',
  method: 'GET',
  path: '/api/price-sources',
  summary: 'Where the operator has prices from, how new they are, and why those of a source are not used',
  reply: z.object({ sources: z.array(priceSource) }),
  session: 'required',
  anyChain: true,
  errors: [],
})
