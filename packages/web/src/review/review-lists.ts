import type { NamedAddress, TeamAbiEntry } from '@countersign/contract'
import { type GivenAbi, type ReviewInput, readAbiJson, type Subject } from '@countersign/safe-core'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Address } from 'viem'
import { byIdentity } from '../api/computed-query.ts'
import { useChain } from '../api/configuration.ts'
import { abisQuery } from '../api/team-abis.ts'
import { namesQuery } from '../api/team-names.ts'
import { isSame } from './names.ts'

/** What people wrote down and a review may go by: the operator's tokens, names and ABIs with their authors. */
export type ReviewLists = {
  tokens: ReviewInput['tokens']
  names: readonly NamedAddress[]
  abis: readonly TeamAbiEntry[]
}

export const noLists: ReviewLists = { tokens: byIdentity([]), names: [], abis: [] }

/**
 * `isPending`: the lists may still change; what cannot be loaded is not waited for.
 *
 * @param kind a message calls nothing, and needs no ABI
 */
export function useReviewLists(
  chainId: number,
  safeAddress: Address,
  kind: Subject['kind'] = 'transaction',
): { lists: ReviewLists; isPending: boolean } {
  const tokens = useChain(chainId)?.tokens
  const names = useQuery(namesQuery(chainId, safeAddress))
  const abis = useQuery({ ...abisQuery(chainId, safeAddress), enabled: kind === 'transaction' })
  const [named, given] = [names.data?.names, abis.data?.abis]
  const lists = useMemo(
    () => ({
      tokens: tokens ? byIdentity(tokens) : noLists.tokens,
      names: named ?? noLists.names,
      abis: given ?? noLists.abis,
    }),
    [tokens, named, given],
  )
  return { lists, isPending: names.isLoading || abis.isLoading }
}

/** Who reads, and who owns the Safe: by the chain, whatever the server says of roles. */
export type Readers = { reader: Address | null; owners: readonly Address[] }

function isOwner(account: string, { owners }: Readers): boolean {
  return owners.some((owner) => isSame(owner, account))
}

/**
 * What of the lists counts in a review. A name of an owner is compared with, and makes nothing better. An ABI counts for
 * the owner who gave it and for nobody else; those of others are guesses.
 */
export function listsThatCount({ tokens, names, abis }: ReviewLists, readers: Readers) {
  const { reader } = readers
  return {
    tokens,
    named: names.filter(({ author }) => isOwner(author, readers)).map(({ address }) => address),
    abis: abis
      .filter(({ author }) => reader !== null && isSame(author, reader) && isOwner(author, readers))
      .map(parsedAbi),
  }
}

/** Parsed once: an ABI is long, and asked for whenever the page is drawn. */
const parsed = new WeakMap<TeamAbiEntry, GivenAbi>()

/** What the server keeps may be anything; an ABI that cannot be read names nothing. */
export function parsedAbi(entry: TeamAbiEntry): GivenAbi {
  const known = parsed.get(entry)
  if (known) return known
  const abi = byIdentity({ address: entry.contract, functions: functionsOf(entry.abi) })
  parsed.set(entry, abi)
  return abi
}

function functionsOf(abi: string): GivenAbi['functions'] {
  try {
    return readAbiJson(abi)
  } catch {
    return []
  }
}
