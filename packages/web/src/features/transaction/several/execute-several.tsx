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
import { SelectField } from '../../../ui/form/field.tsx'
import { Skeleton } from '../../../ui/loading.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { QueryProblem } from '../../../ui/problem.tsx'
import { useSession } from '../../../wallet/index.ts'
import { FeesFold, noFees, parseFees } from '../chosen-fees.tsx'
import { ExecutionFee } from '../execution-fee.tsx'
import { type RowReadiness, SeveralRow } from './several-row.tsx'
import { text } from './text.ts'
import { useExecuteSeveral } from './use-execute-several.ts'

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
  const { states, isRunning, isStopping, execute, stop, forget } = useExecuteSeveral(place)
  /** Stays as it was begun: what is executed leaves the queue. */
  const [begun, setBegun] = useState<readonly Proposal[] | null>(null)
  const [most, setMost] = useState(MAX_AT_ONCE)
  const [typedFees, setTypedFees] = useState(noFees)
  const { fees, errors } = parseFees(typedFees)
  const areFeesRead = Object.keys(errors).length === 0
  const [readiness, setReadiness] = useState<ReadonlyMap<Hex, RowReadiness>>(new Map())
  const hear = useCallback(
    (hash: Hex, heard: RowReadiness) => setReadiness((before) => new Map(before).set(hash, heard)),
    [],
  )
  const inTurn = begun ?? findExecutableInTurn(waiting, state, MAX_AT_ONCE)
  if (inTurn.length === 0) return <EmptyExecutionQueue place={place} />
  const chosen = inTurn.slice(0, most)
  const known = chosen.map(({ safeTxHash }) => readiness.get(safeTxHash))
  const ready = known.flatMap((one) => one?.ready ?? [])
  const gas = known.reduce<bigint | null>((sum, one) => (sum === null || !one?.gas ? null : sum + one.gas), 0n)
  const isOver = begun !== null && !isRunning
  const executed = inTurn.filter(({ safeTxHash }) => isExecuted(states.get(safeTxHash))).length
  const begin = () => {
    setBegun(inTurn)
    void execute(ready, fees)
  }
  const goOn = () => {
    forget()
    setBegun(null)
  }
  const waitsFor = known.findIndex((one) => !one?.ready)
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
            execution={states.get(proposal.safeTxHash)}
            onReadiness={hear}
          />
        ))}
      </ol>
      {isOver ? (
        <Notice
          isAnnounced
          tone={executed === chosen.length ? 'good' : 'warning'}
          title={text('several.over', { executed, count: chosen.length })}
          actions={
            <>
              <ButtonLink to="/safes/$chainId/$safeAddress/queue" params={place}>
                {text('execute.next.queue')}
              </ButtonLink>
              {executed < chosen.length && <Button onClick={goOn}>{text('several.goOn')}</Button>}
            </>
          }
        >
          {executed < chosen.length && text('several.over.rest')}
        </Notice>
      ) : (
        <div className="grid gap-3">
          {inTurn.length > 1 && (
            <ExecutionCount inTurn={inTurn} isRunning={isRunning} count={chosen.length} onChoose={setMost} />
          )}
          <div className="flex flex-wrap gap-2" data-execute-several>
            <Button
              variant="primary"
              disabled={waitsFor >= 0 || !areFeesRead}
              busy={isRunning ? text('several.running', { executed, count: chosen.length }) : undefined}
              onClick={begin}
              aria-describedby="several-reason"
            >
              {text('several.button', { count: chosen.length })}
            </Button>
            {isRunning && (
              <Button disabled={isStopping} onClick={stop}>
                {text(isStopping ? 'several.stopping' : 'several.stop')}
              </Button>
            )}
          </div>
          <p id="several-reason" className="text-small text-ink-soft">
            {waitsFor < 0
              ? areFeesRead
                ? text('several.explanation', { account: account ?? '' })
                : text('execute.fees.mend')
              : text('several.waits', {
                  nonce: chosen[waitsFor]?.nonce ?? 0n,
                  reason: known[waitsFor]?.reason ?? text('several.checking'),
                })}
          </p>
          {account !== null && gas !== null && gas > 0n && !isRunning && (
            <ExecutionFee
              chainId={chainId}
              account={account}
              gas={gas}
              calls={known.flatMap((one) => one?.call ?? [])}
              chosen={fees}
            />
          )}
          {!isRunning && <FeesFold isOfSeveral typed={typedFees} onChange={setTypedFees} />}
        </div>
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

function ExecutionCount({
  inTurn,
  count: chosen,
  isRunning,
  onChoose,
}: {
  inTurn: readonly Proposal[]
  count: number
  isRunning: boolean
  onChoose: (count: number) => void
}) {
  return (
    <SelectField
      label={text('several.howMany')}
      value={String(chosen)}
      disabled={isRunning}
      onChange={({ target }) => onChoose(Number(target.value))}
    >
      {inTurn.map(({ nonce, safeTxHash }, index) => (
        <option key={safeTxHash} value={index + 1}>
          {text('several.upTo', { count: index + 1, nonce })}
        </option>
      ))}
    </SelectField>
  )
}

function isExecuted(execution: ReturnType<ReturnType<typeof useExecuteSeveral>['states']['get']>): boolean {
  return execution?.kind === 'sent' && execution.progress.step === 'executed'
}
