import { listNames, type NamedAddress } from '@countersign/contract'
import { isSameAddress } from '@countersign/safe'
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Address } from 'viem'
import { allPages } from '../../api/all-pages.ts'
import { api } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { askReviewList } from '../../api/review-lists.ts'
import { formatList } from '../../text/locale.ts'
import { text } from '../../text/text.ts'
import { showUntrusted } from '../../text/untrusted.ts'
import { safeQuery } from '../safe.ts'
import { giversOf } from './endorsement.ts'

export function namesQuery(chainId: number, safeAddress: Address) {
  return queryOptions({
    queryKey: queryKeys.names(chainId, safeAddress),
    queryFn: async ({ signal }) => {
      const { items } = await allPages(
        (cursor) =>
          cursor === undefined
            ? askReviewList(chainId, safeAddress, 'names')
            : api(listNames, { chainId, safeAddress, cursor }, signal),
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
  const hasNames = useQuery(safeQuery(chainId, safeAddress)).data?.hasNames ?? false
  const { data } = useQuery({ ...namesQuery(chainId, safeAddress), enabled: hasNames })
  return hasNames && data ? data.names : none
}

/** How an account that gave a name stands to the reader. `ownerNumber` from 1, for an owner other than the reader. */
export type Giver = { account: string } & ({ as: 'you' | 'other' } | { as: 'owner'; ownerNumber: number })

/** A name that is shown: who wrote it, who endorsed it, and whether the reader or an owner is among them. */
export type GivenName = { name: string; by: Giver['as']; writer: Giver; endorsers: readonly Giver[] }

type Readers = {
  /** By the chain, whatever the server says of roles. */
  owners: readonly string[]
  reader: string | null
}

type Given = Pick<NamedAddress, 'name' | 'author' | 'updatedAt'>

/** Chooses among the names of one address: the reader's own, else the one that most owners gave, else the first. */
export function chooseName(given: readonly Given[], readers: Readers): GivenName | undefined {
  const { owners, reader } = readers
  const isOfOwner = ({ author }: Given) => owners.some((owner) => isSameAddress(owner, author))
  const ownersWhoGave = (name: string) => given.filter((one) => one.name === name && isOfOwner(one)).length
  const byOwners = given.filter(isOfOwner).toSorted((one, other) => ownersWhoGave(other.name) - ownersWhoGave(one.name))
  const chosen = given.find(({ author }) => reader !== null && isSameAddress(author, reader)) ?? byOwners[0] ?? given[0]
  if (!chosen) return undefined
  const givers = giversOf(
    given.filter(({ name }) => name === chosen.name),
    owners,
  )
  return {
    name: showUntrusted(chosen.name, 60),
    by: giverOf(chosen.author, readers).as,
    writer: giverOf(givers?.author ?? chosen.author, readers),
    endorsers: (givers?.endorsers ?? []).map((owner) => giverOf(owner, readers)),
  }
}

function giverOf(account: string, { owners, reader }: Readers): Giver {
  if (reader !== null && isSameAddress(account, reader)) return { account, as: 'you' }
  const ownerNumber = owners.findIndex((owner) => isSameAddress(owner, account)) + 1
  return ownerNumber > 0 ? { account, as: 'owner', ownerNumber } : { account, as: 'other' }
}

/** Quotes what somebody of the team calls an address, and says who that is. */
export function quotedName(
  address: string,
  { team, ...readers }: Readers & { team: readonly NamedAddress[] },
): string | undefined {
  const given = chooseName(
    team.filter((entry) => isSameAddress(entry.address, address)),
    readers,
  )
  return given && sayName(given, readers)
}

/** Says a name with who wrote and who endorsed it, for the places that have room for that. */
export function sayName({ name, writer, endorsers }: GivenName, { owners }: Pick<Readers, 'owners'>): string {
  const by = owners.length > 0 || writer.as !== 'other' ? sayGiver(writer) : endsOf(writer.account)
  if (endorsers.length === 0) return text('safe.named', { name, by })
  return text('safe.named.endorsed', { name, by, endorsers: formatList(endorsers.map(sayGiver)) })
}

function sayGiver(giver: Giver): string {
  if (giver.as === 'you') return text('safe.giver.you')
  if (giver.as === 'owner') return text('safe.giver.owner', { number: giver.ownerNumber })
  return text('safe.giver.other', { author: endsOf(giver.account) })
}

function endsOf(account: string): string {
  return `${account.slice(0, 6)}…${account.slice(-4)}`
}

/** Writes a name where there is room for little: as it is when the reader or an owner gave it, else in quotation marks. */
export function shortName(given: GivenName): string {
  return given.by === 'other' ? text('safe.named.short', { name: given.name }) : given.name
}
