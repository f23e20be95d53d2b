import { TransactionHash } from '../../../safe/transaction-hash.tsx'
import { Address } from '../../../ui/address.tsx'
import { Fact, Facts } from '../../../ui/facts.tsx'
import { Loading } from '../../../ui/loading.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Time } from '../../../ui/text/time.tsx'
import { text } from '../text.ts'
import { type ExecutionProgress, mayExecuteAgain } from './execution-state.ts'
import type { FollowedExecution } from './use-execute-transaction.ts'

/** Shows where a sent execution stands, who sent it and when. */
export function SentExecutionStatus({
  chainId,
  followed: { sent, progress, error },
  isUnrecorded,
}: {
  chainId: number
  followed: FollowedExecution
  /** Whether the server does not know of it. */
  isUnrecorded: boolean
}) {
  return (
    <>
      <div>
        <ProgressLine step={progress.step} />
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
      {isUnrecorded && !mayExecuteAgain(progress) && <Notice tone="warning">{text('execute.recordFailed')}</Notice>}
    </>
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
