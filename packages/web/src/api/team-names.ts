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

/** A name that somebody gave: shown, and who gave it. `ownerNumber` from 1, for an owner other than the reader. */
export type GivenName = { name: string; author: string } & (
  | { by: 'you' | 'other' }
  | { by: 'owner'; ownerNumber: number }
)

type Readers = {
  /** By the chain, whatever the server says of roles. */
  owners: readonly string[]
  reader: string | null
}

/** Chooses among the names of one address: the reader's own, else an owner's, else the first. */
export function chooseName(
  given: readonly Pick<NamedAddress, 'name' | 'author'>[],
  { owners, reader }: Readers,
): GivenName | undefined {
  const numberOf = (author: string) => owners.findIndex((owner) => isSame(owner, author)) + 1
  const chosen =
    given.find(({ author }) => isSame(author, reader)) ?? given.find(({ author }) => numberOf(author) > 0) ?? given[0]
  if (!chosen) return undefined
  const { author } = chosen
  const name = showUntrusted(chosen.name, 60)
  if (isSame(author, reader)) return { name, author, by: 'you' }
  const ownerNumber = numberOf(author)
  return ownerNumber > 0 ? { name, author, by: 'owner', ownerNumber } : { name, author, by: 'other' }
}

/** Quotes what somebody of the team calls an address, and says who that is. */
export function quotedName(
  address: string,
  { team, ...readers }: Readers & { team: readonly NamedAddress[] },
): string | undefined {
  const given = chooseName(
    team.filter((one) => isSame(one.address, address)),
    readers,
  )
  return given && sayName(given, readers)
}

/** Says a name with its author, for the places that have room for both. */
export function sayName(given: GivenName, { owners }: Pick<Readers, 'owners'>): string {
  const { name } = given
  if (given.by === 'you') return text('safe.named.you', { name })
  if (given.by === 'owner') return text('safe.named.owner', { name, number: given.ownerNumber })
  const author = `${given.author.slice(0, 6)}…${given.author.slice(-4)}`
  return text(owners.length > 0 ? 'safe.named.other' : 'safe.named.by', { name, author })
}

/** Writes a name where there is room for little: as it is when the reader or an owner gave it, else in quotation marks. */
export function shortName(given: GivenName): string {
  return given.by === 'other' ? text('safe.named.short', { name: given.name }) : given.name
}

function isSame(one: string, other: string | null): boolean {
  return one.toLowerCase() === other?.toLowerCase()
}
