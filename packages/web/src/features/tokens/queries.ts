import { listApiTokens } from '@countersign/contract'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'

export const apiTokensQuery = queryOptions({
  queryKey: queryKeys.apiTokens,
  queryFn: ({ signal }) => api(listApiTokens, {}, signal),
  refetchInterval: 60_000,
})
