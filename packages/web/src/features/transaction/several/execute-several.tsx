import { findExecutableInTurn, type SafeState } from '@countersign/safe'
import { useCallback, useState } from 'react'
import type { Address, Hex } from 'viem'
import { useNames } from '../../../safe/names/use-names.ts'
import { type Proposal, proposalsOf } from '../../../safe/proposals.ts'
import { SafePageHead } from '../../../safe/safe-page-head.tsx'
import { useSafeState } from '../../../safe/safe-state.ts'
import { useWholeQueue } from '../../../safe/use-whole-queue.ts'
import { Button } from '../../../ui/button.tsx'
import { ButtonLink } from '../../../ui/button-link.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { Skeleton } from '../../../ui/loading.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { QueryProblem } from '../../../ui/problem.tsx'
import { useSession } from '../../../wallet/index.ts'
import { useChosenFees } from '../execution/chosen-fees.tsx'
import { ExecutionControls } from './execution-controls.tsx'
import { joinReadiness, type RowReadiness } from './readiness.ts'
import { SeveralRow } from './several-row.tsx'
import { text } from './text.ts'
import { type ExecutionOfSeveral, useExecuteSeveral } from './use-execute-several.ts'

/** Each is an Ethereum transaction to agree to in the wallet. */
const MAX_AT_ONCE = 20

/** Executes transactions of the queue one after the other, each reviewed, and again when its turn comes. */
export function ExecuteSeveral({ chainId, safeAddress }: { chainId: number; safeAddress: Address }) {
  const state = useSafeState(chainId, safeAddress)
  const queue = useWholeQueue(chainId, safeAddress)
  const isWhole = queue.data !== undefined && !queue.hasNextPage
  return (
    <>
      <SafePageHead
        parent="queue"
        chainId={chainId}
        safeAddress={safeAddress}
        title={text('several.title')}
        what={text('several.what')}
      />
      {!state.data && state.error ? (
        <QueryProblem error={state.error} onRetry={() => void state.refetch()} />
      ) : !queue.data && queue.error ? (
        <QueryProblem error={queue.error} onRetry={() => void queue.refetch()} />
      ) : !state.data || !isWhole ? (
        <Skeleton label={text('queue.loading')} />
      ) : (
        <ExecutionQueue
          state={state.data}
          waiting={proposalsOf(queue.data.pages.flatMap((page) => page.transactions))}
        />
      )}
    </>
  )
}

function ExecutionQueue({ state, waiting }: { state: SafeState; waiting: readonly Proposal[] }) {
  const { chainId, address: safeAddress } = state
  const place = { chainId, safeAddress }
  const names = useNames(chainId, safeAddress)
  const account = useSession().session?.address ?? null
  const execution = useExecuteSeveral(place)
  /** Stays as it was begun: executed transactions leave the queue. */
  const [begun, setBegun] = useState<readonly Proposal[] | null>(null)
  const [most, setMost] = useState(MAX_AT_ONCE)
  const fees = useChosenFees()
  const [readiness, setReadiness] = useState<ReadonlyMap<Hex, RowReadiness>>(new Map())
  const noteReadiness = useCallback(
    (hash: Hex, next: RowReadiness) => setReadiness((before) => new Map(before).set(hash, next)),
    [],
  )
  const inTurn = begun ?? findExecutableInTurn(waiting, state, MAX_AT_ONCE)
  if (inTurn.length === 0) return <EmptyExecutionQueue place={place} />
  const chosen = inTurn.slice(0, most)
  const executed = inTurn.filter(({ safeTxHash }) => isExecuted(execution.states.get(safeTxHash))).length
  return (
    <div className="grid max-w-3xl gap-6">
      <ol className="border-t border-rule-strong">
        {inTurn.map((proposal, index) => (
          <SeveralRow
            key={proposal.safeTxHash}
            proposal={proposal}
            names={names}
            account={account}
            isChosen={index < chosen.length}
            execution={execution.states.get(proposal.safeTxHash)}
            onReadiness={noteReadiness}
          />
        ))}
      </ol>
      {begun !== null && !execution.isRunning ? (
        <ExecutionResult
          place={place}
          executed={executed}
          count={chosen.length}
          onContinue={() => {
            execution.forget()
            setBegun(null)
          }}
        />
      ) : (
        <ExecutionControls
          chainId={chainId}
          account={account}
          inTurn={inTurn}
          chosen={chosen}
          readiness={joinReadiness(chosen, readiness)}
          execution={execution}
          fees={fees}
          executed={executed}
          onChoose={setMost}
          onBegin={() => setBegun(inTurn)}
        />
      )}
    </div>
  )
}

function EmptyExecutionQueue({ place }: { place: { chainId: number; safeAddress: Address } }) {
  return (
    <Empty
      title={text('several.none')}
      actions={
        <ButtonLink to="/safes/$chainId/$safeAddress/queue" params={place}>
          {text('execute.next.queue')}
        </ButtonLink>
      }
    >
      {text('several.none.sentence')}
    </Empty>
  )
}

/** Says how many were executed. If some were not, the person can continue with them. */
function ExecutionResult({
  place,
  executed,
  count,
  onContinue,
}: {
  place: { chainId: number; safeAddress: Address }
  executed: number
  count: number
  onContinue: () => void
}) {
  const isPart = executed < count
  return (
    <Notice
      isAnnounced
      tone={isPart ? 'warning' : 'good'}
      title={text('several.over', { executed, count })}
      actions={
        <>
          <ButtonLink to="/safes/$chainId/$safeAddress/queue" params={place}>
            {text('execute.next.queue')}
          </ButtonLink>
          {isPart && <Button onClick={onContinue}>{text('several.goOn')}</Button>}
        </>
      }
    >
      {isPart && text('several.over.rest')}
    </Notice>
  )
}

function isExecuted(execution: ExecutionOfSeveral | undefined): boolean {
  return execution?.kind === 'sent' && execution.progress.step === 'executed'
}
