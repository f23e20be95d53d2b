import { listDeliveries, listWebhooks } from '@countersign/contract'
import { queryOptions } from '@tanstack/react-query'
import type { Address } from 'viem'
import { api } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { serverNow } from '../../device/server-time.ts'

/** No event tells that something was delivered: while a delivery waits, the server is asked this often. */
const DELIVERING_MS = 3_000
const QUIET_MS = 5_000
const SOON_MS = 60_000

/** For owners alone. */
export function webhooksQuery(chainId: number, safeAddress: Address) {
  return queryOptions({
    queryKey: queryKeys.webhooks(chainId, safeAddress),
    queryFn: ({ signal }) => api(listWebhooks, { chainId, safeAddress }, signal),
    staleTime: 5_000,
    refetchInterval: ({ state }) =>
      state.data?.webhooks.some(({ waiting }) => waiting > 0) ? DELIVERING_MS : QUIET_MS,
  })
}

export function deliveriesQuery(chainId: number, safeAddress: Address, id: string) {
  return queryOptions({
    queryKey: queryKeys.deliveries(chainId, safeAddress, id),
    queryFn: ({ signal }) => api(listDeliveries, { chainId, safeAddress, id }, signal),
    refetchInterval: ({ state }) =>
      state.data?.deliveries.some(({ dueAt }) => dueAt !== null && Date.parse(dueAt) < serverNow() + SOON_MS)
        ? DELIVERING_MS
        : QUIET_MS,
  })
}
