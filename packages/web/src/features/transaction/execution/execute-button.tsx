import type { MultisigTransaction } from '@countersign/contract'
import type { ReactNode } from 'react'
import type { Address, Hex } from 'viem'
import type { Shown } from '../../../review/sign/check-again.ts'
import { anchors } from '../../../review/sign/decision-bar.tsx'
import { hasButton, type Offer } from '../../../review/sign/offer.ts'
import { CardPart } from '../../../ui/card.tsx'
import { Problem, useFreshError } from '../../../ui/problem.tsx'
import { text } from '../text.ts'
import { useChosenFees } from './chosen-fees.tsx'
import { ExecutionForm } from './execution-form.tsx'
import { mayExecuteAgain } from './execution-state.ts'
import { newestSent } from './follow-execution.ts'
import { ReplaceSent } from './replace-sent.tsx'
import { SentExecutionStatus } from './sent-execution-status.tsx'
import { useExecuteTransaction, useFollowedExecution } from './use-execute-transaction.ts'

/** Offers to execute an open transaction, and follows an execution that was sent by anyone, from any tab. */
export function ExecuteButton({
  transaction,
  effect,
  shown,
  offer,
  acknowledge,
  account,
  gas,
  call,
  tooLarge,
}: {
  transaction: MultisigTransaction
  /** The title of the transaction, repeated next to the button. */
  effect: string
  /** Null until there is a review that the person has seen. */
  shown: Shown | null
  offer: Offer
  /** The points to answer first, unless the page shows them elsewhere. */
  acknowledge: ReactNode
  account: Address | null
  /** Gas to offer, according to its simulation; null if there is none. */
  gas: bigint | null
  /** The call itself; null while confirmations are missing. */
  call: { to: Address; data: Hex } | null
  /** The remedy if the transaction is too large for a block or a node. */
  tooLarge: ReactNode
}) {
  const { chainId, safeAddress, safeTxHash } = transaction
  const place = { chainId, safeAddress, safeTxHash }
  const execute = useExecuteTransaction(place)
  const fees = useChosenFees()
  const followed = useFollowedExecution(place, newestSent(execute.sent, transaction.pendingExecution))
  const executeError = useFreshError(execute.error, JSON.stringify(offer))
  if (offer.kind === 'none' && !followed) return null
  const busy = execute.isPending ? text(`execute.step.${execute.step}`) : undefined
  return (
    <CardPart title={text('execute.title')} anchor={anchors.execution}>
      <div className="grid gap-3" data-execution={followed?.progress.step ?? 'none'}>
        {followed && (
          <SentExecutionStatus chainId={chainId} followed={followed} isUnrecorded={execute.recordError !== null} />
        )}
        {executeError && <Problem error={executeError} />}
        {followed && hasButton(offer) && (
          <ReplaceSent
            chainId={chainId}
            account={account}
            followed={followed}
            effect={effect}
            offer={offer}
            acknowledge={acknowledge}
            busy={busy}
            onSpeedUp={shown && (() => execute.mutate({ shown, earlier: followed.sent.transactionHash }))}
          />
        )}
        {hasButton(offer) && mayExecuteAgain(followed?.progress ?? null) && (
          <>
            {tooLarge}
            {acknowledge}
            <ExecutionForm
              chainId={chainId}
              account={account}
              effect={effect}
              offer={offer}
              gas={gas}
              call={call}
              fees={fees}
              label={text(followed ? 'execute.again' : 'execute.button')}
              busy={busy}
              onExecute={shown && (() => execute.mutate({ shown, fees: fees.fees }))}
            />
          </>
        )}
      </div>
    </CardPart>
  )
}
