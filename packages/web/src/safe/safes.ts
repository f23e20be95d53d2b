import { listSafes } from '@countersign/contract'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import { queryKeys } from '../api/query-keys.ts'

/** My Safes, with their names and what waits in each. */
export const safesQuery = queryOptions({
  queryKey: queryKeys.safes,
  queryFn: ({ signal }) => api(listSafes, {}, signal),
})
