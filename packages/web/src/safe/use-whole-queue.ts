import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Address } from 'viem'
import { queueQuery } from './queries.ts'

/** The queue with all of its pages: the next free nonce is known by the whole alone. */
export function useWholeQueue(chainId: number, safeAddress: Address) {
  const queue = useInfiniteQuery(queueQuery(chainId, safeAddress))
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = queue
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage])
  return queue
}
