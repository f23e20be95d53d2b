import { listAbis } from '@countersign/contract'
import { type GivenAbi, type ReviewInput, readAbi } from '@countersign/safe-core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Address } from 'viem'
import { api } from '../../api/client.ts'
import { useChain } from '../../api/configuration.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { useTeamNames } from '../../api/team-names.ts'

/** What people gave a review to go by: the operator's tokens, the team's names and ABIs. None of it makes anything pass. */
export type ReviewLists = Pick<ReviewInput, 'tokens' | 'abis' | 'known'> & {
  /** Which ABIs these are: comparing them whole would take long. */
  abisGivenAt: string
}

function abisQuery(chainId: number, safeAddress: Address) {
  return queryOptions({
    queryKey: queryKeys.abis(chainId, safeAddress),
    queryFn: ({ signal }) => api(listAbis, { chainId, safeAddress }, signal),
    staleTime: 60_000,
    retry: false,
  })
}

export function useReviewLists(chainId: number, safeAddress: Address): ReviewLists {
  const tokens = useChain(chainId)?.tokens
  const names = useTeamNames(chainId, safeAddress)
  const given = useQuery(abisQuery(chainId, safeAddress)).data?.abis
  return useMemo(
    () => ({
      tokens: tokens ?? [],
      known: names.map(({ address }) => address),
      abisGivenAt: (given ?? []).map(({ contract, updatedAt }) => `${contract} ${updatedAt}`).join(),
      abis: (given ?? []).flatMap(({ contract, abi }) => readGiven(contract, abi)),
    }),
    [tokens, names, given],
  )
}

export const noLists: ReviewLists = { tokens: [], known: [], abis: [], abisGivenAt: '' }

/** What the server keeps may be anything; an ABI that cannot be read names nothing. */
function readGiven(address: Address, abi: string): GivenAbi[] {
  try {
    return [{ address, functions: readAbi(JSON.parse(abi)) }]
  } catch {
    return []
  }
}
