import { MAX_PAYMENTS } from '@countersign/contract'
import { type ClaimedExecution, isProvedPayment, readSignedPayment, type SafeState } from '@countersign/safe-core'
import type { Address } from 'viem'

/** The page is drawn after so much work: each signature takes some milliseconds. */
const SLICE_MS = 30

/** Lists the accounts that some claimed executions paid, of those that owners who decide now have signed. */
export async function provedPayees(
  place: { chainId: number; safeAddress: Address },
  executions: readonly ClaimedExecution[],
  state: Pick<SafeState, 'owners' | 'threshold' | 'nonce'>,
): Promise<Address[]> {
  const found = new Set<Address>()
  let began = performance.now()
  // A server that names more keeps no page busy.
  for (const execution of executions.slice(0, MAX_PAYMENTS)) {
    if (performance.now() - began > SLICE_MS) {
      await new Promise((resolve) => setTimeout(resolve, 0))
      began = performance.now()
    }
    const payment = await readSignedPayment(place, execution)
    if (payment === null || !isProvedPayment(payment, state)) continue
    for (const payee of payment.payees) found.add(payee)
  }
  return [...found]
}
