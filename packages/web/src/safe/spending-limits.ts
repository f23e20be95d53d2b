import { readSpendingLimits } from '@countersign/safe'
import { queryOptions } from '@tanstack/react-query'
import type { Address } from 'viem'
import { chainRequest } from '../api/chain-client.ts'

/** Accounts that may spend of a Safe without its owners, and how much, as one Allowance Module says. */
export function limitsQuery(chainId: number, safeAddress: Address, module: Address) {
  return queryOptions({
    queryKey: ['spending-limits', chainId, safeAddress, module],
    queryFn: () => readSpendingLimits(chainRequest(chainId), safeAddress, module),
    staleTime: 15_000,
  })
}
