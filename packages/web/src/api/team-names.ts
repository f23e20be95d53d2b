import { listNames, type NamedAddress } from '@countersign/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Address } from 'viem'
import { text } from '../text/text.ts'
import { showUntrusted } from '../text/untrusted.ts'
import { allPages } from './all-pages.ts'
import { api } from './client.ts'
import { queryKeys } from './query-keys.ts'

export function namesQuery(chainId: number, safeAddress: Address) {
  return queryOptions({
    queryKey: queryKeys.names(chainId, safeAddress),
    queryFn: async ({ signal }) => {
      const { items } = await allPages(
        (cursor) => api(listNames, { chainId, safeAddress, cursor }, signal),
        (page) => page.names,
      )
      return { names: items.sort((one, other) => one.name.localeCompare(other.name)) }
    },
    staleTime: 60_000,
    // An account outside the team has no names to show; that is no trouble to report.
    retry: false,
  })
}

const none: readonly NamedAddress[] = []

/** Gives the team's names of addresses. Claims: shown beside an address, never instead of it. */
export function useTeamNames(chainId: number, safeAddress: Address): readonly NamedAddress[] {
  return useQuery(namesQuery(chainId, safeAddress)).data?.names ?? none
}

/**
 * Finds the team's name of an address, quoted, and its author: the reader, else an owner, else any other.
 *
 * @param owners by the chain, whatever the server says of roles
 */
export function quotedName(
  address: string,
  { team, owners, reader }: { team: readonly NamedAddress[]; owners: readonly string[]; reader: string | null },
): string | undefined {
  const isSame = (one: string, other: string | null) => one.toLowerCase() === other?.toLowerCase()
  const numberOf = (author: string) => owners.findIndex((owner) => isSame(owner, author)) + 1
  const given = team.filter((entry) => isSame(entry.address, address))
  const chosen =
    given.find(({ author }) => isSame(author, reader)) ?? given.find(({ author }) => numberOf(author) > 0) ?? given[0]
  if (!chosen) return undefined
  const name = showUntrusted(chosen.name, 60)
  if (isSame(chosen.author, reader)) return text('safe.named.you', { name })
  const number = numberOf(chosen.author)
  if (number > 0) return text('safe.named.owner', { name, number })
  const author = `${chosen.author.slice(0, 6)}…${chosen.author.slice(-4)}`
  return text(owners.length > 0 ? 'safe.named.other' : 'safe.named.by', { name, author })
}
