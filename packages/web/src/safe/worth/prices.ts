import { findPastPrices, findPrices, MAX_MOMENTS_ASKED, MAX_TOKENS_ASKED, type Price } from '@countersign/contract'
import { queryOptions } from '@tanstack/react-query'
import type { Address } from 'viem'
import { api } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'

const REFETCH_MS = 60_000
/** Amounts that are shown together ask again together, each by a clock of its own. */
const GATHERED_MS = 20

type Place = { chainId: number; safeAddress: Address }
type Moment = { token: Price['token']; blockNumber: number }

/** Asks questions about one place together that come up at about the same time, so many at once. */
function gather<Where, Question, Answer>(
  most: number,
  ask: (where: Where, questions: Question[]) => Promise<Answer[]>,
): (where: Where, question: Question) => Promise<Answer[]> {
  const waiting = new Map<string, { questions: Question[]; answer: Promise<Answer[]> }>()
  return (where, question) => {
    const key = JSON.stringify(where)
    const open = waiting.get(key)
    if (open && open.questions.length < most) {
      open.questions.push(question)
      return open.answer
    }
    const questions = [question]
    const answer = new Promise((resolve) => setTimeout(resolve, GATHERED_MS)).then(() => {
      if (waiting.get(key)?.questions === questions) waiting.delete(key)
      return ask(where, questions)
    })
    waiting.set(key, { questions, answer })
    return answer
  }
}

const askNow = gather(MAX_TOKENS_ASKED, async (chainId: number, tokens: Price['token'][]) => {
  const { prices } = await api(findPrices, { chainId, tokens })
  return prices
})

const askThen = gather(MAX_MOMENTS_ASKED, async (place: Place, moments: Moment[]) => {
  const { prices } = await api(findPastPrices, { ...place, moments })
  return prices
})

/** Price of an asset of a chain now, as sources that the operator names say it; null where nobody does. */
export function priceQuery(chainId: number, token: Price['token']) {
  return queryOptions({
    queryKey: queryKeys.price(chainId, token),
    queryFn: async (): Promise<Price | null> =>
      (await askNow(chainId, token)).find((price) => price.token === token) ?? null,
    staleTime: REFETCH_MS / 2,
    refetchInterval: REFETCH_MS,
  })
}

/** Price of an asset at a block of the history of a Safe; null where nobody says. */
export function pastPriceQuery({ chainId, safeAddress }: Place, { token, blockNumber }: Moment) {
  return queryOptions({
    queryKey: queryKeys.pastPrice(chainId, safeAddress, token, blockNumber),
    queryFn: async (): Promise<Price | null> => {
      const found = await askThen({ chainId, safeAddress }, { token, blockNumber })
      return found.find((price) => price.token === token && price.blockNumber === blockNumber) ?? null
    },
    staleTime: 10 * REFETCH_MS,
  })
}
