import type { MultisigTransaction } from '@countersign/contract'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { type Address as AddressType, type Hex, isAddress } from 'viem'
import { Acknowledge } from '../../../review/acknowledge/acknowledge.tsx'
import { useAcknowledgements } from '../../../review/acknowledge/use-acknowledgements.ts'
import { type Offer, offerExecute } from '../../../review/sign/offer.ts'
import { transactionRequest } from '../../../review/subject.ts'
import { useReview } from '../../../review/use-review.ts'
import { readyExecution } from '../../../safe/execution/encode-execution.ts'
import { executionGas } from '../../../safe/execution/execution-gas.ts'
import type { Names } from '../../../safe/names/names.ts'
import { useNamesOf } from '../../../safe/names/primary-names.ts'
import type { Proposal } from '../../../safe/proposals.ts'
import { transactionQuery } from '../../../safe/queries.ts'
import { useRole } from '../../../safe/safe.ts'
import { counterpartyOf } from '../../../safe/title/counterparty.ts'
import { transactionTitle } from '../../../safe/title/transaction-title.ts'
import { TransactionHash } from '../../../safe/transaction-hash.tsx'
import { VerdictMark, verdictColours } from '../../../safe/words/verdict-mark.tsx'
import { shownVerdict, summarizeVerdict, verdictTitle } from '../../../safe/words/verdict-words.ts'
import { Address } from '../../../ui/address.tsx'
import { Loading } from '../../../ui/loading.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Problem, QueryProblem } from '../../../ui/problem.tsx'
import { TextLink } from '../../../ui/text-link.tsx'
import { useAccountState } from '../../../wallet/index.ts'
import { mayExecuteAgain } from '../execution-state.ts'
import { newestSent } from '../follow-execution.ts'
import { TooLarge } from '../too-large.tsx'
import { useExecutionProgress } from '../use-execute-transaction.ts'
import { text } from './text.ts'
import type { ExecutionOfSeveral, ReadyToExecute } from './use-execute-several.ts'

/** Whether a transaction can be executed once its turn has come; why not; by which call; and for how much gas. */
export type RowReadiness = {
  ready: ReadyToExecute | null
  reason: string | null
  call: { to: AddressType; data: Hex } | null
  gas: bigint | null
}

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
  const { chainId, safeAddress, safeTxHash, nonce } = proposal
  const served = useQuery(transactionQuery(chainId, safeTxHash))
  const request = served.data ? transactionRequest(served.data, safeTxHash, account) : null
  const view = useReview(request, chainId, safeAddress)
  const acknowledging = useAcknowledgements(view.review, account)
  const accountState = useAccountState()
  const role = useRole(chainId, safeAddress)
  const transaction: MultisigTransaction = served.data?.transaction ?? proposal
  const place = { chainId, safeAddress, safeTxHash }
  const sent = newestSent(null, transaction.pendingExecution)
  const { progress } = useExecutionProgress(place, sent)
  const isOnItsWay = sent !== null && !mayExecuteAgain(progress ?? { step: 'waiting' })
  const review = view.review?.kind === 'transaction' ? view.review : undefined
  const { given } = acknowledging
  // Those before it are executed by then: its turn has come.
  const state = view.state && { ...view.state, nonce }
  const isOutdated = view.isOutdated || served.error !== null
  const facts = { role, review, isOutdated, state, transaction, accountState, acknowledgements: given }
  const offer = offerExecute(facts)
  const reason = isOnItsWay ? text('several.onItsWay') : review ? reasonOf(offer) : text('several.checking')
  const { safeTx } = transaction
  const gas = state && safeTx ? executionGas(view.facts, { signatures: state.threshold, ...safeTx }) : null
  const call = state && safeTx && review ? readyExecution(safeTx, review.confirmations, state) : null
  const hash = review?.hash ?? null
  const answers = JSON.stringify(given)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the answers are compared by what they say
  useEffect(() => {
    const isReady = reason === null && hash !== null
    onReadiness(safeTxHash, {
      ready: isReady ? { safeTxHash, nonce, shown: { hash, acknowledgements: given } } : null,
      reason,
      call,
      gas,
    })
  }, [onReadiness, safeTxHash, nonce, reason, hash, gas, call?.data, answers])
  if (served.error && !served.data) return <QueryProblem error={served.error} onRetry={() => void served.refetch()} />
  return (
    <>
      <p
        data-several-verdict={review?.verdict}
        className={`flex items-center gap-2 text-small font-semibold ${review ? verdictColours[shownVerdict(review)] : 'text-ink-faint'}`}
      >
        <VerdictMark of={review ? shownVerdict(review) : 'checking'} size={17} />
        {review ? verdictTitle(summarizeVerdict(review)) : text('verdict.checking')}
      </p>
      {review && isChosen && (
        <>
          {state && safeTx && <TooLarge safeTx={safeTx} state={state} facts={view.facts} />}
          <Acknowledge acknowledging={acknowledging} names={names} chainId={chainId} onRetry={view.retry} />
        </>
      )}
    </>
  )
}

/** Why it cannot be executed, once its turn has come; null when it can. */
function reasonOf(offer: Offer): string | null {
  switch (offer.kind) {
    case 'offered':
      return null
    case 'acknowledge':
    case 'refused':
      return offer.reason
    case 'told':
      return offer.sentence
    default:
      return text('several.refused')
  }
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
