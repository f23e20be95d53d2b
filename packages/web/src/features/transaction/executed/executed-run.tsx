import {
  type ExaminedExecution,
  executedRun,
  type ReceiptDifference,
  type SimulationOutcome,
} from '@countersign/review'
import type { SafeTx } from '@countersign/safe'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Address as AddressType, Hex } from 'viem'
import { byIdentity, computedQuery } from '../../../api/computed-query.ts'
import { useHashSources } from '../../../evidence/proof/hash-sources.ts'
import { MovedAssets } from '../../../evidence/simulation/run-moves.tsx'
import { askWorker } from '../../../evidence/worker/ask-worker.ts'
import type { ExecutedTransaction } from '../../../evidence/worker/calls.ts'
import { type Names, nameOf } from '../../../safe/names/names.ts'
import { text } from '../../../safe/text.ts'
import { Address } from '../../../ui/address.tsx'
import { Button } from '../../../ui/button.tsx'
import { QueryProblem } from '../../../ui/problem.tsx'

/** Contracts of logs that stand here. */
const MAX_SHOWN = 5

/** Shows what an executed transaction did: its receipt, as this page reads it from the chain, beside a run on the block before. */
export function ExecutedRun({
  execution: { chainId, safeAddress, safeTx, safeTxHash, transactionHash },
  isRecent,
  isSuccessful,
  names,
}: {
  execution: { chainId: number; safeAddress: AddressType; safeTx: SafeTx; safeTxHash: Hex; transactionHash: Hex }
  /** Whether nodes still have the state of its block, as a rule. */
  isRecent: boolean
  /** By the server's word. */
  isSuccessful: boolean | null
  names: Names
}) {
  const sources = useHashSources(chainId)
  const [isAsked, setIsAsked] = useState(false)
  const asked = { chainId, safeAddress, safeTx, safeTxHash, transactionHash, sources }
  const examined = useQuery({ ...computedQuery('execution', asked, examine), enabled: isRecent || isAsked })
  if (!isRecent && !isAsked)
    return (
      <div className="grid gap-2" data-executed-run="unasked">
        <p className="text-small text-ink-soft">{text('executed.old')}</p>
        <div>
          <Button onClick={() => setIsAsked(true)}>{text('executed.run')}</Button>
        </div>
      </div>
    )
  if (examined.isPending)
    return (
      <p role="status" className="text-small text-ink-soft" data-executed-run="asking">
        {text('executed.asking')}
      </p>
    )
  if (examined.error) return <QueryProblem error={examined.error} onRetry={() => void examined.refetch()} />
  if (examined.data === null || examined.data === undefined)
    return (
      <p className="font-semibold text-warning" data-executed-run="no-receipt">
        {text('executed.no-receipt')}
      </p>
    )
  return <ExecutionFindings examined={examined.data} isSuccessful={isSuccessful} names={names} />
}

async function examine(executed: ExecutedTransaction): Promise<ExaminedExecution | null> {
  const examined = await askWorker('examineExecution', executed)
  return examined && byIdentity(examined)
}

function ExecutionFindings({
  examined: { receipt, vouching, result, differences },
  isSuccessful,
  names,
}: {
  examined: ExaminedExecution
  isSuccessful: boolean | null
  names: Names
}) {
  if (vouching.status === 'disagree')
    return (
      <div className="grid gap-2" data-executed-run="replaced">
        <p className="font-semibold text-danger">{text('executed.replaced')}</p>
        <Contradiction receipt={receipt} isSuccessful={isSuccessful} />
      </div>
    )
  const run = result === null ? null : executedRun({ simulation: { result, ...unasked } })
  return (
    <div className="grid gap-2" data-executed-run={statusOf(differences)}>
      <Contradiction receipt={receipt} isSuccessful={isSuccessful} />
      <ComparedReceipt receipt={receipt} differences={differences} names={names} />
      {run !== null && <MovedAssets run={run} names={names} />}
      <p className="text-small text-ink-faint">
        {text('executed.sources', { count: vouching.count, needed: vouching.needed })}
      </p>
    </div>
  )
}

function statusOf(differences: ExaminedExecution['differences']): 'receipt' | 'same' | 'different' {
  if (differences === null) return 'receipt'
  return differences.length === 0 ? 'same' : 'different'
}

/** Warns if the server reports another outcome than the receipt. */
function Contradiction({
  receipt,
  isSuccessful,
}: Pick<ExaminedExecution, 'receipt'> & { isSuccessful: boolean | null }) {
  const isContradicted =
    isSuccessful !== null && receipt.outcome !== null && isSuccessful !== (receipt.outcome === 'success')
  return isContradicted && <p className="font-semibold text-danger">{text('executed.contradicted')}</p>
}

/** Compares the receipt with the simulation; without one it shows the receipt only. */
function ComparedReceipt({
  receipt,
  differences,
  names,
}: Pick<ExaminedExecution, 'receipt' | 'differences'> & { names: Names }) {
  if (differences === null)
    return (
      <p>
        {receipt.outcome && `${outcomeWords(receipt.outcome)} `}
        {text('executed.no-state')}
      </p>
    )
  if (differences.length === 0) return <p>{text('executed.same')}</p>
  return (
    <>
      <p className="font-semibold text-warning">{text('executed.different')}</p>
      <ul className="grid gap-1">
        {differences.map((difference) => (
          <Difference key={difference.part} difference={difference} names={names} />
        ))}
      </ul>
      {receipt.index > 0 && <p className="text-small">{text('executed.earlier', { count: receipt.index })}</p>}
    </>
  )
}

const unasked = { crossCheck: { status: 'unasked', reason: 'executed' }, standIn: null } as const

function outcomeWords(outcome: SimulationOutcome['kind']): string {
  return text('executed.outcome', { outcome: outcome === 'inner-failure' ? 'failed' : outcome })
}

function Difference({ difference, names }: { difference: ReceiptDifference; names: Names }) {
  if (difference.part === 'outcome')
    return (
      <li>
        {text('executed.on-chain')} {outcomeWords(difference.receipt)} {text('executed.in-run')}{' '}
        {outcomeWords(difference.run)}
      </li>
    )
  const { part, logs } = difference
  const contracts = [...new Set(logs.map(({ address }) => address))]
  return (
    <li>
      {text(part === 'only-in-receipt' ? 'executed.only-in-receipt' : 'executed.only-in-run', { count: logs.length })}
      <ul>
        {contracts.slice(0, MAX_SHOWN).map((address) => (
          <li key={address}>
            <Address address={address} name={nameOf(address, names)} hasAvatar={false} isCopyable={false} />
          </li>
        ))}
        {contracts.length > MAX_SHOWN && <li>{text('run.moves.more', { count: contracts.length - MAX_SHOWN })}</li>}
      </ul>
    </li>
  )
}
