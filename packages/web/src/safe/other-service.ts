import { otherServiceLimits, readOtherService } from '@countersign/contract'
import { domainVersion, nextFreeNonce, type SafeState } from '@countersign/safe'
import { parseServiceQueue, type ServiceProposal, type ServiceQueue } from '@countersign/safe/service'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { type Address, zeroAddress } from 'viem'
import { api } from '../api/client.ts'
import { useChain } from '../api/configuration.ts'

/** Reads what waits for a Safe at the Transaction Service that the operator names: its claims, each hash computed here. */
export function otherServiceQuery(chainId: number, safeAddress: Address, version: string) {
  return queryOptions({
    queryKey: ['other-service', chainId, safeAddress, version],
    queryFn: async (): Promise<ServiceQueue> =>
      parseServiceQueue(await readPages({ chainId, safeAddress }, 'transactions'), { chainId, safeAddress, version }),
    staleTime: 60_000,
    retry: false,
  })
}

/**
 * Reads five pages of what the service has of a Safe, as one JSON list of answers. What it says of the next page is not followed.
 *
 * @param after entries that were read before
 */
export async function readPages(
  place: { chainId: number; safeAddress: Address },
  of: 'transactions' | 'messages' | 'delegates',
  after = 0,
): Promise<string> {
  const pages: string[] = []
  const first = 1 + after / otherServiceLimits.page
  for (let page = first; page < first + otherServiceLimits.pages; page += 1) {
    const { content } = await api(readOtherService, { ...place, page, of })
    pages.push(content)
    if (!isFull(content)) break
  }
  return `[${pages.join(',')}]`
}

/** Whether another page can follow. */
function isFull(content: string): boolean {
  try {
    const { results } = JSON.parse(content) as { results?: unknown }
    return Array.isArray(results) && results.length >= otherServiceLimits.page
  } catch {
    return false
  }
}

/** A service that the operator names, and what waits there; `waiting` is null while that is not known. */
export type OtherService = {
  host: string
  hasFailed: boolean
  waiting: readonly ServiceProposal[] | null
  /** Transactions there behind the first 500 by nonce, which are not read. */
  beyond: number
}

/** Asks another service for what waits there with a nonce that is still to come; null where the operator names none. */
export function useOtherService(safe: SafeState | undefined): OtherService | null {
  const { chainId = 0, address = zeroAddress } = safe ?? {}
  const host = useChain(chainId)?.bringFrom ?? null
  const version = safe && safe.version !== null ? domainVersion(safe) : null
  const isAsked = host !== null && version !== null
  const { data, isError } = useQuery({ ...otherServiceQuery(chainId, address, version ?? ''), enabled: isAsked })
  if (!safe || !isAsked) return null
  // A proposal that nobody signed is no more than a number that the service makes up.
  const waiting = data?.proposals.filter(
    ({ safeTx, signatures }) => safeTx.nonce >= safe.nonce && signatures.length > 0,
  )
  return { host, hasFailed: isError, waiting: waiting ?? null, beyond: data?.beyond ?? 0 }
}

/** Whether what waits there is still being asked for: until then no nonce is known to be free. */
export function isBeingAsked(elsewhere: OtherService | null): boolean {
  return elsewhere !== null && !elsewhere.hasFailed && elsewhere.waiting === null
}

/** The lowest nonce that nobody has proposed, neither here nor at the other service. */
export function nextNonceOver(
  proposals: readonly { nonce: bigint }[],
  elsewhere: Pick<OtherService, 'waiting'> | null,
  safeNonce: bigint,
): bigint {
  const there = (elsewhere?.waiting ?? []).map(({ safeTx }) => safeTx)
  return nextFreeNonce([...proposals, ...there], safeNonce)
}
