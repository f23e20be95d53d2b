import { MAX_PAYMENTS } from '@countersign/contract'
import {
  type ClaimedExecution,
  isProvedPayment,
  readExecution,
  readSignedPayment,
  type SignedPayment,
} from '@countersign/review'
import type { RpcRequest, SafeState } from '@countersign/safe'
import type { Address, Hex } from 'viem'

/** Work after which the page is drawn again. Each signature takes some milliseconds. */
const SLICE_MS = 30

/** An execution and its Ethereum transaction, as the server claims them. */
type Claimed = ClaimedExecution & { transactionHash: Hex }

/** Accounts that were paid, proved. Not whole: the node answered nothing about an execution that could prove one more. */
export type ProvedPayees = { payees: Address[]; isWhole: boolean }

/**
 * Lists the accounts that claimed executions paid, if current owners signed these executions. For these it asks the chain whether
 * the Safe executed them, and who sent the ones that need a sender as a signer.
 */
export async function provedPayees(
  place: { chainId: number; safeAddress: Address },
  executions: readonly Claimed[],
  state: Pick<SafeState, 'owners' | 'threshold' | 'nonce'>,
  request: RpcRequest,
): Promise<ProvedPayees> {
  const read: { execution: Claimed; payment: SignedPayment }[] = []
  let began = performance.now()
  // A server that returns more cannot keep the page busy.
  for (const execution of executions.slice(0, MAX_PAYMENTS)) {
    if (performance.now() - began > SLICE_MS) {
      await new Promise((resolve) => setTimeout(resolve, 0))
      began = performance.now()
    }
    const payment = await readSignedPayment(place, execution)
    if (payment === null) continue
    const senders = [null, ...payment.approvers]
    if (senders.some((sender) => isProvedPayment(payment, state, sender))) read.push({ execution, payment })
  }
  const answers = await Promise.allSettled(
    read.map(async ({ execution, payment }) => {
      const isBySender = !isProvedPayment(payment, state)
      const { isExecuted, sender } = await readExecution({ ...place, ...execution }, isBySender, request)
      return isExecuted && isProvedPayment(payment, state, sender) ? payment.payees : []
    }),
  )
  const proved = new Set(answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : [])))
  const isOpen = ({ payees }: SignedPayment) => payees.some((payee) => !proved.has(payee))
  const isWhole = read.every(({ payment }, index) => answers[index]?.status === 'fulfilled' || !isOpen(payment))
  return { payees: [...proved], isWhole }
}
