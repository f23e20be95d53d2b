import { prepareReview } from '@countersign/review'
import { onlineManager } from '@tanstack/react-query'
import { useEffect } from 'react'
import { fail } from '../text/fail.ts'

type Kind = Parameters<typeof prepareReview>[0]

const brought = new Set<Kind>()

/**
 * Loads the code that the review of a kind needs. Without a network it is not requested.
 *
 * @throws CountersignError `SERVER_UNREACHABLE` without a network, unless it is there
 */
export async function loadReview(kind: Kind): Promise<void> {
  if (brought.has(kind)) return
  if (!onlineManager.isOnline()) throw fail('SERVER_UNREACHABLE', { reason: 'offline' })
  await prepareReview(kind)
  brought.add(kind)
}

/** Brings it while somebody still writes what is to be reviewed. */
export function useBroughtReview(kind: Kind): void {
  useEffect(() => {
    loadReview(kind).catch(() => {})
  }, [kind])
}

/** Whether a review is asked for again once the network is back: one that has failed is. */
export function isFailed({ state }: { state: { status: string } }): 'always' | false {
  return state.status === 'error' ? 'always' : false
}
