import { errorTable, type Retry } from '@countersign/contract'
import { CountersignError } from '@countersign/safe'
import { type FetchQueryOptions, MutationCache, QueryCache, QueryClient, type QueryKey } from '@tanstack/react-query'
import { isUnanswered } from './answered.ts'

/** @param onSessionEnded called when any answer says that the session is over, whoever asked */
export function createQueryClient({
  onSessionEnded,
}: {
  onSessionEnded: (error: CountersignError) => void
}): QueryClient {
  const onError = (error: unknown) => {
    if (error instanceof CountersignError && retryOf(error) === 'after-sign-in') onSessionEnded(error)
  }
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: 15_000,
        retry: (failures, error) =>
          error instanceof CountersignError && retryOf(error) === 'at-once' && !isUnanswered(error) && failures < 2,
        retryDelay: (attempt) => 500 * 2 ** attempt,
      },
      // Without a network a write fails at once: it must not be sent later, when nobody expects it any more.
      mutations: { retry: false, networkMode: 'always' },
    },
  })
}

/** Older than any answer: with zero, one that was read before the clock of this machine was set back would still do. */
export const ANEW = Number.NEGATIVE_INFINITY

/**
 * Asks now, whatever is known. An answer that is on its way already does not do: it may have left before what happened
 * meanwhile.
 */
export async function fetchAnew<Data, Read, Key extends QueryKey>(
  queryClient: QueryClient,
  query: FetchQueryOptions<Data, Error, Read, Key>,
): Promise<Read> {
  const ask = () => queryClient.fetchQuery({ ...query, staleTime: ANEW })
  if (queryClient.isFetching({ queryKey: query.queryKey, exact: true }) > 0) await ask().catch(() => null)
  return ask()
}

/** Whether and when what failed may be asked for again. */
function retryOf({ code }: CountersignError): Retry | undefined {
  const table: Record<string, { retry: Retry }> = errorTable
  return Object.hasOwn(table, code) ? table[code]?.retry : undefined
}
