import { MAX_SIGNED_NAMES, type NamedAddress } from '@countersign/contract'
import type { QueryClient } from '@tanstack/react-query'
import type { Address } from 'viem'
import { byIdentity, computedQuery } from '../../api/computed-query.ts'
import { fetchHashSources } from '../proof/hash-sources.ts'
import { askWorker } from '../worker/ask-worker.ts'

/** Delay before an author's contract that did not answer is asked again. */
const RETRY_MS = 15_000

/** `isWhole`: false if the contract of an author did not answer. */
type SignedNames = { names: NamedAddress[]; isWhole: boolean }
type Names = { chainId: number; safeAddress: Address; names: readonly NamedAddress[] }

/**
 * Queries which of the team's names their authors signed. A signed name makes code familiar and so removes a tick box from the
 * review. The signatures are therefore verified here and not taken from the server. Whether the author is still an owner is decided
 * later, by `listsThatCount`.
 */
export function signedNamesQuery(chainId: number, safeAddress: Address, names: readonly NamedAddress[]) {
  const query = computedQuery('signed-names', { chainId, safeAddress, names: byIdentity(names) }, findSigned)
  return {
    ...query,
    enabled: names.some(({ signature }) => signature !== null),
    refetchInterval: ({ state }: { state: { data: SignedNames | undefined; status: string } }) =>
      state.status === 'error' || state.data?.isWhole === false ? RETRY_MS : false,
  } as const
}

async function findSigned({ chainId, safeAddress, names }: Names, client: QueryClient): Promise<SignedNames> {
  const countByAuthor = new Map<string, number>()
  const candidates = names.filter(({ author, signature }) => {
    if (signature === null) return false
    const count = (countByAuthor.get(author) ?? 0) + 1
    countByAuthor.set(author, count)
    // A server that accepts more names of one author must not be able to keep the Worker busy.
    return count <= MAX_SIGNED_NAMES
  })
  const sources = await fetchHashSources(client, chainId)
  const signed = await askWorker('areNamesSigned', { chainId, safeAddress, sources, names: candidates })
  return { names: candidates.filter((_, index) => signed[index]), isWhole: !signed.includes(null) }
}
