import { listHistory } from '@countersign/contract'
import { queryOptions } from '@tanstack/react-query'
import type { Address } from 'viem'
import { api } from './client.ts'
import { queryKeys } from './query-keys.ts'

/** As many payments of the past as one page of the history has. */
const PAYMENTS = 100

/**
 * Accounts that the Safe has paid, newest first, by the history that the server keeps. Others are compared with them; that
 * one is among them makes nothing better than unfamiliar.
 */
export function paidAccountsQuery(chainId: number, safeAddress: Address) {
  return queryOptions({
    queryKey: queryKeys.paidAccounts(chainId, safeAddress),
    queryFn: async ({ signal }) => {
      // Strangers can have a token tell of payments of nothing.
      const asked = { chainId, safeAddress, minAmount: 1n, limit: PAYMENTS }
      const { entries } = await api(listHistory, { ...asked, kinds: ['transfer-out'] }, signal)
      return [...new Set(entries.flatMap(({ counterparty }) => counterparty ?? []))]
    },
    staleTime: 60_000,
    retry: false,
  })
}
