import type { getTransaction, Reply } from '@countersign/contract'
import { useIsMutating, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Address as AddressType, Hex } from 'viem'
import { useChain } from '../../api/configuration.ts'
import { useRole } from '../../api/safe.ts'
import { useSafeState } from '../../api/safe-state.ts'
import { useTeamNames } from '../../api/team-names.ts'
import { Acknowledge } from '../../review/acknowledge/acknowledge.tsx'
import { useAcknowledgements } from '../../review/acknowledge/use-acknowledgements.ts'
import { DecisionBar } from '../../review/decision-bar.tsx'
import { ImportConfirmations } from '../../review/import-confirmations.tsx'
import { namesOf } from '../../review/names.ts'
import { hasButton, isRefused, offerConfirm, offerExecute, offerImport } from '../../review/offer.ts'
import { transactionQuery } from '../../review/queries.ts'
import { transactionRequest } from '../../review/subject.ts'
import { text } from '../../review/text.ts'
import { useConfirm } from '../../review/use-confirm.ts'
import { useReview } from '../../review/use-review.ts'
import { ReviewView } from '../../review/view/review-view.tsx'
import { YourConfirmation } from '../../review/your-confirmation.tsx'
import { Address, Hash } from '../../ui/address.tsx'
import { Loading, Skeleton } from '../../ui/loading.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Problem } from '../../ui/problem.tsx'
import { SafePageHead } from '../../ui/safe-page-head.tsx'
import { useAccountState, useSession } from '../../wallet/index.ts'
import { Alarms } from './alarms.tsx'
import { deletionKey } from './delete-button.tsx'
import { ExecuteButton } from './execute-button.tsx'
import { ExecutedFacts } from './executed-facts.tsx'
import { ProposalActions } from './instead.tsx'

/** While something is under way, the live event is not waited for alone. */
const FAST_MS = 2_500
const SLOW_MS = 30_000

type Place = { chainId: number; safeAddress: AddressType; safeTxHash: Hex }
type Served = Reply<typeof getTransaction>

/** One transaction: the review first, then what the reader may do about it, then `notes`, which another feature brings. */
export function TransactionPage({ notes, ...place }: Place & { notes: ReactNode }) {
  const { chainId, safeAddress, safeTxHash } = place
  const chain = useChain(chainId)
  const safe = useSafeState(chainId, safeAddress)
  const isDeleting = useIsMutating({ mutationKey: deletionKey(safeTxHash) }) > 0
  const served = useQuery({
    ...transactionQuery(chainId, safeTxHash),
    enabled: !isDeleting,
    refetchInterval: ({ state }) => {
      const transaction = state.data?.transaction
      if (!transaction || transaction.isExecuted) return false
      const isUsed = safe.data && transaction.safeTx && transaction.safeTx.nonce < safe.data.nonce
      return transaction.pendingExecution || isUsed ? FAST_MS : SLOW_MS
    },
  })
  const nonce = served.data?.transaction.safeTx?.nonce
  return (
    <div data-transaction-page={safeTxHash}>
      <SafePageHead
        back="safe"
        chainId={chainId}
        safeAddress={safeAddress}
        chainName={chain?.name}
        title={
          nonce !== undefined
            ? text('transaction.title', { nonce })
            : text(served.data ? 'transaction.title.unknown' : 'transaction.title.loading')
        }
      />
      {served.isPending ? (
        <Skeleton label={text('transaction.loading')} lines={6} />
      ) : !served.data ? (
        <Problem error={served.error} onRetry={() => void served.refetch()} />
      ) : (
        <>
          {served.error && <Problem error={served.error} onRetry={() => void served.refetch()} />}
          <Alarms chainId={chainId} safeAddress={safeAddress} />
          <Reviewed place={place} served={served.data} isUnreachable={served.error !== null} />
          <div className="mt-12">{notes}</div>
        </>
      )}
    </div>
  )
}

function Reviewed({ place, served, isUnreachable }: { place: Place; served: Served; isUnreachable: boolean }) {
  const { chainId, safeAddress, safeTxHash } = place
  const { transaction } = served
  const { session } = useSession()
  const accountState = useAccountState()
  const account = session?.address ?? null
  const isOther = transaction.safeAddress !== safeAddress || transaction.chainId !== chainId
  const request = isOther ? null : transactionRequest(served, safeTxHash, account)
  const view = useReview(request, chainId, safeAddress)
  const role = useRole(chainId, safeAddress)
  const subjectPlace = { kind: 'transaction', chainId, safeAddress, hash: safeTxHash } as const
  const confirming = useConfirm(subjectPlace)
  const acknowledging = useAcknowledgements(view.review, account)
  const names = namesOf(safeAddress, view.state, account, useChain(chainId), useTeamNames(chainId, safeAddress))
  if (isOther)
    return (
      <Notice tone="danger" isAnnounced>
        {text('transaction.otherSafe')} <Address address={transaction.safeAddress} />
      </Notice>
    )
  if (transaction.safeTxHash !== safeTxHash)
    return (
      <Notice tone="danger" isAnnounced title={text('verdict.do-not-sign')}>
        {text('transaction.otherHash')} <Hash hash={transaction.safeTxHash} />
      </Notice>
    )
  const { state } = view
  const review = view.review?.kind === 'transaction' ? view.review : undefined
  const isOutdated = view.isOutdated || isUnreachable
  const acknowledgements = acknowledging.given
  const facts = { role, review, isOutdated, state, transaction, accountState, acknowledgements }
  const [confirm, execute] = [offerConfirm(facts), offerExecute(facts)]
  const isEdited = review?.findings.some(({ id }) => id === 'PROPOSAL-EDITED')
  const isUsed = !transaction.isExecuted && state && transaction.safeTx && transaction.safeTx.nonce < state.nonce
  const shown = review ? { hash: review.hash, acknowledgements } : null
  const acknowledge = <Acknowledge {...{ acknowledging, names, chainId }} onRetry={view.retry} />
  return (
    <>
      <div className="grid gap-4 not-empty:mb-8">
        {isEdited && (
          <Notice tone="danger" isAnnounced title={text('transaction.edited')}>
            {text('transaction.edited.sentence')}
          </Notice>
        )}
        {isUsed && (
          <Notice tone="warning" isAnnounced title={text('transaction.used')}>
            {text('transaction.used.sentence', { nonce: transaction.safeTx?.nonce ?? 0n })}
          </Notice>
        )}
        {view.isOffline && (
          <Notice tone="warning" isAnnounced title={text('transaction.offline')}>
            {text('transaction.offline.sentence')}
          </Notice>
        )}
        {view.stateError && <Problem error={view.stateError} onRetry={view.retry} />}
      </div>
      {transaction.isExecuted && <ExecutedFacts transaction={transaction} />}
      {request === null ? (
        <Notice>{text('transaction.unrecovered')}</Notice>
      ) : view.error ? (
        <Problem error={view.error} onRetry={view.retry} />
      ) : !review ? (
        <div className="mb-8">
          <Loading label={text(view.isReadingChain ? 'transaction.state.loading' : 'transaction.reviewing')} />
        </div>
      ) : (
        <ReviewView
          review={review}
          request={request}
          state={state}
          facts={view.facts}
          account={account}
          transaction={transaction}
          reports={served.reports}
          isSettled={transaction.isExecuted}
          end={
            transaction.isExecuted ? null : (
              <DecisionBar
                {...{ review, confirm, execute, isOutdated }}
                threshold={state?.threshold ?? transaction.confirmationsRequired}
              />
            )
          }
        />
      )}
      {isRefused(review) && !transaction.isExecuted && (
        <div className="mb-9 sm:mb-12">
          <Notice tone="danger" title={text('verdict.do-not-sign')} hint={text('verdict.do-not-sign.advice')}>
            {text('confirm.refused.do-not-sign')}
          </Notice>
        </div>
      )}
      {request !== null && (
        <>
          <YourConfirmation
            offer={confirm}
            explanation={text('confirm.explanation', { account: account ?? '' })}
            acknowledge={acknowledge}
            confirm={confirming}
            onAct={shown && (() => confirming.mutate(shown))}
          />
          <ExecuteButton
            {...{ transaction, shown, account }}
            offer={execute}
            acknowledge={hasButton(confirm) ? null : acknowledge}
          />
          {state && review && (
            <ImportConfirmations
              place={subjectPlace}
              offer={offerImport(facts)}
              acknowledge={hasButton(confirm) || hasButton(execute) ? null : acknowledge}
              {...{ request, review, state, names }}
            />
          )}
          <ProposalActions
            {...place}
            transaction={transaction}
            others={served.others}
            state={state}
            account={account}
          />
        </>
      )}
    </>
  )
}
