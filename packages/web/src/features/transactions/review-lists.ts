import { type GivenAbi, type ReviewInput, readAbi } from '@countersign/safe-core'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Address } from 'viem'
import { useChain } from '../../api/configuration.ts'
import { abisQuery } from '../../api/team-abis.ts'
import { namesQuery } from '../../api/team-names.ts'

/** What people gave a review to go by: the operator's tokens, the team's names and ABIs. What is read by a given ABI stays a finding. */
export type ReviewLists = Pick<ReviewInput, 'tokens' | 'abis' | 'known'> & {
  /** Which ABIs these are: comparing them whole would take long. */
  abisGivenAt: string
}

/** `isPending`: the lists may still change; what cannot be loaded is not waited for. */
export function useReviewLists(chainId: number, safeAddress: Address): { lists: ReviewLists; isPending: boolean } {
  const tokens = useChain(chainId)?.tokens
  const names = useQuery(namesQuery(chainId, safeAddress))
  const abis = useQuery(abisQuery(chainId, safeAddress))
  const [named, given] = [names.data?.names, abis.data?.abis]
  const lists = useMemo(
    () => ({
      tokens: tokens ?? [],
      known: (named ?? []).map(({ address }) => address),
      abisGivenAt: (given ?? []).map(({ contract, updatedAt }) => `${contract} ${updatedAt}`).join(),
      abis: (given ?? []).flatMap(({ contract, abi }) => readGiven(contract, abi)),
    }),
    [tokens, named, given],
  )
  return { lists, isPending: names.isLoading || abis.isLoading }
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
