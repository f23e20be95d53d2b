import { getSafeCreation } from '@countersign/contract'
import { CountersignError, readSafeState, type SafeState } from '@countersign/safe'
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Address } from 'viem'
import { chainRequest } from '../api/chain-client.ts'
import { api } from '../api/client.ts'
import { queryKeys } from '../api/query-keys.ts'

/** Live events bring changes at once; this is for those that nobody reports. */
const REFETCH_MS = 30_000
/** As long as the chain cannot be read, the page is of little use. */
const FAILED_REFETCH_MS = 5_000

/**
 * Reads a Safe from the chain. Where nothing is at its address, the server may keep the call that creates it: the address is
 * computed from that here, and everything else about the Safe read from it.
 *
 * @throws CountersignError as `readSafeState` does
 */
export async function readSafe(
  chainId: number,
  safeAddress: Address,
  blockNumber?: bigint,
  lastSingleton?: Address,
): Promise<SafeState> {
  const request = chainRequest(chainId)
  try {
    return await readSafeState(request, safeAddress, chainId, { blockNumber, lastSingleton })
  } catch (error) {
    if (!isCoded(error, 'NOT_A_SAFE')) throw error
    const creation = await api(getSafeCreation, { chainId, safeAddress }).catch((other: unknown) => {
      throw isCoded(other, 'SAFE_NOT_FOUND', 'NOT_SIGNED_IN', 'CHAIN_NOT_CONFIGURED') ? error : other
    })
    return readSafeState(request, safeAddress, chainId, { blockNumber, creation })
  }
}

function isCoded(error: unknown, ...codes: string[]): boolean {
  return error instanceof CountersignError && codes.includes(error.code)
}

/** The Safe as this browser reads it from the chain, all at one block. */
export function safeStateQuery(chainId: number, safeAddress: Address) {
  return queryOptions({
    queryKey: queryKeys.safeState(chainId, safeAddress),
    queryFn: (): Promise<SafeState> => readSafe(chainId, safeAddress),
    staleTime: 5_000,
    refetchInterval: ({ state }) => (state.status === 'error' ? FAILED_REFETCH_MS : REFETCH_MS),
  })
}

export function useSafeState(chainId: number, safeAddress: Address) {
  return useQuery(safeStateQuery(chainId, safeAddress))
}
