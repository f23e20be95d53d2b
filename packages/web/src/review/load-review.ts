import { prepareReview, reviewSubject, type SignedInput, type SignedReview } from '@countersign/review'
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

/** Reviews; null is nothing to review. */
export async function reviewInput(input: SignedInput | null): Promise<SignedReview> {
  if (!input) throw fail('REVIEW_INCOMPLETE', { reason: 'nothing' })
  // A batch of hundreds takes a while: what asks for its review is drawn before that.
  await new Promise((resolve) => setTimeout(resolve, 0))
  await loadReview(input.kind)
  return reviewSubject(input)
}
