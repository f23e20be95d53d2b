import { findPayments, MAX_PAYEES_ASKED } from '@countersign/contract'
import { counterpartiesOf, describeTransaction, type SignedSubject } from '@countersign/review'
import type { SafeState } from '@countersign/safe'
import type { Address } from 'viem'
import { api } from '../../api/client.ts'
import { computedQuery } from '../../api/computed-query.ts'
import { retryOnceWhenLimited } from '../../api/retry-when-limited.ts'
import { askWorker } from '../worker/ask-worker.ts'
import type { ProvedPayees } from './claimed-payments.ts'
import type { ReviewLists } from './review-lists.ts'

type Asked = {
  chainId: number
  safeAddress: Address
  payees: readonly Address[]
} & Pick<SafeState, 'owners' | 'threshold' | 'nonce'>

/**
 * Query for the accounts of a transaction that the Safe has paid before, proved by owners' signatures on earlier executions. The
 * server lists the executions. If its list is whole and has none of the accounts, nothing is requested.
 *
 * @param paid accounts that the Safe has paid, according to the server
 * @param isPaidWhole whether these are all
 */
export function provedPayeesQuery(
  subject: SignedSubject | undefined,
  { paid, isPaidWhole = true }: Pick<ReviewLists, 'paid' | 'isPaidWhole'>,
  state: SafeState | null,
) {
  const payees = subject?.kind === 'transaction' && paid ? askedIn(subject, isPaidWhole ? paid : null) : []
  const { owners = [], threshold = 0, nonce = 0n } = state ?? {}
  const asked = { ...placeOf(subject), payees, owners, threshold, nonce }
  return { ...computedQuery('proved-payees', asked, findProvedPayees), enabled: payees.length > 0 && state !== null }
}

function placeOf(subject: SignedSubject | undefined): Pick<Asked, 'chainId' | 'safeAddress'> {
  return { chainId: subject?.chainId ?? 0, safeAddress: subject?.safeAddress ?? '0x' }
}

/** @param paid all accounts that the Safe has paid; null if the server has not listed all */
function askedIn(
  { safeAddress, safeTx }: Extract<SignedSubject, { kind: 'transaction' }>,
  paid: readonly Address[] | null,
): Address[] {
  if (paid?.length === 0) return []
  const known = paid && new Set(paid.map((account) => account.toLowerCase()))
  return counterpartiesOf(describeTransaction({ safeAddress, safeTx }))
    .filter((account) => known === null || known.has(account.toLowerCase()))
    .slice(0, MAX_PAYEES_ASKED)
}

/**
 * Asks about fewer accounts at a time if the server leaves out executions. If it still leaves some out, the result is not whole.
 */
async function findProvedPayees({ payees, ...asked }: Asked): Promise<ProvedPayees> {
  const { chainId, safeAddress, ...state } = asked
  const { executions, isWhole } = await retryOnceWhenLimited(() =>
    api(findPayments, { chainId, safeAddress, payees: [...payees] }),
  )
  if (isWhole || payees.length < 2)
    return askWorker('provePayees', { place: { chainId, safeAddress }, executions, state })
  const half = Math.ceil(payees.length / 2)
  const answers = await Promise.allSettled(
    [payees.slice(0, half), payees.slice(half)].map((part) => findProvedPayees({ ...asked, payees: part })),
  )
  const parts = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
  const [failed] = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer] : []))
  if (failed && parts.length === 0) throw failed.reason
  return {
    payees: [...new Set(parts.flatMap((part) => part.payees))],
    isWhole: failed === undefined && parts.every((part) => part.isWhole),
  }
}
