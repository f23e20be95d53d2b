import type { Chain } from '@countersign/contract'
import { hashAllowEntry } from '@countersign/review'
import { readCodes, type SafeState } from '@countersign/safe'
import { type ContractFit, type ContractRole, libraryCandidates, readContractFit } from '@countersign/safe/compose'
import { queryOptions, useQueries, useQuery } from '@tanstack/react-query'
import type { Address } from 'viem'
import { chainRequest } from '../../api/chain-client.ts'
import { policyQuery } from '../../evidence/policy/served-policy.ts'
import type { VerifiedVersion } from '../../evidence/policy/verified-version.ts'
import { currencyOf, type Names, tokenAt } from '../../safe/names/names.ts'
import { useNames } from '../../safe/names/use-names.ts'
import { isBeingAsked, nextNonceOver, type OtherService, useOtherService } from '../../safe/other-service.ts'
import type { Proposal } from '../../safe/proposals.ts'
import { movedListedTokensQuery, useListedChain } from '../../safe/worth/listed-tokens.ts'
import { fail } from '../../text/fail.ts'
import { parseAddress } from '../../ui/form/parse-address.ts'
import type { Draft } from './draft.ts'
import { type DraftFacts, placeOf } from './read-draft.ts'
import type { Asset } from './read-entry.ts'
import { namesIn, registeredNameQuery } from './registered-name.ts'
import { type TokenFacts, tokenQuery } from './token.ts'

/** Facts that a draft is read with, and what the fields show beside. */
export type FormFacts = DraftFacts & {
  chain: Chain | undefined
  names: Names
  /** Another service where proposals of this Safe wait; null where the operator names none. */
  elsewhere: OtherService | null
  /** Whether a name can be typed in the place of an address. */
  hasNames: boolean
  /** Readings of the tokens that are used, by lower-case address. */
  readings: ReadonlyMap<string, TokenFacts | null | undefined>
  problem: { error: Error; retry: () => void } | null
  /** Asks again for the library of batches. */
  readLibrary: () => void
  /** Whether the chain is being asked about what was typed. */
  isReading: boolean
}

/** Which of the releases of a library the chain has; null when it has none of them. */
function libraryQuery(chainId: number, candidates: readonly { address: Address; codeHash: string | null }[]) {
  return queryOptions({
    queryKey: ['library', chainId, candidates],
    queryFn: async (): Promise<Address | null> => {
      const addresses = candidates.map(({ address }) => address)
      const codes = await readCodes(chainRequest(chainId), addresses)
      const found = candidates.find(({ address, codeHash }) => codes[address.toLowerCase()]?.codeHash === codeHash)
      if (found) return found.address
      // Code that the node did not say is not missing on the chain.
      const isUnread = addresses.some((address) => codes[address.toLowerCase()] === undefined)
      if (isUnread) throw fail('RPC_ERROR', { reason: 'unanswered', method: 'eth_getCode' })
      return null
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** A library that this Safe may run as itself. */
type Library = {
  /** Null when the chain has none, undefined while that is not known. */
  address: Address | null | undefined
  /** Whether it could not be read: the node failed, or there is no network. It never counts as a chain that has none. */
  isUnread: boolean
  error: Error | null
  retry: () => void
}

export function useLibrary(kind: Parameters<typeof libraryCandidates>[0], safe: SafeState): Library {
  const candidates = libraryCandidates(kind, safe).map(({ address, codeHash }) => ({ address, codeHash }))
  const { data, error, fetchStatus, refetch } = useQuery(libraryQuery(safe.chainId, candidates))
  const isUnread = data === undefined && (error !== null || fetchStatus === 'paused')
  return { address: data, isUnread, error, retry: () => void refetch() }
}

/** Whether a contract can be what the Safe is to be told that it is. */
function fitQuery(chainId: number, address: Address, role: ContractRole) {
  return queryOptions({
    queryKey: ['contract-fit', chainId, address, role],
    queryFn: (): Promise<ContractFit> => readContractFit(chainRequest(chainId), address, role),
    staleTime: 30_000,
  })
}

/** Reads what a draft needs from the chain: its tokens, the contracts that it gives a place, the library for batches. */
export function useFormFacts(draft: Draft, safe: SafeState, proposals: readonly Proposal[]): FormFacts {
  const { chainId, address } = safe
  const chain = useListedChain(chainId)
  // Tokens that the Safe has are among those to choose from.
  useQuery(movedListedTokensQuery(chain ?? { chainId, listRevision: null }, address))
  const names = useNames(chainId, address)
  const tokens = tokensOf(draft)
  const tokenReadings = useQueries({ queries: tokens.map((token) => tokenQuery(chainId, address, token)) })
  const elsewhere = useOtherService(safe)
  const registry = chain?.nameRegistry ?? null
  const typedNames = namesIn(draft)
  const nameReadings = useQueries({ queries: typedNames.map((name) => registeredNameQuery(registry, chainId, name)) })
  const places = placesOf(draft)
  const fitReadings = useQueries({ queries: places.map((place) => fitQuery(chainId, place.address, place.role)) })
  const library = useLibrary('multi-send-call-only', safe)
  const policy = useQuery({ ...policyQuery(chainId, address), enabled: draft.entries.some(isDelegatecall) })
  const readings = new Map(tokens.map((token, index) => [token.toLowerCase(), tokenReadings[index]?.data]))
  const known = tokens.map((token): [string, Asset | null] | [] => {
    const listed = tokenAt(token, chain)
    const claimed = readings.get(token.toLowerCase())
    const facts = listed ?? claimed
    if (facts) return [token.toLowerCase(), { address: token, symbol: facts.symbol, decimals: facts.decimals }]
    return claimed === null ? [token.toLowerCase(), null] : []
  })
  const asked = [...tokenReadings, ...nameReadings, ...fitReadings, policy]
  const failed = [...tokenReadings, ...nameReadings].find(({ error }) => error !== null)
  return {
    safe,
    chain,
    names,
    readings,
    currency: currencyOf(chain),
    hasNames: registry !== null,
    registered: new Map(typedNames.map((name, index) => [name, nameReadings[index]?.data])),
    tokens: new Map(known.flatMap((one) => (one.length === 2 ? [one] : []))),
    fits: new Map(places.map(({ role, address: at }, index) => [`${role} ${at}`, fitReadings[index]?.data])),
    elsewhere,
    nextNonce: nextNonceOver(proposals, elsewhere, safe.nonce),
    allowed: policy.data?.inForce ? allowedBy(policy.data.inForce) : [],
    isNonceAsked: isBeingAsked(elsewhere),
    multiSend: library.address,
    isLibraryUnread: library.isUnread,
    readLibrary: library.retry,
    isReading: asked.some(({ isLoading }) => isLoading),
    problem: failed?.error ? { error: failed.error, retry: () => void failed.refetch() } : null,
  }
}

/** Tokens that the entries name, each once. */
function tokensOf({ entries }: Draft): Address[] {
  const typed = entries.flatMap(({ kind, typed: fields }) => {
    const usesAsset = kind === 'transfer' || kind.endsWith('-limit')
    if (!usesAsset || fields.asset === 'native') return []
    return [fields.asset === 'other' ? fields.tokenAddress : fields.asset.toLowerCase()]
  })
  const read = typed.map(parseAddress).flatMap((one) => (one.ok ? [one.address] : []))
  return [...new Set(read)]
}

function isDelegatecall({ kind, typed }: Draft['entries'][number]): boolean {
  return kind === 'call' && typed.operation === '1'
}

/** Delegatecalls that the policy allows. Whether it is in force, and covers this code, the review decides. */
function allowedBy({ policy, withdrawals }: VerifiedVersion): DraftFacts['allowed'] {
  return policy.allowed.filter(
    (entry) =>
      entry.kind === 'delegatecall' && !withdrawals.some(({ entryHash }) => entryHash === hashAllowEntry(entry)),
  )
}

function placesOf({ entries }: Draft) {
  return entries.map(placeOf).filter((place) => place !== null)
}
