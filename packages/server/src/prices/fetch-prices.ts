import type { PriceFault } from '@countersign/contract'
import { ResponseBodyTooLargeError } from 'viem'
import { exchange } from '../rpc/exchange.ts'
import { MAX_PRICES_BYTES, openPrices, type Prices } from './parse-prices.ts'

const limits = { milliseconds: 20_000, largestAnswer: MAX_PRICES_BYTES }

/** Asks a source by URL. Redirects are not followed: the operator named this host and no other. */
export async function fetchPrices(url: URL, currency: string): Promise<Prices | { fault: PriceFault }> {
  const contact = { kind: 'prices', host: url.host } as const
  try {
    const { status, text } = await exchange({ url, headers: { accept: 'application/json' }, contact }, null, limits)
    return status === 200 ? openPrices(text, currency) : { fault: 'status' }
  } catch (error) {
    return { fault: error instanceof ResponseBodyTooLargeError ? 'too-large' : 'unreachable' }
  }
}
