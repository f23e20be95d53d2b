import { CountersignError } from '@countersign/safe-core'
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { isUnanswered } from './answered.ts'

/** Errors that another try a moment later may cure without anybody doing anything. */
const passing = new Set([
  'SERVER_UNREACHABLE',
  'CHAIN_UNREACHABLE',
  'DATABASE_UNAVAILABLE',
  'DATABASE_READ_ONLY',
  'DISK_FULL',
  'INTERNAL',
])
const sessionEnded = new Set(['SESSION_EXPIRED', 'SESSION_REVOKED', 'NOT_SIGNED_IN'])

/** @param onSessionEnded called when any answer says that the session is over, whoever asked */
export function createQueryClient({
  onSessionEnded,
}: {
  onSessionEnded: (error: CountersignError) => void
}): QueryClient {
  const onError = (error: unknown) => {
    if (error instanceof CountersignError && sessionEnded.has(error.code)) onSessionEnded(error)
  }
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: 15_000,
        retry: (failures, error) =>
          error instanceof CountersignError && passing.has(error.code) && !isUnanswered(error) && failures < 2,
        retryDelay: (attempt) => 500 * 2 ** attempt,
      },
      mutations: { retry: false },
    },
  })
}
