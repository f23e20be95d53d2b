import { MAX_PAYMENTS } from '@countersign/contract'
import { isProvedPayment, readExecution, readSignedPayment, type SignedPayment } from '@countersign/review'
import type { RpcRequest } from '@countersign/safe'
import type { Claimed, PayeesQuestion, ProvedPayees } from './claimed-payments.ts'

/**
 * Lists the accounts that claimed executions paid, if current owners signed these executions. For these it asks the chain whether
 * the Safe executed them, and who sent the ones that need a sender as a signer.
 */
export async function provedPayees(
  place: PayeesQuestion['place'],
  executions: readonly Claimed[],
  state: PayeesQuestion['state'],
  request: RpcRequest,
): Promise<ProvedPayees> {
  const read: { execution: Claimed; payment: SignedPayment }[] = []
  // A server that returns more cannot keep the Worker busy.
  for (const execution of executions.slice(0, MAX_PAYMENTS)) {
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
