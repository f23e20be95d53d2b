import { findPastPrices, listPrices, MAX_MOMENTS_ASKED, type Price } from '@countersign/contract'
import { queryOptions } from '@tanstack/react-query'
import type { Address } from 'viem'
import { answered } from './answered.ts'
import { api } from './client.ts'
import { queryKeys } from './query-keys.ts'

const REFETCH_MS = 60_000

/** Prices of a chain's assets now, as sources that the operator names say them. */
export function pricesQuery(chainId: number) {
  return queryOptions({
    queryKey: queryKeys.prices(chainId),
    queryFn: async ({ signal }) => (await api(listPrices, { chainId }, signal)).prices,
    staleTime: REFETCH_MS / 2,
    refetchInterval: REFETCH_MS,
  })
}

type Place = { chainId: number; safeAddress: Address }
type Moment = { token: Price['token']; blockNumber: number }
type Waiting = { moments: Moment[]; answer: Promise<(Price & { blockNumber: number })[]> }
const waiting = new Map<string, Waiting>()

/** Asks about moments of one tick together. */
function askTogether({ chainId, safeAddress }: Place, moment: Moment): Waiting['answer'] {
  const key = `${chainId} ${safeAddress}`
  const open = waiting.get(key)
  if (open && open.moments.length < MAX_MOMENTS_ASKED) {
    open.moments.push(moment)
    return open.answer
  }
  const moments = [moment]
  const answer = new Promise((resolve) => setTimeout(resolve, 0)).then(async () => {
    if (waiting.get(key)?.moments === moments) waiting.delete(key)
    const place = { chainId, safeAddress, moments }
    return (await answered(undefined, (signal) => api(findPastPrices, place, signal))).prices
  })
  waiting.set(key, { moments, answer })
  return answer
}

/** Price of an asset at a block of the history of a Safe; null where nobody says. */
export function pastPriceQuery({ chainId, safeAddress }: Place, { token, blockNumber }: Moment) {
  return queryOptions({
    queryKey: queryKeys.pastPrice(chainId, safeAddress, token, blockNumber),
    queryFn: async (): Promise<Price | null> => {
      const found = await askTogether({ chainId, safeAddress }, { token, blockNumber })
      return found.find((price) => price.token === token && price.blockNumber === blockNumber) ?? null
    },
    staleTime: 10 * REFETCH_MS,
  })
}
