import type { Given } from '@countersign/review'
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { computedQuery } from '../../api/computed-query.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { type Approving, approvingOf } from '../../evidence/approvals/approving.ts'
import { useHashSources } from '../../evidence/proof/hash-sources.ts'
import type { KnownSubject } from '../../evidence/worker/calls.ts'

/** No event tells what happens in a Safe that the reader does not see. */
const REFETCH_MS = 30_000

const nothing: Approving = {
  chainId: 0,
  tokens: [],
  abis: [],
  named: [],
  approvals: [],
  chainIds: [],
  now: 0,
  sources: { needed: 0, wallet: null, maxBlocksBehind: 0 },
}

/** Finds the subjects that are approved in other Safes, with the input of their reviews except facts. */
export function nestedQuery(approving: Approving) {
  return { ...computedQuery(queryKeys.nested[0], approving, collect), staleTime: 5_000, refetchInterval: REFETCH_MS }
}

/** Code that looks for it comes when there is something to look for. */
async function collect(approving: Approving, queryClient: QueryClient): Promise<KnownSubject[]> {
  const { collectNested } = await import('./collect-nested.ts')
  return collectNested(approving, { queryClient, isFresh: false })
}

/** Finds what a subject approves in other Safes. `nested` undefined: it approves nothing, or nothing could be found. */
export function useNested(
  given: Given | null,
  chainId: number,
): { nested: readonly KnownSubject[] | undefined; isPending: boolean } {
  const sources = useHashSources(chainId)
  const approving = given && approvingOf(given, sources)
  const { data, isLoading } = useQuery({ ...nestedQuery(approving ?? nothing), enabled: approving !== null })
  return { nested: approving ? data : undefined, isPending: isLoading }
}
