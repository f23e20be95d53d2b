import { type Facts, type Given, type TokenQuestion, tokenQuestion } from '@countersign/review'
import type { QueryClient } from '@tanstack/react-query'
import { useQuery } from '@tanstack/react-query'
import { configurationQuery, useChain } from '../api/configuration.ts'
import { findTokens, foundTokensQuery, isAsked, type ListedChain, withListed } from '../safe/worth/listed-tokens.ts'

/** Nothing that a list could be asked about. */
const nothing: TokenQuestion = { addresses: [], names: [] }
const noFacts = {}

type AnyFacts = Pick<Facts, 'tokenClaims' | 'simulation'>

/** Asks lists about the tokens that a review could speak of: before the chain was asked, and with what it said. */
function namedTokensQuery(chain: ListedChain, given: Given | null, facts: AnyFacts = noFacts) {
  return foundTokensQuery(chain, questionOf(chain, given, facts))
}

function questionOf(chain: ListedChain, given: Given | null, facts: AnyFacts): TokenQuestion {
  return given === null || chain.listRevision === null ? nothing : tokenQuestion(given, facts)
}

/** Gives what a review has the tokens of lists that it could speak of. Null until they are known. */
export function useNamedTokens<Of extends Given>(given: Of | null, facts: AnyFacts = noFacts) {
  const configured = useChain(given?.chainId ?? 0)
  const chain = configured ?? { chainId: given?.chainId ?? 0, listRevision: null }
  const query = namedTokensQuery(chain, given, facts)
  const found = useQuery(query)
  const isPending = query.enabled === true && found.data === undefined
  return {
    given: given === null || isPending ? null : { ...given, tokens: withListed(given.tokens, found.data) },
    isPending,
    error: isPending ? found.error : null,
    retry: () => {
      if (isPending) void found.refetch()
    },
  }
}

/** Adds them right before a signature, and for what another Safe approves. */
export async function addNamedTokens<Of extends Given>(
  queryClient: QueryClient,
  given: Of,
  facts: AnyFacts = noFacts,
): Promise<Of> {
  const { chains } = await queryClient.ensureQueryData(configurationQuery)
  const chain = chains.find(({ chainId }) => chainId === given.chainId)
  if (!chain || chain.listRevision === null) return given
  const question = tokenQuestion(given, facts)
  if (!isAsked(chain, question)) return given
  return { ...given, tokens: withListed(given.tokens, await findTokens(chain, question)) }
}
