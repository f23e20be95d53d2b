import type { NamedAddress } from '@countersign/contract'
import type { ReviewInput, SignedSubject, SpentAmount } from '@countersign/review'
import { isSameAddress } from '@countersign/safe'
import { type CowOrder, type GivenAbi, parseGivenAbiJson } from '@countersign/safe/calls'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Address } from 'viem'
import { byIdentity } from '../../api/computed-query.ts'
import { useChain } from '../../api/configuration.ts'
import { groupSame, keyOfAbi, keyOfName } from '../../safe/names/endorsement.ts'
import { namesQuery } from '../../safe/names/team-names.ts'
import { safeQuery } from '../../safe/safe.ts'
import { useGivenOrders } from '../approvals/given-orders.ts'
import { noPolicy, policyQuery, spentQuery, type VerifiedPolicy } from '../policy/served-policy.ts'
import { signedNamesQuery } from './signed-names.ts'
import { type Readers, standingOf } from './standing.ts'
import { abisQuery, type TeamAbi } from './team-abis.ts'

/** Texts of people that a review may use: the operator's tokens, names and ABIs with their authors. */
export type ReviewLists = {
  tokens: ReviewInput['tokens']
  names: readonly NamedAddress[]
  /** Those among them that their authors signed, verified here. */
  signedNames: readonly NamedAddress[]
  abis: readonly TeamAbi[]
  /** Null: it could not be asked for; undefined: nobody asked. */
  policy?: VerifiedPolicy | null | undefined
  /** For the amount limits of the policy; undefined: nobody said. */
  spent?: readonly SpentAmount[] | undefined
  /** Accounts that the Safe has paid, according to the server. Null if the server did not answer, left out if not asked. */
  paid?: readonly Address[] | null | undefined
  /** False if the Safe has paid more accounts than the server lists. */
  isPaidWhole?: boolean | undefined
  /** Accounts of the reviewed transaction with a payment that owners' signatures prove, see `provedPayeesQuery`. */
  provedPayees?: readonly Address[] | undefined
  /** Orders that the reader gave for digests that are signed. */
  orders?: readonly CowOrder[] | undefined
}

export const noLists: ReviewLists = { tokens: byIdentity([]), names: [], signedNames: [], abis: [] }

/**
 * `isPending`: the lists may still change; what cannot be loaded is not waited for.
 *
 * @param kind a message calls nothing, and needs no ABI
 * @param nonce of the transaction, which the sums for amount limits leave out; null: they are not asked for here
 */
export function useReviewLists(
  chainId: number,
  safeAddress: Address,
  kind: SignedSubject['kind'] = 'transaction',
  nonce: bigint | null = null,
): { lists: ReviewLists; isPending: boolean } {
  const tokens = useChain(chainId)?.tokens
  const isTransaction = kind === 'transaction'
  const safe = useQuery(safeQuery(chainId, safeAddress))
  // The server could as well leave out what there is. Where it does not say that there is none, the list itself is asked for.
  const isNone = (list: 'hasNames' | 'hasAbis' | 'hasPolicy') => safe.error === null && safe.data?.[list] === false
  const isAsked = (list: Parameters<typeof isNone>[0]) => !safe.isLoading && !isNone(list)
  const names = useQuery({ ...namesQuery(chainId, safeAddress), enabled: isAsked('hasNames') })
  const abis = useQuery({ ...abisQuery(chainId, safeAddress), enabled: isTransaction && isAsked('hasAbis') })
  const policy = useQuery({ ...policyQuery(chainId, safeAddress), enabled: isAsked('hasPolicy') })
  // An earlier answer does not stand in for one that cannot be read now.
  const served = isNone('hasPolicy') ? noPolicy : policy.error ? null : policy.data
  // A message has no nonce: nothing that is queued is its rival.
  const asksSums = (nonce !== null || !isTransaction) && hasLimits(served)
  const spent = useQuery({ ...spentQuery(chainId, safeAddress, nonce), enabled: asksSums })
  const orders = useGivenOrders()
  const named = (isNone('hasNames') ? undefined : names.data?.names) ?? noLists.names
  const signed = useQuery(signedNamesQuery(chainId, safeAddress, isTransaction ? named : noLists.names))
  const signedNames = named === noLists.names ? noLists.signedNames : (signed.data?.names ?? noLists.signedNames)
  const given = isNone('hasAbis') ? undefined : abis.data?.abis
  const { paid, isPaidWhole } = safe.data ?? {}
  const sums = spent.error ? undefined : spent.data?.spent
  const lists = useMemo(
    () => ({
      tokens: tokens ? byIdentity(tokens) : noLists.tokens,
      names: named,
      signedNames,
      abis: given ?? noLists.abis,
      policy: served,
      spent: sums,
      paid: isTransaction ? (paid ?? null) : undefined,
      isPaidWhole: isTransaction ? isPaidWhole : undefined,
      orders,
    }),
    [orders, tokens, named, signedNames, given, isTransaction, served, sums, paid, isPaidWhole],
  )
  const areLoading = [safe, names, signed, abis, policy, spent].some(({ isLoading }) => isLoading)
  return { lists, isPending: areLoading }
}

/** Whether the policy in force needs the sums of what was spent. */
export function hasLimits(policy: VerifiedPolicy | null | undefined): boolean {
  return (policy?.inForce?.policy.amountLimits.length ?? 0) > 0
}

/**
 * Picks what of the lists counts in a review. A name of any owner is compared with; an address is familiar, and an ABI reads a
 * call, where `standingOf` says that the signed entry counts for the reader; an address is recognized where a name would, were it
 * signed. To endorse an entry is to give the same one. The others are guesses.
 */
export function listsThatCount(
  { tokens, names, signedNames, abis, paid, isPaidWhole, provedPayees, orders }: ReviewLists,
  readers: Readers,
) {
  const isOfOwner = ({ author }: { author: string }) => readers.owners.some((owner) => isSameAddress(owner, author))
  const namesOfOwners = names.filter(isOfOwner)
  const abisOfOwners = abis.filter((abi) => abi.isSigned && isOfOwner(abi))
  const counting = firstOfThoseThatCount(abisOfOwners, keyOfAbi, readers)
  const own = abisOfOwners.filter(({ author }) => readers.reader !== null && isSameAddress(author, readers.reader))
  const isOwn = (abi: TeamAbi) => own.some((one) => keyOfAbi(one) === keyOfAbi(abi))
  return {
    tokens,
    paid,
    isPaidWhole,
    provedPayees,
    orders,
    named: namesOfOwners.map(({ address }) => address),
    familiar: addressesThatCount(signedNames.filter(isOfOwner), readers),
    recognized: addressesThatCount(namesOfOwners, readers),
    // The last one of a contract reads it: the reader's own.
    abis: [...counting.filter((abi) => !isOwn(abi)), ...own].map(parsedAbi),
  }
}

function addressesThatCount(names: readonly NamedAddress[], readers: Readers): Address[] {
  return firstOfThoseThatCount(names, keyOfName, readers).map(({ address }) => address)
}

/** Gives one entry of each that are the same and count for the reader: the first that an owner gave. */
function firstOfThoseThatCount<Entry extends { author: string }>(
  entries: readonly Entry[],
  keyOf: (entry: Entry) => string,
  readers: Readers,
): Entry[] {
  return [...groupSame(entries, keyOf).values()].flatMap((same) => {
    const givers = same.map(({ author }) => author)
    return standingOf(givers, readers) === 'nobody' ? [] : [same[0]]
  })
}

/** Parsed once: an ABI is long, and asked for whenever the page is drawn. */
const parsed = new WeakMap<TeamAbi, GivenAbi>()

/** The server may store anything; an ABI that cannot be parsed names nothing. */
export function parsedAbi(entry: TeamAbi): GivenAbi {
  const known = parsed.get(entry)
  if (known) return known
  const abi = byIdentity({ address: entry.contract, functions: functionsOf(entry.abi) })
  parsed.set(entry, abi)
  return abi
}

function functionsOf(abi: string): GivenAbi['functions'] {
  try {
    return parseGivenAbiJson(abi)
  } catch {
    return []
  }
}
