import type { QueryClient } from '@tanstack/react-query'
import { fetchAnew } from '../../api/query-client.ts'
import { hasLimits, type ReviewLists } from '../../evidence/attribution/review-lists.ts'
import { policyQuery, spentQuery } from '../../evidence/policy/served-policy.ts'
import type { givenFor } from '../review-context.ts'
import type { ReviewRequest } from '../subject.ts'

/** Gives the version of the policy that a review goes by; null: it goes by none. */
export function policyVersionOf(given: ReturnType<typeof givenFor>): number | null {
  const policy = 'policy' in given ? given.policy : undefined
  return policy?.status === 'in-force' ? policy.policy.number : null
}

/** Asks for the policy, and for the sums that its limits need; what cannot be asked for is not there. */
export async function servePolicyAgain(
  queryClient: QueryClient,
  { subject }: ReviewRequest,
): Promise<Pick<ReviewLists, 'policy' | 'spent'>> {
  const { chainId, safeAddress } = subject
  const ask = <Answer>(answer: Promise<Answer>) => answer.catch(() => null)
  const policy = await ask(fetchAnew(queryClient, policyQuery(chainId, safeAddress)))
  if (!hasLimits(policy)) return { policy, spent: undefined }
  const sums = spentQuery(chainId, safeAddress, subject.kind === 'transaction' ? subject.safeTx.nonce : null)
  return { policy, spent: (await ask(fetchAnew(queryClient, sums)))?.spent }
}
