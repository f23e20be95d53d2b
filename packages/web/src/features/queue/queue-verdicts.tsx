import type { MultisigTransaction } from '@countersign/contract'
import type { SafeState } from '@countersign/safe-core'
import { type Dispatch, type SetStateAction, useLayoutEffect } from 'react'
import type { Address } from 'viem'
import { useListed } from '../../review/use-listed.ts'
import { useVerdicts } from '../../review/use-verdicts.ts'
import type { VerdictSummary } from '../../review/verdict-words.ts'

export type Verdicts = ReadonlyMap<string, VerdictSummary>

/** Shows nothing: reviews what is queued and tells the verdicts. In a file of its own, which comes when something is. */
export function QueueVerdicts({
  transactions,
  place,
  account,
  state,
  onVerdicts,
}: {
  /** stays the same object until the queue changes */
  transactions: readonly MultisigTransaction[]
  place: { chainId: number; safeAddress: Address }
  account: Address | null
  state: SafeState | undefined
  onVerdicts: Dispatch<SetStateAction<Verdicts>>
}) {
  const { listed } = useListed(transactions, place, account)
  const verdicts = useVerdicts(listed, place, state)
  // Before anything is drawn: no row ever shows the verdict of what it was before.
  useLayoutEffect(() => onVerdicts((before) => (isSame(before, verdicts) ? before : verdicts)), [verdicts, onVerdicts])
  useLayoutEffect(() => () => onVerdicts(new Map()), [onVerdicts])
  return null
}

function isSame(before: Verdicts, now: Verdicts): boolean {
  return before.size === now.size && [...now].every(([hash, verdict]) => before.get(hash) === verdict)
}
