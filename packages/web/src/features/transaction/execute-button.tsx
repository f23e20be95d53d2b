import type { MultisigTransaction } from '@countersign/contract'
import { type ReactNode, useState } from 'react'
import type { Address as AddressType, Hex } from 'viem'
import type { Shown } from '../../review/sign/check-again.ts'
import { anchors } from '../../review/sign/decision-bar.tsx'
import type { Offer } from '../../review/sign/offer.ts'
import { OfferedButton } from '../../review/sign/offered-button.tsx'
import { isSame } from '../../safe/names/names.ts'
import { TransactionHash } from '../../safe/transaction-hash.tsx'
import { Address } from '../../ui/address.tsx'
import { CardPart } from '../../ui/card.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Problem, useFreshError } from '../../ui/problem.tsx'
import { Time } from '../../ui/text/time.tsx'
import { FeesFold, noFees, parseFees } from './chosen-fees.tsx'
import { ExecutionFee } from './execution-fee.tsx'
import { type ExecutionProgress, mayExecuteAgain, type SentExecution } from './execution-state.ts'
import { newestSent } from './follow-execution.ts'
import { ReplaceSent } from './replace-sent.tsx'
import { text } from './text.ts'
import { useExecuteTransaction, useExecutionProgress } from './use-execute-transaction.ts'

/** Executing, and where an execution that was sent stands, by whomever and from whichever tab. */
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
  /** The title of the transaction, said again where it is executed. */
  effect: string
  /** Null until there is a review that the person has seen. */
  shown: Shown | null
  offer: Offer
  /** The points to answer first, unless they stand elsewhere on the page. */
  acknowledge: ReactNode
  account: AddressType | null
  /** Gas that it will be offered, by its run; null where no run says. */
  gas: bigint | null
  /** The call itself; null while confirmations are missing. */
  call: { to: AddressType; data: Hex } | null
  /** The remedy where no transaction has room for it. */
  tooLarge: ReactNode
}) {
  const { chainId, safeAddress, safeTxHash } = transaction
  const place = { chainId, safeAddress, safeTxHash }
  const execute = useExecuteTransaction(place)
  const [typedFees, setTypedFees] = useState(noFees)
  const { fees, errors } = parseFees(typedFees)
  const areFeesRead = Object.keys(errors).length === 0
  const sent = newestSent(execute.sent, transaction.pendingExecution)
  const executeError = useFreshError(execute.isPending ? null : execute.error, JSON.stringify(offer))
  const { progress, error, accountNonce } = useExecutionProgress(place, transaction.isExecuted ? null : sent)
  if (transaction.isExecuted || (offer.kind === 'none' && !sent)) return null
  const isUnderWay = sent !== null && !mayExecuteAgain(progress ?? { step: 'waiting' })
  return (
    <CardPart title={text('execute.title')} anchor={anchors.execution}>
      <div className="grid gap-3" data-execution={sent ? (progress?.step ?? 'waiting') : 'none'}>
        {sent && <Progress chainId={chainId} sent={sent} progress={progress} error={error} />}
        {execute.recordError !== null && isUnderWay && <Notice tone="warning">{text('execute.recordFailed')}</Notice>}
        {executeError && <Problem error={executeError} />}
        {isUnderWay &&
          progress?.step === 'waiting' &&
          accountNonce !== null &&
          account !== null &&
          isSame(account, sent.executor) &&
          offer.kind !== 'none' &&
          offer.kind !== 'told' && (
            <ReplaceSent
              chainId={chainId}
              account={account}
              effect={effect}
              offer={offer}
              acknowledge={acknowledge}
              key={sent.transactionHash}
              transactionHash={sent.transactionHash}
              busy={execute.isPending ? text(`execute.step.${execute.step}`) : undefined}
              onSpeedUp={shown && (() => execute.mutate({ shown, earlier: sent.transactionHash }))}
            />
          )}
        {!isUnderWay && offer.kind !== 'none' && offer.kind !== 'told' && (
          <>
            {tooLarge}
            {acknowledge}
            <OfferedButton
              effect={effect}
              offer={offer}
              explanation={
                areFeesRead ? text('execute.explanation', { account: account ?? '' }) : text('execute.fees.mend')
              }
              label={text(sent ? 'execute.again' : 'execute.button')}
              busy={execute.isPending ? text(`execute.step.${execute.step}`) : undefined}
              onAct={shown && areFeesRead ? () => execute.mutate({ shown, fees }) : null}
            />
            {/* Below the button, which must not move when the price comes. */}
            {account !== null && gas !== null && (
              <ExecutionFee chainId={chainId} account={account} gas={gas} calls={call ? [call] : []} chosen={fees} />
            )}
            <FeesFold typed={typedFees} onChange={setTypedFees} />
          </>
        )}
      </div>
    </CardPart>
  )
}

function Progress({
  chainId,
  sent,
  progress,
  error,
}: {
  chainId: number
  sent: SentExecution
  progress: ExecutionProgress | null
  error: Error | null
}) {
  return (
    <div>
      <ProgressLine step={progress?.step ?? 'waiting'} />
      {error && <p className="mb-2 text-small text-warning">{text('execute.unreadable')}</p>}
      <Facts>
        <Fact label={text('execute.transactionHash')}>
          <TransactionHash chainId={chainId} transactionHash={sent.transactionHash} />
        </Fact>
        <Fact label={text('execute.sentBy')}>
          <Address address={sent.executor} />
        </Fact>
        <Fact label={text('execute.sentAt')}>
          <Time value={sent.submissionDate} />
        </Fact>
      </Facts>
    </div>
  )
}

function ProgressLine({ step }: { step: ExecutionProgress['step'] }) {
  switch (step) {
    case 'waiting':
      return (
        <>
          <Loading label={text('execute.waiting')} />
          <p className="mb-2 text-small text-ink-soft">{text('execute.waiting.closeable')}</p>
        </>
      )
    case 'executed':
      return <Loading label={text('execute.executed.waiting')} />
    default:
      return (
        <div className="mb-3">
          <Notice tone={step === 'inner-failed' ? 'danger' : 'warning'} isAnnounced>
            {text(`execute.${step}`)}
          </Notice>
        </div>
      )
  }
}
