import { getSafe, type Role, type Safe } from '@countersign/contract'
import { CountersignError } from '@countersign/safe'
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Address } from 'viem'
import { api } from '../api/client.ts'
import { queryKeys } from '../api/query-keys.ts'

/** No event tells how far the past of one Safe is read. */
const READING_MS = 2_000

/** The Safe as the server has it; the page reads the chain itself. */
export function safeQuery(chainId: number, safeAddress: Address) {
  return queryOptions({
    queryKey: queryKeys.safe(chainId, safeAddress),
    queryFn: ({ signal }) => api(getSafe, { chainId, safeAddress }, signal),
    refetchInterval: ({ state }) => (state.data && state.data.backfillBlock !== null ? READING_MS : false),
  })
}

/** Gives the account's role by the word of the server. It decides the offers on screen, and nothing else. */
export function useRole(chainId: number, safeAddress: Address): Role | null {
  return useQuery(safeQuery(chainId, safeAddress)).data?.role ?? null
}

/** Whether the Safe is in My Safes; undefined while that is not known. */
export function useIsListed(chainId: number, safeAddress: Address): boolean | undefined {
  const { data, error } = useQuery(safeQuery(chainId, safeAddress))
  if (data) return true
  return error instanceof CountersignError && error.code === 'SAFE_NOT_FOUND' ? false : undefined
}

/** Transactions and messages that wait for the reader in a Safe, together. */
export function waitingIn({ awaitingMyConfirmation, messagesAwaitingMe }: Safe): number {
  return awaitingMyConfirmation + messagesAwaitingMe
}
