import { useEffect } from 'react'
import { type Address as AddressType, type Hex, isAddress } from 'viem'
import { Acknowledge } from '../../../review/acknowledge/acknowledge.tsx'
import type { Names } from '../../../safe/names/names.ts'
import { useNamesOf } from '../../../safe/names/primary-names.ts'
import type { Proposal } from '../../../safe/proposals.ts'
import { counterpartyOf } from '../../../safe/title/counterparty.ts'
import { transactionTitle } from '../../../safe/title/transaction-title.ts'
import { TransactionHash } from '../../../safe/transaction-hash.tsx'
import { VerdictMark, verdictColours } from '../../../safe/words/verdict-mark.tsx'
import { summarizeVerdict } from '../../../safe/words/verdict-summary.ts'
import { shownVerdict, verdictTitle } from '../../../safe/words/verdict-words.ts'
import { Address } from '../../../ui/address.tsx'
import { Loading } from '../../../ui/loading.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Problem, QueryProblem } from '../../../ui/problem.tsx'
import { TextLink } from '../../../ui/text-link.tsx'
import { TooLarge } from '../too-large.tsx'
import type { RowReadiness } from './readiness.ts'
import { text } from './text.ts'
import { useExecutableReview } from './use-executable-review.ts'
import type { ExecutionOfSeveral } from './use-execute-several.ts'

type RowProps = {
  proposal: Proposal
  names: Names
  account: AddressType | null
  /** Whether it is among those that are to be executed. */
  isChosen: boolean
  execution: ExecutionOfSeveral | undefined
  onReadiness: (hash: Hex, readiness: RowReadiness) => void
}

/** One of several transactions: its effect, its verdict with what has to be answered, and where its execution stands. */
export function SeveralRow(props: RowProps) {
  const { proposal, isChosen, execution } = props
  const { chainId, safeAddress, safeTxHash, safeTx, nonce } = proposal
  const names = useNamesOf(safeTx, props.names, chainId)
  const party = safeTx && counterpartyOf(safeTx, safeAddress).address
  return (
    <li
      data-several={execution ? stepOf(execution) : 'none'}
      data-transaction={safeTxHash}
      className={`grid grid-cols-[2.25rem_minmax(0,1fr)] gap-y-2 border-b border-rule py-3.5 ${isChosen ? '' : 'opacity-75'}`}
    >
      <span className="text-ink-soft tabular-nums">{nonce.toString()}</span>
      <div className="grid min-w-0 gap-2">
        <TextLink
          look="row"
          to="/safes/$chainId/$safeAddress/transactions/$safeTxHash"
          params={{ chainId, safeAddress, safeTxHash }}
        >
          <span className="sr-only">{text('queue.nonce', { nonce })}. </span>
          {safeTx ? transactionTitle(safeTx, names) : text('transaction.title.unknown')}
        </TextLink>
        {party !== null && isAddress(party) && <Address address={party} />}
        {execution ? (
          <Execution proposal={proposal} execution={execution} />
        ) : (
          <ProposalReview {...props} names={names} />
        )}
      </div>
    </li>
  )
}

function stepOf(execution: ExecutionOfSeveral): string {
  return execution.kind === 'sent' ? execution.progress.step : execution.kind
}

/** Shows the review as on the page of the transaction, which is one press away. */
function ProposalReview({ proposal, names, account, isChosen, onReadiness }: RowProps) {
  const { chainId, safeTxHash } = proposal
  const { served, view, review, state, safeTx, acknowledging, readiness } = useExecutableReview(proposal, account)
  const { ready, reason, call, gas } = readiness
  const answers = JSON.stringify(ready?.shown.acknowledgements)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the call and the answers are compared by their content
  useEffect(
    () => onReadiness(safeTxHash, readiness),
    [onReadiness, safeTxHash, ready?.nonce, ready?.shown.hash, answers, reason, gas, call?.data],
  )
  if (served.error && !served.data) return <QueryProblem error={served.error} onRetry={() => void served.refetch()} />
  if (view.error) return <QueryProblem error={view.error} onRetry={view.retry} />
  if (!review)
    return (
      <p className="flex items-center gap-2 text-small font-semibold text-ink-faint">
        <VerdictMark of="checking" size={17} />
        {text('verdict.checking')}
      </p>
    )
  const verdict = shownVerdict(review)
  return (
    <>
      <p
        data-several-verdict={review.verdict}
        className={`flex items-center gap-2 text-small font-semibold ${verdictColours[verdict]}`}
      >
        <VerdictMark of={verdict} size={17} />
        {verdictTitle(summarizeVerdict(review))}
      </p>
      {isChosen && (
        <>
          {state && safeTx && <TooLarge safeTx={safeTx} state={state} facts={view.facts} />}
          <Acknowledge acknowledging={acknowledging} names={names} chainId={chainId} onRetry={view.retry} />
        </>
      )}
    </>
  )
}

function Execution({ proposal, execution }: { proposal: Proposal; execution: ExecutionOfSeveral }) {
  const { chainId, safeAddress, safeTxHash } = proposal
  if (execution.kind === 'sending') return <Loading label={text(`execute.step.${execution.step}`)} />
  if (execution.kind === 'failed') return <Problem error={execution.error} />
  const { step } = execution.progress
  return (
    <>
      {step === 'waiting' ? (
        <>
          <Loading label={text('execute.waiting')} />
          <TextLink
            look="plain"
            target="_blank"
            to="/safes/$chainId/$safeAddress/transactions/$safeTxHash"
            params={{ chainId, safeAddress, safeTxHash }}
          >
            {text('several.slow')}
          </TextLink>
        </>
      ) : step === 'executed' ? (
        <p className="font-semibold text-accent">{text('execute.executed')}</p>
      ) : (
        <Notice tone={step === 'inner-failed' ? 'danger' : 'warning'} isAnnounced>
          {text(`execute.${step}`)}
        </Notice>
      )}
      {execution.isUnrecorded && <Notice tone="warning">{text('execute.recordFailed')}</Notice>}
      <TransactionHash chainId={chainId} transactionHash={execution.sent.transactionHash} />
    </>
  )
}
