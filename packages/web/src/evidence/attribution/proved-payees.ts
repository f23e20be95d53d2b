import { findPayments, MAX_PAYEES_ASKED } from '@countersign/contract'
import { counterpartiesOf, describeTransaction, type SignedSubject } from '@countersign/review'
import type { SafeState } from '@countersign/safe'
import type { Address } from 'viem'
import { chainRequest } from '../../api/chain-client.ts'
import { api } from '../../api/client.ts'
import { computedQuery } from '../../api/computed-query.ts'
import type { ProvedPayees } from './prove-payees.ts'

type Asked = {
  chainId: number
  safeAddress: Address
  payees: readonly Address[]
} & Pick<SafeState, 'owners' | 'threshold' | 'nonce'>

/**
 * Query for the accounts of a transaction that the Safe has paid before, proved by owners' signatures on earlier executions. The
 * server lists the executions. If it lists none of the accounts as paid, nothing is requested.
 *
 * @param paid accounts that the Safe has paid, according to the server
 */
export function provedPayeesQuery(
  subject: SignedSubject | undefined,
  paid: readonly Address[] | null | undefined,
  state: SafeState | null,
) {
  const payees = subject?.kind === 'transaction' && paid?.length ? paidIn(subject, paid) : []
  const { owners = [], threshold = 0, nonce = 0n } = state ?? {}
  const asked = { ...placeOf(subject), payees, owners, threshold, nonce }
  return { ...computedQuery('proved-payees', asked, findProvedPayees), enabled: payees.length > 0 && state !== null }
}

function placeOf(subject: SignedSubject | undefined): Pick<Asked, 'chainId' | 'safeAddress'> {
  return { chainId: subject?.chainId ?? 0, safeAddress: subject?.safeAddress ?? '0x' }
}

function paidIn(
  { safeAddress, safeTx }: Extract<SignedSubject, { kind: 'transaction' }>,
  paid: readonly Address[],
): Address[] {
  const known = new Set(paid.map((account) => account.toLowerCase()))
  return counterpartiesOf(describeTransaction({ safeAddress, safeTx }))
    .filter((account) => known.has(account.toLowerCase()))
    .slice(0, MAX_PAYEES_ASKED)
}

async function findProvedPayees({ chainId, safeAddress, payees, ...state }: Asked): Promise<ProvedPayees> {
  const [{ executions }, { provedPayees }] = await Promise.all([
    api(findPayments, { chainId, safeAddress, payees: [...payees] }),
    import('./prove-payees.ts'),
  ])
  return provedPayees({ chainId, safeAddress }, executions, state, chainRequest(chainId))
}
