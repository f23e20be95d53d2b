import type { Chain, NamedAddress } from '@countersign/contract'
import { skeletonOf } from '@countersign/review'
import { isSameAddress, type SafeState } from '@countersign/safe'
import type { Address } from 'viem'
import { text } from '../../text/lists.ts'
import { showUntrusted } from '../../text/untrusted.ts'
import { chooseName, quotedName, sayName } from './team-names.ts'

/** Names of addresses on this screen: the Safe, its owners, the reader, the tokens that the operator lists. */
export type Names = {
  safeAddress: Address
  owners: readonly Address[]
  account: Address | null
  chain: Chain | undefined
  /** The team's names of addresses. */
  team: readonly NamedAddress[]
  /** Names in the chain's registry that mean the very account, by lower-case address; left out where nobody asked. */
  registered?: ReadonlyMap<string, string>
  /** Contracts known to be NFT collections. Left out if not asked. */
  collections?: readonly string[]
}

export type Token = { address: string; symbol: string; name: string; decimals: number }

export function namesOf(
  safeAddress: Address,
  state: Pick<SafeState, 'owners'> | null | undefined,
  account: Address | null,
  chain: Chain | undefined,
  team: readonly NamedAddress[],
): Names {
  return { safeAddress, owners: state?.owners ?? [], account, chain, team }
}

/** The name of an address, or undefined. After what the screen knows by itself, a name that somebody gave is quoted. */
export function nameOf(address: string, names: Names): string | undefined {
  const known = knownName(address, names)
  const name = quotedName(address, { team: names.team, owners: names.owners, reader: names.account })
  if (!name) return known ?? registeredName(address, names)
  return known ? text('name.both', { known, name }) : name
}

/**
 * Gives the name of an address where there is room for little, or undefined: the reader's own word, else an owner's in
 * quotation marks, else the name that the screen knows by itself. A name by anybody else is never without its author.
 */
export function shortNameOf(address: string, names: Names): string | undefined {
  if (isSameAddress(address, names.safeAddress)) return text('name.self')
  const given = chooseName(
    names.team.filter((entry) => isSameAddress(entry.address, address)),
    { owners: names.owners, reader: names.account },
  )
  const known = knownName(address, names)
  if (given?.by === 'you') return given.name
  if (given?.by === 'owner') return text('safe.named.short', { name: given.name })
  return known ?? (given ? sayName(given, names) : registeredName(address, names))
}

/** Said with what it is: the word of a registry, which a node tells. */
function registeredName(address: string, { registered, team }: Names): string | undefined {
  const name = registered?.get(address.toLowerCase())
  // One that looks like a name of the team's would be taken for it: the address says more.
  if (!name || looksOf(team).has(skeletonOf(name)) || looksOf(team).has(skeletonOf(name.replace(/\.[^.]*$/, ''))))
    return
  return text('name.registered', { name: showUntrusted(name, 80) })
}

const looks = new WeakMap<readonly NamedAddress[], ReadonlySet<string>>()

/** How the names of the team look. An address that has one is never asked for another. */
function looksOf(team: readonly NamedAddress[]): ReadonlySet<string> {
  const known = looks.get(team) ?? new Set(team.map(({ name }) => skeletonOf(name)))
  looks.set(team, known)
  return known
}

const confused = new WeakMap<readonly NamedAddress[], ReadonlySet<string>>()

/** Addresses, in small letters, that have a name which looks like one of another address. */
export function confusedIn(team: readonly NamedAddress[]): ReadonlySet<string> {
  const known = confused.get(team)
  if (known) return known
  const byLook = new Map<string, Set<string>>()
  for (const { name, address } of team) {
    const look = skeletonOf(name)
    byLook.set(look, (byLook.get(look) ?? new Set()).add(address.toLowerCase()))
  }
  const all = new Set([...byLook.values()].flatMap((addresses) => (addresses.size > 1 ? [...addresses] : [])))
  confused.set(team, all)
  return all
}

function knownName(address: string, { safeAddress, owners, account, chain }: Names): string | undefined {
  if (isSameAddress(address, safeAddress)) return text('name.self')
  const owner = owners.findIndex((owner) => isSameAddress(owner, address))
  const isYou = account !== null && isSameAddress(address, account)
  if (owner >= 0) return text(isYou ? 'name.owner.you' : 'name.owner', { number: owner + 1 })
  if (isYou) return text('name.you')
  const token = chain?.tokens.find((token) => isSameAddress(token.address, address))
  return token && showUntrusted(token.name, 60)
}

export function tokenAt(address: string, chain: Chain | undefined): Token | undefined {
  return chain?.tokens.find((token) => isSameAddress(token.address, address))
}

export const unknownCurrency = { name: 'wei', symbol: 'wei', decimals: 0 }

/** The chain's coin; in its smallest unit when the chain is not configured. */
export function currencyOf(chain: Chain | undefined): { name: string; symbol: string; decimals: number } {
  return chain?.nativeCurrency ?? unknownCurrency
}
